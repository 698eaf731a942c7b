/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Formulas: texts to programs (operator precedence with explicit stacks, no recursion), and their evaluation at many
 * points.
 *
 * A program computes the definitions that its outputs need first, each once, into slots, in the order in which they
 * were made (a definition uses earlier ones only), then every output. Operations on constants are done by the evaluator
 * at compile time, hence with the bits that they would have at run time.
 *
 * A definition is compiled once, when it is made; in its code, and in a program until it is linked, a definition in use
 * goes by the number of its entry. Names are found by bisection: the time to compile grows with the text alone.
 */
#include "ewi_formula.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "ewi_error.h"
#include "ewi_hints.h"
#include "ewi_host.h"
#include "ewi_text.h"

enum {
    LONGEST_NAME = 63,
    MOST_NAMES = 256,     /* in a scope */
    MOST_PENDING = 256,   /* operators and parentheses that wait for their operands */
    LARGEST_WHOLE_POWER = 8,
    LONGEST_TEXT = 255,   /* of an argument of raster(...) */
    LONGEST_REASON = 512  /* for a raster's lack of a value */
};

/* ---- scopes ------------------------------------------------------------------------------------------------------ */

struct draft {
    int32_t code, argument;
    double value; /* of EWI_PUSH_CONSTANT */
    const ew_raster_data *raster; /* of EWI_RASTER, whose argument has the bits of enum raster_reading */
};

enum raster_reading { NEAREST = 1, CLAMPS = 2, TIMED = 4, BILINEAR = 8 };

struct entry {
    char name[LONGEST_NAME + 1];
    double value;
    int variable;       /* EW_STATE + number of the local state's variable; 0: it is none */
    struct draft *code; /* [length]: of a definition that depends on x, y or t; NULL: a constant or a variable */
    int length;
    bool has_raster; /* its value comes from a raster */
};

/* A raster that was added. */
struct named_raster {
    struct named_raster *next;
    const ew_raster_data *raster;
    const char *variable; /* or NULL */
    char file[];
};

struct ew_scope {
    ew_host host;
    int count;
    struct entry *entry[MOST_NAMES];
    int by_name[MOST_NAMES]; /* numbers of the entries in the order of their names */
    struct named_raster *raster;
    ew_raster_finder find; /* or NULL */
    void *find_context;
};

int ew_scope_create(const ew_host *host, ew_scope **scope, ew_error *error)
{
    if (!scope)
        return ewi_fail(error, EW_EINVAL, "ew_scope_create needs a place for the scope");
    *scope = NULL;
    ew_host own = ewi_host_or_default(host);
    ew_scope *made = ewi_alloc(&own, 1, sizeof *made);
    if (!made)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the names of formulas");
    made->host = own;
    *scope = made;
    return EW_OK;
}

void ew_scope_destroy(ew_scope *scope)
{
    if (!scope)
        return;
    ew_host host = scope->host;
    for (int i = 0; i < scope->count; ++i)
        ewi_free(&host, scope->entry[i]);
    while (scope->raster) {
        struct named_raster *raster = scope->raster;
        scope->raster = raster->next;
        ewi_free(&host, raster);
    }
    ewi_free(&host, scope);
}

