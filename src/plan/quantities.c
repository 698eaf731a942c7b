/* SPDX-License-Identifier: BSD-2-Clause */
/* Output quantities of a problem: those of its law, those by formulas, and averages. */
#include "ewi_data.h"
#include "ewi_diagnostics.h"
#include "ewi_error.h"
#include "ewi_formula.h"
#include "ewi_host.h"
#include "ewi_plan_parts.h"

#include <string.h>

static const ew_law *law_of(const ew_problem *problem)
{
    const ew_law *law = problem ? ew_law_find(problem->law) : NULL, *media = ew_law_of_media(law);
    return media && ewi_data_is_given(&problem->field) ? media : law;
}

const char *ew_problem_output(const ew_problem *problem, int index, const char **long_name)
{
    const ew_law *law = law_of(problem);
    const char *name = ew_law_output(law, index, long_name);
    int k = index - ewi_law_outputs(law);
    const char *description = NULL;
    if (name || !law || k < 0)
        return name;
    if (k < problem->quantities && problem->quantity) {
        name = problem->quantity[k].name;
        description = problem->quantity[k].description;
    } else if (k - problem->quantities < problem->averages.count && problem->averages.average) {
        name = problem->averages.average[k - problem->quantities].name;
        description = problem->averages.average[k - problem->quantities].description;
    }
    if (long_name)
        *long_name = description ? description : name;
    return name;
}

int ew_problem_output_varies(const ew_problem *problem, int index)
{
    int k = index - ewi_law_outputs(law_of(problem));
    bool is_formula = problem && problem->quantity && k >= 0 && k < problem->quantities && problem->quantity[k].formula;
    return problem && (!is_formula || ewi_program_varies(ewi_formula_program(problem->quantity[k].formula)));
}

int ewi_problem_quantities(const ew_problem *problem)
{
    return ewi_law_outputs(law_of(problem)) + problem->quantities;
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

/*
 * Describes the present owner of a name; NULL if it is free. io/fields.c, io/raster.c and io/walls.c have NAME.nc's
 * variables.
 */
static const char *owner_of(const ew_law *law, const char *name)
{
    static const char *const own[] = {"time", "step", "state_hash", "cp"};
    static const char *const begin[] = {"mesh", "boundary", "raster_", "total_", "error_", "wall_"};
    size_t length = strlen(name);
    for (int k = 0; ew_law_output(law, k, NULL); k++)
        if (strcmp(ew_law_output(law, k, NULL), name) == 0)
            return "it is a quantity of the law";
    if (strlen(name) == 1 && strchr("xyt", name[0]))
        return "it is a coordinate";
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (strcmp(name, own[k]) == 0)
            return "the files of a run have another variable of that name";
    for (size_t k = 0; k < sizeof begin / sizeof *begin; k++)
        if (strncmp(name, begin[k], strlen(begin[k])) == 0)
            return "names of other variables in the files of a run begin like it";
    return length > 5 && strcmp(name + length - 5, "_mean") == 0 ? "in the files of a run it is the name of a mean"
                                                                 : NULL;
}

static bool is_identifier(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return name[0] && strchr(letters, name[0]) && strlen(name) < EWI_QUANTITY_NAME &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

/* True if an earlier quantity by formula, or an earlier average, has the name. */
static bool is_repeated(const ew_problem *problem, int output, const char *name)
{
    for (int i = ewi_law_outputs(law_of(problem)); i < output; i++) {
        const char *other = ew_problem_output(problem, i, NULL);
        if (other && strcmp(other, name) == 0)
            return true;
    }
    return false;
}

bool ewi_check_output_name(const ew_problem *problem, int output, ew_place place, struct ewi_diagnostics *diagnostics)
{
    const char *name = ew_problem_output(problem, output, NULL);
    if (!name || !is_identifier(name)) {
        ewi_diagnose(diagnostics, place, "a quantity cannot be called \"%s\": its name must begin with a letter and "
                     "have only letters, digits and \"_\", fewer than %d", name ? name : "", EWI_QUANTITY_NAME);
        return false;
    }
    const char *owner = owner_of(law_of(problem), name);
    if (owner)
        ewi_diagnose(diagnostics, place, "a quantity cannot be called \"%s\": %s; choose another name", name, owner);
    if (is_repeated(problem, output, name))
        ewi_diagnose(diagnostics, place, "there are two quantities \"%s\"", name);
    return true;
}

static void check_formula(const ew_law *law, const ew_quantity *quantity, struct ewi_diagnostics *diagnostics)
{
    ew_place place = {.member = "quantity", .variable = quantity->name};
    if (!quantity->formula)
        ewi_diagnose(diagnostics, place, "the quantity \"%s\" has no formula", quantity->name);
    else if (ew_formula_outputs(quantity->formula) != 1)
        ewi_diagnose(diagnostics, place, "the formula of the quantity \"%s\" has %d outputs; it must have one",
                     quantity->name, ew_formula_outputs(quantity->formula));
    else if (ewi_formula_program(quantity->formula)->states >= ewi_law_outputs(law))
        ewi_diagnose(diagnostics, place, "the formula of the quantity \"%s\" is not of a scope of this law",
                     quantity->name);
}

static void check_quantity(const ew_law *law, const ew_problem *problem, int k, struct ewi_diagnostics *diagnostics)
{
    const ew_quantity *quantity = &problem->quantity[k];
    ew_place place = {.member = "quantity", .variable = quantity->name};
    if (ewi_check_output_name(problem, ewi_law_outputs(law) + k, place, diagnostics))
        check_formula(law, quantity, diagnostics);
}

void ewi_quantities_check(const ew_problem *problem, struct ewi_diagnostics *diagnostics)
{
    const ew_law *law = law_of(problem);
    int count = problem->quantities;
    if (count < 0 || count > EW_MAX_QUANTITIES || (count > 0 && !problem->quantity))
        ewi_diagnose(diagnostics, (ew_place){.member = "quantity"}, "%d quantities by formula are given%s; there can "
                     "be 0 to %d", count, problem->quantity || count <= 0 ? "" : ", but where is NULL",
                     EW_MAX_QUANTITIES);
    else
        for (int k = 0; k < count; k++)
            check_quantity(law, problem, k, diagnostics);
}

/* ---- in a plan --------------------------------------------------------------------------------------------------- */

static void find_uses(const ew_law *law, struct ewi_plan_quantity *quantity)
{
    const struct ewi_program *program = quantity->program;
    for (int32_t i = 0; i < program->length; i++) {
        struct ewi_output output;
        int number = program->code[i].argument - EW_STATE;
        if (program->code[i].code != EWI_PUSH_VARIABLE || number < 0 || quantity->uses >> number & 1)
            continue;
        ewi_output_find(law, number, &output);
        quantity->uses |= UINT64_C(1) << number;
        quantity->use[quantity->used].number = number;
        quantity->use[quantity->used++].output = output;
        quantity->gradients = quantity->gradients || output.from == EWI_FROM_DERIVED;
    }
}

/* True if the program pushes one quantity of the law and returns it. */
static bool is_copy(const struct ewi_program *program)
{
    return program->length == 2 && program->code[0].code == EWI_PUSH_VARIABLE &&
           program->code[0].argument >= EW_STATE && program->code[1].code == EWI_POP_OUTPUT;
}

size_t ewi_text_bytes(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

const char *ewi_keep_text_in(char **room, const char *text)
{
    char *kept = *room;
    size_t bytes = ewi_text_bytes(text);
    if (!text)
        return NULL;
    memcpy(kept, text, bytes);
    *room += bytes;
    return kept;
}

/* One piece of memory, with the texts at its end. */
int ewi_quantities_keep(struct ewi_plan *plan, const ew_problem *problem, ew_error *error)
{
    size_t bytes = 0, count = (size_t)problem->quantities;
    if (count == 0)
        return EW_OK;
    for (size_t k = 0; k < count; k++)
        bytes += ewi_text_bytes(problem->quantity[k].name) + ewi_text_bytes(problem->quantity[k].description);
    plan->quantity = ewi_alloc(&plan->host, 1, count * sizeof *plan->quantity + bytes);
    if (!plan->quantity)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the quantities by formula");
    char *room = (char *)(plan->quantity + count);
    for (size_t k = 0; k < count; k++) {
        const ew_quantity *given = &problem->quantity[k];
        struct ewi_plan_quantity *own = &plan->quantity[k];
        own->name = ewi_keep_text_in(&room, given->name);
        own->description = ewi_keep_text_in(&room, given->description);
        if (!own->description)
            own->description = own->name;
        own->program = ewi_formula_program(given->formula);
        find_uses(plan->law->info, own);
        own->renames = is_copy(own->program);
    }
    plan->quantities = (int)count;
    return EW_OK;
}

bool ewi_plan_output(const struct ewi_plan *plan, int index, struct ewi_output *output)
{
    const ew_law *law = plan->law->info;
    if (ewi_output_find(law, index, output))
        return true;
    *output = (struct ewi_output){EWI_FROM_FORMULA, index - ewi_law_outputs(law)};
    if (output->index >= 0 && output->index < plan->quantities && plan->quantity[output->index].renames)
        *output = plan->quantity[output->index].use[0].output;
    if (output->from != EWI_FROM_FORMULA || output->index < plan->quantities)
        return output->index >= 0;
    *output = (struct ewi_output){EWI_FROM_AVERAGE, output->index - plan->quantities};
    return output->index < plan->averages.count;
}