/* The place of a name in the order of names: of the first one that does not come before it. */
static int scope_place(const ew_scope *scope, const char *name, size_t length)
{
    int low = 0, high = scope->count;
    while (low < high) {
        int middle = (low + high) / 2;
        const char *other = scope->entry[scope->by_name[middle]]->name;
        int order = strncmp(other, name, length);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Number of an entry, or -1. The name itself precedes all that begin with it. */
static int scope_find(const ew_scope *scope, const char *name, size_t length)
{
    int place = scope ? scope_place(scope, name, length) : 0;
    if (!scope || place == scope->count)
        return -1;
    const char *found = scope->entry[scope->by_name[place]]->name;
    return strncmp(found, name, length) == 0 && found[length] == '\0' ? scope->by_name[place] : -1;
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

struct function {
    const char *name;
    int code, arguments;
    bool more; /* any number of arguments from two on */
};

static const struct function functions[] = {
#define FUNCTION_1(code, name, result) {name, EWI_##code, 1, false},
#define FUNCTION_2(code, name, result) {name, EWI_##code, 2, EWI_##code == EWI_MIN || EWI_##code == EWI_MAX},
    EWI_FUNCTIONS_1(FUNCTION_1)
    EWI_FUNCTIONS_2(FUNCTION_2)
#undef FUNCTION_1
#undef FUNCTION_2
    {"raster", EWI_RASTER, 2, true},
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static const struct {
    const char *name, *meaning;
} reserved[] = {
    {"x", "a coordinate"},
    {"y", "a coordinate"},
    {"t", "the time"},
    {"pi", "the number pi"},
};

enum { RESERVED = sizeof reserved / sizeof reserved[0] };

static int function_find(const char *name, size_t length)
{
    for (int i = 0; i < FUNCTIONS; ++i)
        if (strlen(functions[i].name) == length && memcmp(functions[i].name, name, length) == 0)
            return i;
    return -1;
}

static int reserved_find(const char *name, size_t length)
{
    for (int i = 0; i < RESERVED; ++i)
        if (strlen(reserved[i].name) == length && memcmp(reserved[i].name, name, length) == 0)
            return i;
    return -1;
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

enum token_kind { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_TEXT, TOKEN_SIGN, TOKEN_STRAY };

struct token {
    enum token_kind kind;
    size_t start, length; /* in the text */
    double value;         /* of a number */
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static struct token next_token(const char *text, size_t at)
{
    while (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')
        ++at;
    struct token token = {.kind = TOKEN_SIGN, .start = at, .length = 1};
    const char *c = text + at;
    if (*c == '\0') {
        token.kind = TOKEN_END;
        token.length = 0;
    } else if (ewi_is_digit(*c) || *c == '.') {
        token.length = ewi_read_number(c, &token.value);
        token.kind = TOKEN_NUMBER;
        if (token.length == 0) {
            token.kind = TOKEN_STRAY;
            token.length = 1;
        }
    } else if (is_letter(*c)) {
        token.kind = TOKEN_NAME;
        while (is_letter(c[token.length]) || ewi_is_digit(c[token.length]))
            ++token.length;
    } else if (*c == '\'' && strchr(c + 1, '\'')) { /* the text with its quotes */
        token.kind = TOKEN_TEXT;
        token.length = (size_t)(strchr(c + 1, '\'') + 1 - c);
    } else if ((strchr("<>=!", *c) && c[1] == '=') || (strchr("&|", *c) && c[1] == *c)) {
        token.length = 2;
    } else if (!strchr("+-*/^<>!?:(),", *c)) {
        token.kind = TOKEN_STRAY;
        if ((unsigned char)*c >= 0xc0) /* a whole character of UTF-8 */
            while (token.length < 4 && ((unsigned char)c[token.length] & 0xc0) == 0x80)
                ++token.length;
    }
    return token;
}

/* ---- the compiler ------------------------------------------------------------------------------------------------ */

/* Entries of the operator stack; the numbers are precedences of operators. */
enum precedence {
    OPEN = 0, /* a parenthesis, with or without a function */
    CHOICE = 1,
    EITHER,
    BOTH,
    EQUALITY,
    ORDER,
    SUM,
    PRODUCT,
    PREFIX,
    EXPONENT
};

struct pending {
    int precedence;
    int code;      /* of an operator */
    int function;  /* of OPEN: index of the function or -1 */
    int arguments; /* of OPEN: arguments that are complete */
    const ew_raster_data *raster; /* of OPEN: its first arguments; NULL: it is no raster(...) */
    int reading;   /* ... enum raster_reading, by the options so far */
    bool option, has_options; /* ... the present argument is one of these; an earlier one was */
    bool half;     /* of CHOICE: "?" waits for ":" */
    size_t start, length; /* in the text */
};

struct compiler {
    const ew_scope *scope;
    ew_error *error;
    int status;
    char place[32]; /* "formula 2, " if there are several */

    const char *text;
    int length; /* of code */
    struct draft code[EWI_FORMULA_CODE];
    int operands;
    int operand_start[EWI_FORMULA_STACK]; /* where the code of each operand on the stack starts */
    bool from_raster[EWI_FORMULA_STACK];  /* the operand comes from a raster: decisions on it are strict */
    int pendings;
    struct pending pending[MOST_PENDING];

    bool needed[MOST_NAMES];
    int slot[MOST_NAMES]; /* of a definition that is needed */
};

/* Columns count characters, not bytes. */
static int column(const struct compiler *compiler, size_t at)
{
    int count = 1;
    for (size_t i = 0; i < at; ++i)
        count += ((unsigned char)compiler->text[i] & 0xc0) != 0x80;
    return count;
}

/* Length of a token in a sentence. */
static int shown(size_t length)
{
    return length > LONGEST_NAME ? LONGEST_NAME : (int)length;
}

#define FAIL_AT(compiler, at, format, ...)                                                                     \
    ((compiler)->status = ewi_fail((compiler)->error, EW_EFORMULA, "%scolumn %d: " format, (compiler)->place, \
                                   column(compiler, at), __VA_ARGS__))

static void fail_length(struct compiler *compiler, size_t at)
{
    FAIL_AT(compiler, at, "the program of the formulas and the definitions that they use would have more than %d steps",
            EWI_FORMULA_CODE);
}

static void emit(struct compiler *compiler, int code, int argument, double value, size_t at)
{
    if (compiler->status)
        return;
    if (compiler->length == EWI_FORMULA_CODE) {
        fail_length(compiler, at);
        return;
    }
    compiler->code[compiler->length++] = (struct draft){.code = code, .argument = argument, .value = value};
}

static void emit_operand(struct compiler *compiler, int code, int argument, double value, size_t at)
{
    if (compiler->status)
        return;
    if (compiler->operands == EWI_FORMULA_STACK) {
        FAIL_AT(compiler, at, "more than %d intermediate values are in use; give a name to a part with a definition",
                EWI_FORMULA_STACK);
        return;
    }
    compiler->from_raster[compiler->operands] =
        code == EWI_PUSH_SLOT && compiler->scope->entry[argument]->has_raster;
    compiler->operand_start[compiler->operands++] = compiler->length;
    emit(compiler, code, argument, value, at);
}

static bool is_constant(const struct compiler *compiler, int operand)
{
    int start = compiler->operand_start[operand];
    int end = operand + 1 < compiler->operands ? compiler->operand_start[operand + 1] : compiler->length;
    return end - start == 1 && compiler->code[start].code == EWI_PUSH_CONSTANT;
}

static struct ewi_raster_use use_of(const struct draft *call)
{
    const ew_raster_data *raster = call->raster;
    const int32_t points[3] = {raster->columns, raster->rows, call->argument & TIMED ? raster->times : 0};
    struct ewi_raster_use use = {.axis = {raster->x, raster->y, raster->t},
                                 .values = raster->values,
                                 .points = {points[0], points[1], points[2]},
                                 .nearest = (call->argument & NEAREST) != 0,
                                 .clamps = (call->argument & CLAMPS) != 0};
    ewi_raster_cover(raster, &use);
    return use;
}

/* Replaces the program's last `count` constants and the operation after them by its result. */
static void fold(struct compiler *compiler, int count, size_t at)
{
    struct ewi_instruction code[5];
    struct ewi_raster_use use;
    double constant[3], result;
    struct draft *first = &compiler->code[compiler->length - 1 - count];
    for (int i = 0; i < count; ++i) {
        constant[i] = first[i].value;
        code[i] = (struct ewi_instruction){EWI_PUSH_CONSTANT, i};
    }
    bool raster = first[count].code == EWI_RASTER;
    if (raster)
        use = use_of(&first[count]);
    code[count] = (struct ewi_instruction){first[count].code, raster ? 0 : first[count].argument};
    code[count + 1] = (struct ewi_instruction){EWI_POP_OUTPUT, 0};
    ewi_program_evaluate(code, count + 2, constant, &use, 0.0, 0.0, 0.0, NULL, &result, 1);
    if (raster && result != result) {
        char why[LONGEST_REASON];
        ewi_raster_explain(first[count].raster, &use, constant, why, sizeof why);
        FAIL_AT(compiler, at, "%s", why);
        return;
    }
    *first = (struct draft){.code = EWI_PUSH_CONSTANT, .value = result};
    compiler->length -= count;
}

/* An operation that has been emitted takes the `count` topmost operands. */
static void take_operands(struct compiler *compiler, int count, size_t at)
{
    int first = compiler->operands - count;
    bool constant = true, *from_raster = compiler->from_raster;
    if (compiler->status)
        return;
    for (int i = first; i < compiler->operands; ++i) {
        int end = i + 1 < compiler->operands ? compiler->operand_start[i + 1] : compiler->length - 1;
        constant = constant && end - compiler->operand_start[i] == 1 &&
                   compiler->code[compiler->operand_start[i]].code == EWI_PUSH_CONSTANT;
        from_raster[first] = from_raster[first] || from_raster[i];
    }
    compiler->operands = first + 1;
    if (constant) {
        from_raster[first] = false;
        fold(compiler, count, at);
    }
}

/* The operation, or its strict twin if an operand comes from a raster. */
static int strict_if_needed(const struct compiler *compiler, int code, int count)
{
#define STRICT_TWIN(twin, ...) {EWI_##twin, EWI_STRICT_##twin},
#define NOTHING(decision)
    static const int twin[][2] = {EWI_COMPARISONS(STRICT_TWIN, , NOTHING){EWI_AND, EWI_STRICT_AND},
                                  {EWI_OR, EWI_STRICT_OR},
                                  {EWI_NOT, EWI_STRICT_NOT},
                                  {EWI_SIGN, EWI_STRICT_SIGN},
                                  {EWI_STEP, EWI_STRICT_STEP}};
#undef STRICT_TWIN
#undef NOTHING
    bool raster = false;
    for (int i = compiler->operands - count; i < compiler->operands; ++i)
        raster = raster || compiler->from_raster[i];
    for (size_t k = 0; raster && k < sizeof twin / sizeof *twin; k++)
        if (twin[k][0] == code)
            return twin[k][1];
    return code;
}

/* An operation on the `count` topmost operands. */
static void emit_operation(struct compiler *compiler, int code, int argument, int count, size_t at)
{
    if (compiler->status)
        return;
    emit(compiler, strict_if_needed(compiler, code, count), argument, 0.0, at);
    take_operands(compiler, count, at);
}

static void emit_raster(struct compiler *compiler, const struct pending *call)
{
    int timed = call->arguments > 2 ? TIMED : 0;
    emit(compiler, EWI_RASTER, call->reading | timed, 0.0, call->start);
    if (compiler->status)
        return;
    compiler->code[compiler->length - 1].raster = call->raster;
    take_operands(compiler, call->arguments, call->start);
    compiler->from_raster[compiler->operands - 1] = true;
}

/* a ? b : c; what a constant condition does not choose is left out, so that the formula does not depend on it. */
static void emit_choice(struct compiler *compiler, size_t at)
{
    int condition = compiler->operands - 3;
    if (compiler->status)
        return;
    if (!is_constant(compiler, condition)) {
        emit_operation(compiler, compiler->from_raster[condition] ? EWI_STRICT_SELECT : EWI_SELECT, 0, 3, at);
        return;
    }
    const int *start = compiler->operand_start + condition;
    bool first = compiler->code[start[0]].value != 0.0;
    int from = first ? start[1] : start[2], to = first ? start[2] : compiler->length;
    memmove(compiler->code + start[0], compiler->code + from, (size_t)(to - from) * sizeof compiler->code[0]);
    compiler->from_raster[condition] = compiler->from_raster[condition + (first ? 1 : 2)];
    compiler->length = start[0] + to - from;
    compiler->operands = condition + 1;
}

/* x^n: constant whole exponents up to 8 by multiplications, all others by pow. */
static void emit_power(struct compiler *compiler, size_t at)
{
    if (compiler->status)
        return;
    if (is_constant(compiler, compiler->operands - 1)) {
        double exponent = compiler->code[compiler->length - 1].value;
        if (ewi_fabs(exponent) <= LARGEST_WHOLE_POWER && exponent == (double)(int)exponent) {
            --compiler->length;
            --compiler->operands;
            emit_operation(compiler, EWI_INTEGER_POWER, (int)exponent, 1, at);
            return;
        }
    }
    emit_operation(compiler, EWI_RAISE, 0, 2, at);
}

static void push_pending(struct compiler *compiler, struct pending pending)
{
    if (compiler->status)
        return;
    if (compiler->pendings == MOST_PENDING)
        FAIL_AT(compiler, pending.start, "parentheses and operators are nested more than %d deep", MOST_PENDING);
    else
        compiler->pending[compiler->pendings++] = pending;
}

/* Emits the operators on top of the stack that bind at least as tightly as `precedence`, up to a parenthesis or "?". */
static void reduce(struct compiler *compiler, int precedence)
{
    while (!compiler->status && compiler->pendings > 0) {
        const struct pending *top = &compiler->pending[compiler->pendings - 1];
        if (top->precedence < precedence || top->precedence == OPEN || top->half)
            return;
        if (top->precedence == CHOICE)
            emit_choice(compiler, top->start);
        else if (top->precedence == EXPONENT)
            emit_power(compiler, top->start);
        else
            emit_operation(compiler, top->code, 0, top->precedence == PREFIX ? 1 : 2, top->start);
        --compiler->pendings;
    }
}

/* Reports the error if `top`, an OPEN or half a CHOICE, remains at the end of its expression. */
static void fail_unclosed(struct compiler *compiler, const struct pending *top)
{
    if (top->precedence == OPEN)
        FAIL_AT(compiler, top->start + top->length - 1, "%s", "\"(\" has no \")\"");
    else
        FAIL_AT(compiler, top->start, "%s", "\"?\" has no \":\"; write condition ? value : other value");
}

enum { LONGEST_HINT = 160 };

/* The end of a sentence about so much of the text, in a place of ewi_hints.h; empty if nothing is known about it. */
static const char *hint_at(const struct compiler *compiler, const char *place, size_t start, size_t length,
                           char text[LONGEST_HINT])
{
    char word[LONGEST_NAME + 1];
    ewi_snprintf(word, sizeof word, "%.*s", shown(length), compiler->text + start);
    const struct ewi_hint *hint = ewi_hint_find(place, NULL, word);
    return hint ? ewi_hint_text(hint, text, LONGEST_HINT) : "";
}

static void fail_unknown_name(struct compiler *compiler, struct token token)
{
    const char *candidates[MOST_NAMES + FUNCTIONS + RESERVED];
    size_t count = 0;
    for (int i = 0; compiler->scope && i < compiler->scope->count; ++i)
        candidates[count++] = compiler->scope->entry[i]->name;
    for (int i = 0; i < RESERVED; ++i)
        candidates[count++] = reserved[i].name;
    for (int i = 0; i < FUNCTIONS; ++i)
        candidates[count++] = functions[i].name;
    char name[LONGEST_NAME + 1];
    ewi_snprintf(name, sizeof name, "%.*s", shown(token.length), compiler->text + token.start);
    char text[LONGEST_HINT];
    const char *hint = hint_at(compiler, "formula", token.start, token.length, text);
    const char *nearest = token.length > LONGEST_NAME || hint[0] ? NULL : ewi_nearest(name, candidates, count);
    if (ewi_is_not_finite(name, strlen(name)))
        FAIL_AT(compiler, token.start, "a finite number must be here, not \"%s\"", name);
    else if (nearest)
        FAIL_AT(compiler, token.start, "unknown name \"%s\"; did you mean \"%s\"?", name, nearest);
    else
        FAIL_AT(compiler, token.start, "unknown name \"%s\"%s", name, hint);
}

/* ---- raster('FILE', 'VARIABLE', x, y, t, options) ---- */

#define RASTER_EXAMPLE "raster('dem.nc', 'z', x, y)"

/* Reports a text that has no closing quote; false: the token is not one. */
static bool fail_open_text(struct compiler *compiler, struct token token)
{
    if (token.kind != TOKEN_STRAY || compiler->text[token.start] != '\'')
        return false;
    FAIL_AT(compiler, token.start, "%s", "the text that begins here has no closing quote; write " RASTER_EXAMPLE);
    return true;
}

/* Copies a text without its quotes; false: it is empty or too long, which is reported. */
static bool take_text(struct compiler *compiler, struct token token, char text[LONGEST_TEXT + 1])
{
    size_t length = token.length - 2;
    if (length > 0 && length <= LONGEST_TEXT) {
        memcpy(text, compiler->text + token.start + 1, length);
        text[length] = '\0';
        return true;
    }
    if (length == 0)
        FAIL_AT(compiler, token.start, "%s", "a text of raster is empty; write " RASTER_EXAMPLE);
    else
        FAIL_AT(compiler, token.start, "a text of raster is too long; it has %zu bytes of at most %d", length,
                LONGEST_TEXT);
    return false;
}

/* Requires a comma after a text. */
static bool take_comma(struct compiler *compiler, size_t *at)
{
    struct token token = next_token(compiler->text, *at);
    if (token.kind == TOKEN_SIGN && compiler->text[token.start] == ',') {
        *at = token.start + 1;
        return true;
    }
    if (!fail_open_text(compiler, token))
        FAIL_AT(compiler, token.start, "%s", "a comma and the coordinates must follow the texts: " RASTER_EXAMPLE);
    return false;
}

static bool is_raster(const struct named_raster *raster, const char *file, const char *variable)
{
    return strcmp(raster->file, file) == 0 &&
           (variable && raster->variable ? strcmp(raster->variable, variable) == 0 : variable == raster->variable);
}

/* Returns the raster, or NULL after reporting the error. */
static const ew_raster_data *find_raster(struct compiler *compiler, const char *file, const char *variable, size_t at)
{
    const ew_scope *scope = compiler->scope;
    const ew_raster_data *raster = NULL;
    ew_error error = {0};
    for (const struct named_raster *named = scope ? scope->raster : NULL; named; named = named->next)
        if (is_raster(named, file, variable))
            return named->raster;
    if (!scope || !scope->find) {
        FAIL_AT(compiler, at, "there is no raster '%s'%s%s%s here", file, variable ? " with a variable '" : "",
                variable ? variable : "", variable ? "'" : "");
        return NULL;
    }
    int status = scope->find(scope->find_context, file, variable, &raster, &error);
    if (status == EW_OK)
        status = ewi_raster_check(raster, &error);
    if (status == EW_ENOMEM)
        compiler->status = ewi_fail(compiler->error, status, "%s", error.message);
    else if (status != EW_OK)
        FAIL_AT(compiler, at, "%s", error.message);
    return status == EW_OK ? raster : NULL;
}

/* The texts after "raster(", which *at follows. */
static const ew_raster_data *compile_raster(struct compiler *compiler, size_t *at)
{
    char file[LONGEST_TEXT + 1], variable[LONGEST_TEXT + 1];
    struct token token = next_token(compiler->text, *at), second;
    if (token.kind != TOKEN_TEXT) {
        if (!fail_open_text(compiler, token))
            FAIL_AT(compiler, token.start, "%s", "raster needs the name of a file, in single quotes: " RASTER_EXAMPLE);
        return NULL;
    }
    *at = token.start + token.length;
    if (!take_text(compiler, token, file) || !take_comma(compiler, at))
        return NULL;
    second = next_token(compiler->text, *at);
    if (fail_open_text(compiler, second))
        return NULL;
    if (second.kind != TOKEN_TEXT)
        return find_raster(compiler, file, NULL, token.start);
    *at = second.start + second.length;
    if (!take_text(compiler, second, variable) || !take_comma(compiler, at))
        return NULL;
    return find_raster(compiler, file, variable, token.start);
}

/* Parses a text in place of an operand: an option of raster(...). */
static void compile_option(struct compiler *compiler, struct token token)
{
    static const struct {
        const char *word;
        int reading;
    } options[] = {{"bilinear", BILINEAR}, {"nearest", NEAREST}, {"clamp", CLAMPS}};
    struct pending *top = compiler->pendings ? &compiler->pending[compiler->pendings - 1] : NULL;
    char word[LONGEST_TEXT + 1];
    if (!top || top->precedence != OPEN || !top->raster || top->arguments < 2) {
        FAIL_AT(compiler, token.start, "the text %.*s stands where a number, a name or \"(\" should",
                shown(token.length), compiler->text + token.start);
        return;
    }
    if (!take_text(compiler, token, word))
        return;
    top->option = true;
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        if (strcmp(options[k].word, word) == 0) {
            top->reading |= options[k].reading;
            if ((top->reading & NEAREST) && (top->reading & BILINEAR))
                FAIL_AT(compiler, token.start, "raster is to be both '%s' and '%s'; leave one out", "nearest",
                        "bilinear");
            return;
        }
    FAIL_AT(compiler, token.start, "raster cannot be '%.*s'; it can be 'bilinear' or 'nearest', and 'clamp'",
            LONGEST_NAME, word);
}

/* Closes an argument of raster(...). */
static void end_raster_argument(struct compiler *compiler, struct pending *top, bool comma)
{
    int most = top->raster->times > 0 ? 3 : 2, least = top->raster->times > 1 ? 3 : 2;
    if (!top->option && top->has_options)
        FAIL_AT(compiler, top->start, "%s", "the coordinates of raster come before its options");
    else if (!top->option && ++top->arguments > most)
        FAIL_AT(compiler, top->start, "%s has no times: raster takes x and y after its texts, and then options",
                top->raster->name ? top->raster->name : "this raster");
    top->has_options = top->has_options || top->option;
    top->option = false;
    if (comma || compiler->status)
        return;
    if (top->arguments < least)
        FAIL_AT(compiler, top->start, "raster takes %s after its texts%s",
                least == 2 ? "x and y" : "x, y and t", least == 2 ? "" : ", because the raster depends on time");
    else
        emit_raster(compiler, top);
}

/*
 * A name where an operand is expected. Returns true if it opened a function's arguments; *at moves behind what is read.
 */
static bool compile_name(struct compiler *compiler, struct token token, size_t *at)
{
    const char *name = compiler->text + token.start;
    struct token after = next_token(compiler->text, *at);
    bool call = after.kind == TOKEN_SIGN && compiler->text[after.start] == '(';
    int function = function_find(name, token.length);
    int entry = scope_find(compiler->scope, name, token.length);
    int special = reserved_find(name, token.length);
    if (function >= 0) {
        if (!call) {
            FAIL_AT(compiler, token.start, "\"%s\" is a function; its argument%s in parentheses must follow",
                    functions[function].name, functions[function].arguments > 1 ? "s" : "");
            return false;
        }
        *at = after.start + 1;
        const ew_raster_data *raster = functions[function].code == EWI_RASTER ? compile_raster(compiler, at) : NULL;
        push_pending(compiler, (struct pending){.precedence = OPEN,
                                                .function = function,
                                                .raster = raster,
                                                .start = token.start,
                                                .length = after.start + 1 - token.start});
        return true;
    }
    if (entry < 0 && special < 0)
        fail_unknown_name(compiler, token);
    else if (call)
        FAIL_AT(compiler, token.start, "\"%.*s\" is not a function; to multiply, write \"*\" before \"(\"",
                shown(token.length), name);
    else if (special >= 0 && token.length == 2)
        emit_operand(compiler, EWI_PUSH_CONSTANT, 0, 0x1.921fb54442d18p+1, token.start);
    else if (special >= 0)
        emit_operand(compiler, EWI_PUSH_VARIABLE, *name == 'x' ? EW_X : *name == 'y' ? EW_Y : EW_T, 0.0, token.start);
    else if (compiler->scope->entry[entry]->variable)
        emit_operand(compiler, EWI_PUSH_VARIABLE, compiler->scope->entry[entry]->variable, 0.0, token.start);
    else if (!compiler->scope->entry[entry]->code)
        emit_operand(compiler, EWI_PUSH_CONSTANT, 0, compiler->scope->entry[entry]->value, token.start);
    else
        emit_operand(compiler, EWI_PUSH_SLOT, entry, 0.0, token.start);
    return false;
}

static void compile_number(struct compiler *compiler, struct token token)
{
    const char *end = compiler->text + token.start + token.length;
    if (*end == '.' || ((*end == 'e' || *end == 'E') && !is_letter(end[1]))) {
        size_t length = token.length;
        while (is_letter(compiler->text[token.start + length]) || ewi_is_digit(compiler->text[token.start + length]) ||
               compiler->text[token.start + length] == '.')
            ++length;
        FAIL_AT(compiler, token.start, "\"%.*s\" is not a number", shown(length), compiler->text + token.start);
    } else if (token.value == ewi_infinity()) {
        FAIL_AT(compiler, token.start, "the number \"%.*s\" is too large", shown(token.length),
                compiler->text + token.start);
    } else {
        emit_operand(compiler, EWI_PUSH_CONSTANT, 0, token.value, token.start);
    }
}

static void fail_stray(struct compiler *compiler, struct token token)
{
    const char *c = compiler->text + token.start;
    char text[LONGEST_HINT];
    if (fail_open_text(compiler, token))
        return;
    if (token.length > 1 || (*c >= ' ' && *c <= '~'))
        FAIL_AT(compiler, token.start, "\"%.*s\" has no meaning in a formula%s", (int)token.length, c,
                hint_at(compiler, "sign", token.start, token.length, text));
    else
        FAIL_AT(compiler, token.start, "the byte 0x%02x has no meaning in a formula", (unsigned)(unsigned char)*c);
}

static void fail_no_operand(struct compiler *compiler, struct token token)
{
    char text[LONGEST_HINT];
    const char *pair = token.start > 0 ? hint_at(compiler, "sign", token.start - 1, 2, text) : "";
    if (token.kind == TOKEN_END)
        FAIL_AT(compiler, token.start, "%s", "the formula ends where a number, a name or \"(\" should follow");
    else if (token.length == 1 && pair[0])
        FAIL_AT(compiler, token.start - 1, "\"%.2s\" is no operator%s", compiler->text + token.start - 1, pair);
    else
        FAIL_AT(compiler, token.start, "\"%.*s\" stands where a number, a name or \"(\" should", (int)token.length,
                compiler->text + token.start);
}

/* The operand state: a number, a name, "(", or a prefix. Returns true if an operand is complete. */
static bool compile_operand(struct compiler *compiler, struct token token, size_t *at)
{
    char sign = compiler->text[token.start];
    if (token.kind == TOKEN_NUMBER) {
        compile_number(compiler, token);
        return true;
    }
    if (token.kind == TOKEN_NAME)
        return !compile_name(compiler, token, at);
    if (token.kind == TOKEN_TEXT) {
        compile_option(compiler, token);
        return true;
    }
    if (token.kind == TOKEN_STRAY)
        fail_stray(compiler, token);
    else if (token.length == 1 && sign == '(')
        push_pending(compiler, (struct pending){.precedence = OPEN, .function = -1, .start = token.start, .length = 1});
    else if (token.length == 1 && (sign == '-' || sign == '!'))
        push_pending(compiler, (struct pending){.precedence = PREFIX,
                                                .code = sign == '-' ? EWI_NEGATE : EWI_NOT,
                                                .start = token.start,
                                                .length = 1});
    else if (!(token.length == 1 && sign == '+'))
        fail_no_operand(compiler, token);
    return false;
}

/* A comma or ")": the innermost parenthesis has one argument more. */
static void compile_argument_end(struct compiler *compiler, struct token token)
{
    bool comma = compiler->text[token.start] == ',';
    reduce(compiler, CHOICE);
    if (compiler->status)
        return;
    struct pending *top = compiler->pendings ? &compiler->pending[compiler->pendings - 1] : NULL;
    if (top && top->half) {
        fail_unclosed(compiler, top);
        return;
    }
    if (!top && !comma) {
        FAIL_AT(compiler, token.start, "%s", "\")\" has no \"(\"");
        return;
    }
    if (comma && (!top || top->function < 0)) {
        FAIL_AT(compiler, token.start, "%s", "\",\" stands outside a function's arguments");
        return;
    }
    if (top->raster) {
        end_raster_argument(compiler, top, comma);
    } else if (top->function >= 0) {
        const struct function *function = &functions[top->function];
        ++top->arguments;
        if (function->more) {
            if (top->arguments > 1)
                emit_operation(compiler, function->code, 0, 2, top->start);
            if (!comma && top->arguments < 2)
                FAIL_AT(compiler, top->start, "\"%s\" takes 2 or more arguments, not 1", function->name);
        } else if (!comma && top->arguments != function->arguments) {
            FAIL_AT(compiler, top->start, "\"%s\" takes %d argument%s, not %d", function->name, function->arguments,
                    function->arguments > 1 ? "s" : "", top->arguments);
        } else if (!comma) {
            emit_operation(compiler, function->code, 0, function->arguments, top->start);
        }
    }
    if (!comma)
        --compiler->pendings;
}

/* ":" completes the innermost "?". */
static void compile_otherwise(struct compiler *compiler, struct token token)
{
    reduce(compiler, CHOICE);
    if (compiler->status)
        return;
    struct pending *top = compiler->pendings ? &compiler->pending[compiler->pendings - 1] : NULL;
    if (!top || !top->half)
        FAIL_AT(compiler, token.start, "%s", "\":\" has no \"?\"");
    else
        top->half = false;
}

static const struct {
    const char *sign;
    int precedence, code;
} operators[] = {
    {"||", EITHER, EWI_OR},        {"&&", BOTH, EWI_AND},         {"==", EQUALITY, EWI_EQUAL},
    {"!=", EQUALITY, EWI_NOT_EQUAL}, {"<", ORDER, EWI_LESS},        {"<=", ORDER, EWI_LESS_EQUAL},
    {">", ORDER, EWI_GREATER},     {">=", ORDER, EWI_GREATER_EQUAL}, {"+", SUM, EWI_ADD},
    {"-", SUM, EWI_SUBTRACT},      {"*", PRODUCT, EWI_MULTIPLY},  {"/", PRODUCT, EWI_DIVIDE},
    {"^", EXPONENT, EWI_RAISE},
};

static void fail_no_operator(struct compiler *compiler, struct token token)
{
    char text[LONGEST_HINT];
    const char *word = compiler->text + token.start, *hint = hint_at(compiler, "sign", token.start, token.length, text);
    if (hint[0])
        FAIL_AT(compiler, token.start, "\"%.*s\" is no operator%s", shown(token.length), word, hint);
    else
        FAIL_AT(compiler, token.start, "an operator is missing before \"%.*s\"%s", shown(token.length), word,
                *word == '!' ? "" : "; to multiply, write \"*\"");
}

static void compile_binary(struct compiler *compiler, struct token token)
{
    const char *sign = compiler->text + token.start;
    size_t i = 0, count = sizeof operators / sizeof operators[0];
    while (i < count &&
           (strlen(operators[i].sign) != token.length || memcmp(operators[i].sign, sign, token.length) != 0))
        ++i;
    if (i == count) {
        fail_no_operator(compiler, token);
        return;
    }
    int precedence = operators[i].precedence;
    /* powers associate to the right: those that wait stay; comparisons do not associate */
    reduce(compiler,
           precedence == EXPONENT || precedence == EQUALITY || precedence == ORDER ? precedence + 1 : precedence);
    if ((precedence == EQUALITY || precedence == ORDER) && !compiler->status && compiler->pendings > 0 &&
        compiler->pending[compiler->pendings - 1].precedence == precedence) {
        FAIL_AT(compiler, token.start, "%s", "comparisons do not chain; write a < b && b < c, or use parentheses");
        return;
    }
    reduce(compiler, precedence == EXPONENT ? precedence + 1 : precedence);
    push_pending(compiler, (struct pending){.precedence = precedence,
                                            .code = operators[i].code,
                                            .start = token.start,
                                            .length = token.length});
}

static bool follows_option(const struct compiler *compiler)
{
    return compiler->pendings > 0 && compiler->pending[compiler->pendings - 1].option;
}

/* Returns whether more operands are expected after the token, which follows a complete operand. */
static bool compile_operator(struct compiler *compiler, struct token token)
{
    char sign = compiler->text[token.start];
    if (token.kind == TOKEN_STRAY) {
        fail_stray(compiler, token);
        return false;
    }
    if (token.kind == TOKEN_SIGN && token.length == 1 && (sign == ',' || sign == ')')) {
        compile_argument_end(compiler, token);
        return sign == ',';
    }
    if (follows_option(compiler)) {
        FAIL_AT(compiler, token.start, "\"%.*s\" stands after an option of raster, where \",\" or \")\" should",
                shown(token.length), compiler->text + token.start);
        return false;
    }
    if (token.kind == TOKEN_SIGN && token.length == 1 && sign == ':') {
        compile_otherwise(compiler, token);
        return true;
    }
    if (token.kind == TOKEN_SIGN && token.length == 1 && sign == '?') {
        reduce(compiler, EITHER); /* associates to the right */
        push_pending(compiler, (struct pending){.precedence = CHOICE, .half = true, .start = token.start, .length = 1});
        return true;
    }
    compile_binary(compiler, token);
    return true;
}

/* Appends the code of a text, which leaves one operand. */
static void compile_text(struct compiler *compiler, const char *text)
{
    compiler->text = text;
    compiler->operands = 0;
    compiler->pendings = 0;
    bool operand_complete = false;
    size_t at = 0;
    if (next_token(text, 0).kind == TOKEN_END) {
        compiler->status = ewi_fail(compiler->error, EW_EFORMULA, "%scolumn 1: the formula is empty", compiler->place);
        return;
    }
    for (;;) {
        struct token token = next_token(text, at);
        at = token.start + token.length;
        if (token.kind == TOKEN_END && operand_complete)
            break;
        operand_complete = operand_complete ? !compile_operator(compiler, token)
                                            : compile_operand(compiler, token, &at);
        if (compiler->status)
            return;
    }
    reduce(compiler, CHOICE);
    if (!compiler->status && compiler->pendings > 0)
        fail_unclosed(compiler, &compiler->pending[compiler->pendings - 1]);
}

/* ---- the linker -------------------------------------------------------------------------------------------------- */

static void mark_needed(struct compiler *compiler, const struct draft *code, int length)
{
    for (int i = 0; i < length; ++i)
        if (code[i].code == EWI_PUSH_SLOT)
            compiler->needed[code[i].argument] = true;
}

/* Gives slots to the definitions in use. Returns how many steps they have, or -1: there are too many definitions. */
static int number_slots(struct compiler *compiler)
{
    const ew_scope *scope = compiler->scope;
    int slots = 0, steps = 0;
    for (int i = 0; scope && i < scope->count; ++i) {
        if (!compiler->needed[i])
            continue;
        if (slots == EWI_FORMULA_SLOTS) {
            FAIL_AT(compiler, 0, "more than %d definitions are in use by the formulas (the last one is \"%s\")",
                    EWI_FORMULA_SLOTS, scope->entry[i]->name);
            return -1;
        }
        compiler->slot[i] = slots++;
        steps += scope->entry[i]->length + 1;
    }
    return steps;
}

/* Puts the definitions in use, also by one another, in front of the code. */
static void link_definitions(struct compiler *compiler)
{
    const ew_scope *scope = compiler->scope;
    mark_needed(compiler, compiler->code, compiler->length);
    for (int i = scope ? scope->count - 1 : -1; i >= 0; --i)
        if (compiler->needed[i])
            mark_needed(compiler, scope->entry[i]->code, scope->entry[i]->length);
    int steps = number_slots(compiler), at = 0;
    if (steps < 0)
        return;
    if (steps + compiler->length > EWI_FORMULA_CODE) {
        fail_length(compiler, 0);
        return;
    }
    memmove(compiler->code + steps, compiler->code, (size_t)compiler->length * sizeof *compiler->code);
    compiler->length += steps;
    for (int i = 0; scope && i < scope->count; ++i) {
        if (!compiler->needed[i])
            continue;
        memcpy(compiler->code + at, scope->entry[i]->code, (size_t)scope->entry[i]->length * sizeof *compiler->code);
        at += scope->entry[i]->length;
        compiler->code[at++] = (struct draft){.code = EWI_POP_SLOT, .argument = i};
    }
    for (int i = 0; i < compiler->length; ++i)
        if (compiler->code[i].code == EWI_PUSH_SLOT || compiler->code[i].code == EWI_POP_SLOT)
            compiler->code[i].argument = compiler->slot[compiler->code[i].argument];
}

static void compile_all(struct compiler *compiler, int outputs, const char *const *texts)
{
    for (int k = 0; k < outputs && !compiler->status; ++k) {
        if (outputs > 1)
            ewi_snprintf(compiler->place, sizeof compiler->place, "formula %d, ", k + 1);
        compile_text(compiler, texts[k]);
        emit(compiler, EWI_POP_OUTPUT, k, 0.0, 0);
    }
    if (!compiler->status)
        link_definitions(compiler);
}

static int make_compiler(const ew_host *host, const ew_scope *scope, struct compiler **compiler, ew_error *error)
{
    *compiler = ewi_alloc(host, 1, sizeof **compiler);
    if (!*compiler)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to compile a formula");
    (*compiler)->scope = scope;
    (*compiler)->error = error;
    return EW_OK;
}

static int check_length(const char *text, const char *place, ew_error *error)
{
    size_t length = strlen(text);
    if (length > EWI_FORMULA_TEXT)
        return ewi_fail(error, EW_EFORMULA, "%scolumn %d: the formula is too long; it has %zu bytes of at most %d",
                        place, EWI_FORMULA_TEXT + 1, length, EWI_FORMULA_TEXT);
    return EW_OK;
}

/* ---- scopes: what can be added ----------------------------------------------------------------------------------- */

static int check_name(const ew_scope *scope, const char *name, ew_error *error)
{
    size_t length = strlen(name);
    if (length == 0)
        return ewi_fail(error, EW_EFORMULA, "a name in formulas must not be empty");
    for (size_t i = 0; i < length; ++i)
        if (!is_letter(name[i]) && (i == 0 || !ewi_is_digit(name[i])))
            return ewi_fail(error, EW_EFORMULA,
                            "\"%.*s\" cannot be a name in formulas: a name has letters, digits and \"_\" "
                            "and does not start with a digit",
                            shown(length), name);
    if (length > LONGEST_NAME)
        return ewi_fail(error, EW_EFORMULA, "the name \"%.*s...\" is too long; it has %zu characters of at most %d", 20,
                        name, length, LONGEST_NAME);
    int special = reserved_find(name, length);
    if (special >= 0)
        return ewi_fail(error, EW_EFORMULA, "the name \"%s\" is taken: it is %s; choose another one", name,
                        reserved[special].meaning);
    if (function_find(name, length) >= 0)
        return ewi_fail(error, EW_EFORMULA, "the name \"%s\" is taken: it is a function; choose another one", name);
    if (scope_find(scope, name, length) >= 0)
        return ewi_fail(error, EW_EFORMULA, "the name \"%s\" is defined twice", name);
    return EW_OK;
}

/* Adds a copy of `added`, without its name. */
static int scope_add(ew_scope *scope, const char *name, const struct entry *added, ew_error *error)
{
    const struct draft *code = added->code;
    size_t bytes = (size_t)added->length * sizeof *code;
    if (scope->count == MOST_NAMES)
        return ewi_fail(error, EW_EFORMULA, "\"%s\" is one name too many: formulas may use %d", name, MOST_NAMES);
    struct entry *entry = ewi_alloc(&scope->host, 1, sizeof *entry + bytes);
    if (!entry)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the name \"%s\"", name);
    *entry = *added;
    entry->code = code ? (struct draft *)(entry + 1) : NULL;
    ewi_snprintf(entry->name, sizeof entry->name, "%s", name);
    if (code)
        memcpy(entry->code, code, bytes);
    int place = scope_place(scope, name, strlen(name));
    memmove(scope->by_name + place + 1, scope->by_name + place,
            (size_t)(scope->count - place) * sizeof *scope->by_name);
    scope->by_name[place] = scope->count;
    scope->entry[scope->count++] = entry;
    return EW_OK;
}

int ew_scope_set(ew_scope *scope, const char *name, double value, ew_error *error)
{
    if (!scope || !name)
        return ewi_fail(error, EW_EINVAL, "ew_scope_set needs a scope and a name");
    int status = check_name(scope, name, error);
    return status ? status : scope_add(scope, name, &(struct entry){.value = value}, error);
}

/* That the definition can be in a program is found here and not where it is used. */
int ew_scope_define(ew_scope *scope, const char *name, const char *text, ew_error *error)
{
    if (!scope || !name || !text)
        return ewi_fail(error, EW_EINVAL, "ew_scope_define needs a scope, a name and a text");
    struct compiler *compiler = NULL, *linked = NULL;
    int status;
    EWI_TRY(check_name(scope, name, error));
    EWI_TRY(check_length(text, "", error));
    EWI_TRY(make_compiler(&scope->host, scope, &compiler, error));
    compile_text(compiler, text);
    EWI_TRY(compiler->status);
    if (is_constant(compiler, 0)) {
        EWI_TRY(scope_add(scope, name, &(struct entry){.value = compiler->code[0].value}, error));
    } else {
        EWI_TRY(make_compiler(&scope->host, scope, &linked, error));
        compile_all(linked, 1, &text);
        EWI_TRY(linked->status);
        EWI_TRY(scope_add(scope, name,
                          &(struct entry){.code = compiler->code, .length = compiler->length,
                                                     .has_raster = compiler->from_raster[0]}, error));
    }
out:
    ewi_free(&scope->host, linked);
    ewi_free(&scope->host, compiler);
    return status;
}

int ew_scope_add_raster(ew_scope *scope, const char *file, const char *variable, const ew_raster_data *raster,
                        ew_error *error)
{
    EWI_REQUIRE(scope, file, raster);
    size_t length = strlen(file), variable_length = variable ? strlen(variable) : 0;
    if (length == 0 || length > LONGEST_TEXT || variable_length > LONGEST_TEXT || (variable && variable_length == 0) ||
        strchr(file, '\'') || (variable && strchr(variable, '\'')))
        return ewi_fail(error, EW_EINVAL, "the names of a raster have 1 to %d bytes and no single quote", LONGEST_TEXT);
    for (const struct named_raster *other = scope->raster; other; other = other->next)
        if (is_raster(other, file, variable))
            return ewi_fail(error, EW_EINVAL, "the raster '%s' has been added before", file);
    TRY(ewi_raster_check(raster, error));
    struct named_raster *named = ewi_alloc(&scope->host, 1, sizeof *named + length + variable_length + 2);
    if (!named)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the name \"%s\"", file);
    *named = (struct named_raster){scope->raster, raster, variable ? named->file + length + 1 : NULL};
    memcpy(named->file, file, length + 1);
    if (variable)
        memcpy(named->file + length + 1, variable, variable_length + 1);
    scope->raster = named;
    return EW_OK;
}

int ew_scope_find_rasters(ew_scope *scope, ew_raster_finder find, void *context, ew_error *error)
{
    EWI_REQUIRE(scope);
    scope->find = find;
    scope->find_context = context;
    return EW_OK;
}

static int copy_rasters(const ew_scope *scope, ew_scope *copy, ew_error *error)
{
    copy->find = scope->find;
    copy->find_context = scope->find_context;
    for (const struct named_raster *named = scope->raster; named; named = named->next)
        TRY(ew_scope_add_raster(copy, named->file, named->variable, named->raster, error));
    return EW_OK;
}

/* Formulas cannot use variables whose names are NULL. */
static int add_state(ew_scope *scope, int variables, const char *const *name, ew_error *error)
{
    for (int m = 0; m < variables; m++) {
        int status = name[m] ? check_name(scope, name[m], error) : EW_OK;
        if (status == EW_OK && name[m])
            status = scope_add(scope, name[m], &(struct entry){.variable = EW_STATE + m}, error);
        if (status != EW_OK)
            return status;
    }
    return EW_OK;
}

/* A state's bed, the projected one, replaces the formula from which it was made. */
static bool is_replaced(const char *defined, int variables, const char *const *name)
{
    bool has_bed = false;
    for (int m = 0; m < variables; m++)
        has_bed = has_bed || (name[m] && strcmp(name[m], "bed") == 0);
    return has_bed && strcmp(defined, "bed") == 0;
}

static int extend(const ew_scope *scope, int variables, const char *const *name, ew_scope **result, ew_error *error)
{
    ew_scope *made = NULL;
    int status;
    EWI_TRY(ew_scope_create(&scope->host, &made, error));
    for (int i = 0; i < scope->count; i++)
        if (!is_replaced(scope->entry[i]->name, variables, name))
            EWI_TRY(scope_add(made, scope->entry[i]->name, scope->entry[i], error));
    EWI_TRY(copy_rasters(scope, made, error));
    EWI_TRY(add_state(made, variables, name, error));
    *result = made;
    made = NULL;
out:
    ew_scope_destroy(made);
    return status;
}

int ew_scope_with_state(const ew_scope *scope, int variables, const char *const *name, ew_scope **result,
                        ew_error *error)
{
    if (!scope || !result)
        return ewi_fail(error, EW_EINVAL, "ew_scope_with_state needs a scope and a place for the new one");
    *result = NULL;
    if (variables < 1 || variables > EW_MAX_VARIABLES)
        return ewi_fail(error, EW_EINVAL, "a state has 1 to %d variables, not %d", EW_MAX_VARIABLES, variables);
    if (!name)
        return ewi_fail(error, EW_EINVAL, "the variables of a state need names");
    for (int m = 0; m < variables; m++)
        if (!name[m])
            return ewi_fail(error, EW_EINVAL, "variable %d of the state has no name", m + 1);
    return extend(scope, variables, name, result, error);
}

/* "limiter", the last one, is no function of the place alone. */
int ew_scope_with_outputs(const ew_scope *scope, const ew_law *law, ew_scope **result, ew_error *error)
{
    const char *name[EW_MAX_OUTPUTS], *next;
    int count = 0;
    if (!scope || !law || !result)
        return ewi_fail(error, EW_EINVAL, "ew_scope_with_outputs needs a scope, a law and a place for the new one");
    *result = NULL;
    for (; ew_law_output(law, count + 1, NULL) && (next = ew_law_output(law, count, NULL)); count++)
        name[count] = count >= law->variables && scope_find(scope, next, strlen(next)) >= 0 ? NULL : next;
    return extend(scope, count, name, result, error);
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

struct ew_formula {
    ew_host host;
    struct ewi_program program; /* its arrays follow this struct in the same piece of memory */
    const ew_raster_data **raster; /* [program.rasters], likewise */
};

/* Numbers the calls of raster(...) that differ; too many are reported. */
static int pool_rasters(struct compiler *compiler, struct draft call[EWI_FORMULA_RASTERS])
{
    int count = 0;
    for (int i = 0; i < compiler->length && !compiler->status; ++i) {
        struct draft *instruction = &compiler->code[i];
        if (instruction->code != EWI_RASTER)
            continue;
        int k = 0;
        while (k < count && (call[k].raster != instruction->raster || call[k].argument != instruction->argument))
            ++k;
        if (k == EWI_FORMULA_RASTERS)
            FAIL_AT(compiler, 0, "the formulas have more than %d different calls of raster", EWI_FORMULA_RASTERS);
        else if (k == count)
            call[count++] = *instruction;
        instruction->argument = k;
    }
    return count;
}

/* Numbers the constants that have different bits; value[] must have room for them all. */
static int pool_constants(struct compiler *compiler, double *value)
{
    int count = 0;
    for (int i = 0; i < compiler->length; ++i) {
        struct draft *instruction = &compiler->code[i];
        if (instruction->code != EWI_PUSH_CONSTANT)
            continue;
        int k = 0;
        while (k < count && ewi_to_bits(value[k]) != ewi_to_bits(instruction->value))
            ++k;
        if (k == count)
            value[count++] = instruction->value;
        instruction->argument = k;
    }
    return count;
}

static void fill_rasters(ew_formula *formula, int count, const struct draft *call, struct ewi_raster_use *use,
                         const ew_raster_data **raster)
{
    formula->raster = raster;
    for (int k = 0; k < count; ++k) {
        raster[k] = call[k].raster;
        use[k] = use_of(&call[k]);
    }
}

static int make_formula(const ew_host *host, struct compiler *compiler, int outputs, ew_formula **result)
{
    double value[EWI_FORMULA_CODE];
    struct draft call[EWI_FORMULA_RASTERS];
    int constants = pool_constants(compiler, value), rasters = pool_rasters(compiler, call);
    size_t length = (size_t)compiler->length;
    size_t bytes = sizeof(ew_formula) + (size_t)constants * sizeof(double) +
                   (size_t)rasters * (sizeof(struct ewi_raster_use) + sizeof(ew_raster_data *)) +
                   length * sizeof(struct ewi_instruction);
    TRY(compiler->status);
    ew_formula *formula = *result = ewi_alloc(host, 1, bytes);
    if (!formula)
        return ewi_fail(compiler->error, EW_ENOMEM, "not enough memory for a formula of %d steps", compiler->length);
    double *constant = (double *)(formula + 1);
    struct ewi_raster_use *use = (struct ewi_raster_use *)(constant + constants);
    const ew_raster_data **raster = (const ew_raster_data **)(use + rasters);
    struct ewi_instruction *code = (struct ewi_instruction *)(raster + rasters);
    if (constants)
        memcpy(constant, value, (size_t)constants * sizeof *constant);
    fill_rasters(formula, rasters, call, use, raster);
    int32_t variables = 0, states = 0;
    for (size_t i = 0; i < length; ++i) {
        code[i] = (struct ewi_instruction){compiler->code[i].code, compiler->code[i].argument};
        bool is_variable = code[i].code == EWI_PUSH_VARIABLE, is_state = is_variable && code[i].argument >= EW_STATE;
        if (is_variable)
            variables |= is_state ? EW_STATE : code[i].argument;
        if (is_state && code[i].argument - EW_STATE >= states)
            states = code[i].argument - EW_STATE + 1;
    }
    formula->host = *host;
    formula->program = (struct ewi_program){.code = code,
                                            .constant = constant,
                                            .raster = use,
                                            .length = compiler->length,
                                            .constants = constants,
                                            .rasters = rasters,
                                            .outputs = outputs,
                                            .states = states,
                                            .variables = variables};
    return EW_OK;
}

int ew_formula_create(const ew_scope *scope, int outputs, const char *const *texts, ew_formula **formula,
                      ew_error *error)
{
    if (!formula)
        return ewi_fail(error, EW_EINVAL, "ew_formula_create needs a place for the formula");
    *formula = NULL;
    if (outputs < 1 || outputs > EWI_FORMULA_OUTPUTS || !texts)
        return ewi_fail(error, EW_EINVAL, "a formula has 1 to %d texts, not %d", EWI_FORMULA_OUTPUTS,
                        texts ? outputs : 0);
    ew_host host = scope ? scope->host : ewi_host_or_default(NULL);
    struct compiler *compiler = NULL;
    int status;
    for (int k = 0; k < outputs; ++k) {
        char place[32] = "";
        if (!texts[k])
            return ewi_fail(error, EW_EINVAL, "text %d of the formula is NULL", k + 1);
        if (outputs > 1)
            ewi_snprintf(place, sizeof place, "formula %d, ", k + 1);
        EWI_TRY(check_length(texts[k], place, error));
    }
    EWI_TRY(make_compiler(&host, scope, &compiler, error));
    compile_all(compiler, outputs, texts);
    EWI_TRY(compiler->status);
    status = make_formula(&host, compiler, outputs, formula);
out:
    ewi_free(&host, compiler);
    return status;
}

void ew_formula_destroy(ew_formula *formula)
{
    if (!formula)
        return;
    ew_host host = formula->host;
    ewi_free(&host, formula);
}

int ew_formula_outputs(const ew_formula *formula)
{
    return formula ? formula->program.outputs : 0;
}

unsigned ew_formula_variables(const ew_formula *formula)
{
    return formula ? (unsigned)formula->program.variables : 0;
}

const struct ewi_program *ewi_formula_program(const ew_formula *formula)
{
    return &formula->program;
}

bool ewi_program_varies(const struct ewi_program *program)
{
    return (program->variables & (EW_T | EW_STATE)) != 0;
}

size_t ewi_program_raster_bytes(const struct ewi_program *program)
{
    size_t bytes = 0;
    for (int32_t k = 0; k < program->rasters; ++k) {
        int32_t i = 0;
        while (program->raster[i].values != program->raster[k].values)
            ++i;
        bytes += i == k ? ewi_raster_bytes(&program->raster[k]) : 0;
    }
    return bytes;
}

/* ---- why there is no value --------------------------------------------------------------------------------------- */

/* The arguments of the raster at instruction k: what is on the stack there. */
static void find_arguments(const struct ewi_program *program, int32_t k, double x, double y, double t,
                           const double *state, double argument[3])
{
    struct ewi_instruction code[EWI_FORMULA_CODE + 3];
    double out[EWI_FORMULA_OUTPUTS + 3];
    int32_t count = program->raster[program->code[k].argument].points[2] > 0 ? 3 : 2;
    memcpy(code, program->code, (size_t)k * sizeof *code);
    for (int32_t d = 0; d < count; ++d)
        code[k + d] = (struct ewi_instruction){EWI_POP_OUTPUT, EWI_FORMULA_OUTPUTS + count - 1 - d};
    ewi_program_evaluate(code, k + count, program->constant, program->raster, x, y, t, state, out, 1);
    memcpy(argument, out + EWI_FORMULA_OUTPUTS, (size_t)count * sizeof *argument);
}

bool ewi_formula_explain(const ew_formula *formula, double x, double y, double t, const double *state, char *text,
                         size_t size)
{
    const struct ewi_program *program = &formula->program;
    for (int32_t k = 0; k < program->length; ++k) {
        double argument[3] = {0.0};
        if (program->code[k].code != EWI_RASTER)
            continue;
        int32_t number = program->code[k].argument;
        const struct ewi_raster_use *use = &program->raster[number];
        find_arguments(program, k, x, y, t, state, argument);
        double value = ewi_raster_value(use, argument[0], argument[1], argument[2]);
        if (value == value)
            continue;
        ewi_raster_explain(formula->raster[number], use, argument, text, size);
        return true;
    }
    return false;
}

/* ---- evaluation at many points ----------------------------------------------------------------------------------- */

enum { BLOCK = 32 }; /* points at a time: the cost of an instruction's dispatch is shared */

static void fill(double *to, double value, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        to[i] = value;
}

/* x becomes the value; t is NULL if the raster has no times. */
static void read_raster(const struct ewi_raster_use *use, size_t n, double *x, const double *y, const double *t)
{
    for (size_t i = 0; i < n; ++i)
        x[i] = ewi_raster_value(use, x[i], y[i], t ? t[i] : 0.0);
}

/* ewi_program_evaluate for n <= BLOCK points: the same operations on each, hence the same bits. */
static void evaluate_block(const struct ewi_program *program, size_t n, const double *x, const double *y, double t,
                           const double *state, double *values, size_t stride)
{
    double stack[EWI_FORMULA_STACK][BLOCK], slot[EWI_FORMULA_SLOTS][BLOCK];
    size_t bytes = n * sizeof(double);
    int depth = 0;
    for (int32_t k = 0; k < program->length; ++k) {
        int32_t argument = program->code[k].argument;
        switch (program->code[k].code) {
        case EWI_PUSH_CONSTANT:
            fill(stack[depth++], program->constant[argument], n);
            break;
        case EWI_PUSH_VARIABLE:
            if (argument == EW_T)
                fill(stack[depth], t, n);
            else if (argument >= EW_STATE)
                memcpy(stack[depth], state + (size_t)(argument - EW_STATE) * stride, bytes);
            else
                memcpy(stack[depth], argument == EW_X ? x : y, bytes);
            ++depth;
            break;
        case EWI_PUSH_SLOT:
            memcpy(stack[depth++], slot[argument], bytes);
            break;
        case EWI_POP_SLOT:
            memcpy(slot[argument], stack[--depth], bytes);
            break;
        case EWI_POP_OUTPUT:
            --depth;
            for (size_t i = 0; i < n; ++i) {
                double a = stack[depth][i];
                values[(size_t)argument * stride + i] = a != a ? ewi_nan() : a;
            }
            break;
        case EWI_SELECT:
            depth -= 2;
            for (size_t i = 0; i < n; ++i)
                stack[depth - 1][i] = stack[depth - 1][i] != 0.0 ? stack[depth][i] : stack[depth + 1][i];
            break;
        case EWI_STRICT_SELECT:
            depth -= 2;
            for (size_t i = 0; i < n; ++i) {
                double a = stack[depth - 1][i];
                stack[depth - 1][i] = a != a ? a : a != 0.0 ? stack[depth][i] : stack[depth + 1][i];
            }
            break;
        case EWI_RASTER:
            depth -= program->raster[argument].points[2] > 0 ? 2 : 1;
            read_raster(&program->raster[argument], n, stack[depth - 1], stack[depth],
                        program->raster[argument].points[2] > 0 ? stack[depth + 1] : NULL);
            break;
        case EWI_INTEGER_POWER:
            for (size_t i = 0; i < n; ++i)
                stack[depth - 1][i] = ewi_integer_power(stack[depth - 1][i], argument);
            break;
#define CASE_1(operation, result)                             \
        case EWI_##operation:                                 \
            for (size_t i = 0; i < n; ++i) {                  \
                double a = stack[depth - 1][i];               \
                stack[depth - 1][i] = result;                 \
            }                                                 \
            break;
#define CASE_2(operation, result)                             \
        case EWI_##operation:                                 \
            --depth;                                          \
            for (size_t i = 0; i < n; ++i) {                  \
                double a = stack[depth - 1][i];               \
                double b = stack[depth][i];                   \
                stack[depth - 1][i] = result;                 \
            }                                                 \
            break;
#define FUNCTION_CASE_1(operation, name, result) CASE_1(operation, result)
#define FUNCTION_CASE_2(operation, name, result) CASE_2(operation, result)
            EWI_OPERATORS_1(CASE_1)
            EWI_OPERATORS_2(CASE_2)
            EWI_FUNCTIONS_1(FUNCTION_CASE_1)
            EWI_FUNCTIONS_2(FUNCTION_CASE_2)
#undef CASE_1
#undef CASE_2
#undef FUNCTION_CASE_1
#undef FUNCTION_CASE_2
        default:
            break;
        }
    }
}

void ewi_program_evaluate_all(const struct ewi_program *program, size_t n, const double *x, const double *y, double t,
                              const double *state, double *values, size_t stride)
{
    for (size_t first = 0; first < n; first += BLOCK) {
        size_t count = n - first < BLOCK ? n - first : BLOCK;
        evaluate_block(program, count, x + first, y + first, t, state ? state + first : NULL, values + first, stride);
    }
}

void ew_formula_evaluate(const ew_formula *formula, size_t n, const double *x, const double *y, double t,
                         double *values, size_t stride)
{
    if (!formula || !values || (!x && (formula->program.variables & EW_X)) ||
        (!y && (formula->program.variables & EW_Y)))
        return;
    if (!(formula->program.variables & EW_STATE))
        ewi_program_evaluate_all(&formula->program, n, x, y, t, NULL, values, stride);
    else
        for (int k = 0; k < formula->program.outputs; k++)
            fill(values + (size_t)k * stride, ewi_nan(), n);
}
