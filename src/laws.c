/* SPDX-License-Identifier: BSD-2-Clause */
/* The lists of laws, fluxes, limiters, boundary kinds and kernels, and how names are found in them. */
#define EWI_LANES 1
#include "ewi_laws.h"
#include "ewi_backend.h"
#include "ewi_error.h"
#include "ewi_kernel_output.h"
#include "ewi_law_list.h"
#include "ewi_limiters.h"
#include "ewi_sizes.h"
#include "ewi_scheme.h"
#include "ewi_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EWI_FLUX_NAME(law, flux, operations) #flux,
#define EWI_FLUX_OPERATIONS(law, flux, operations) [EWI_FLUX_##flux] = operations,
#define EWI_OUTPUT_NAME(law, name, text) #name,
#define EWI_OUTPUT_TEXT(law, name, text) text,
#define EWI_DEFINE_INFO(law)                                                                           \
    static const ew_law law##_info = {                                                                 \
        EWI_INFO_##law,                                                                                \
        .variables = ewi_##law##_variables,                                                            \
        .fields = ewi_##law##_fields,                                                                  \
        .fluxes = {EWI_FLUXES_##law(EWI_FLUX_NAME)},                                                   \
        .derived = {EWI_OUTPUTS_##law(EWI_OUTPUT_NAME)},                                               \
        .derived_long = {EWI_OUTPUTS_##law(EWI_OUTPUT_TEXT)},                                          \
    };                                                                                                 \
    static const int law##_flux_operations[EWI_FLUX_COUNT] = {EWI_FLUXES_##law(EWI_FLUX_OPERATIONS)};
EWI_LAWS(EWI_DEFINE_INFO)

#define EWI_OUTPUT_NUMBER(law, name, text) law##_derived_##name,
#define EWI_OUTPUT_CASE(law, name, text) \
    case law##_derived_##name:           \
        return ewi_##law##_output_##name(parameter, u, ux, uy);
#define EWI_GHOST_IS(law, name) || ghost == EWI_GHOST_##name
#define EWI_DEFINE_TABLE(law)                                                                                   \
    static void law##_conserved(const double *parameter, const double *primitive, double *conserved)            \
    {                                                                                                           \
        ewi_##law##_conserved(parameter, primitive, conserved);                                                 \
    }                                                                                                           \
    static void law##_primitive(const double *parameter, const double *conserved, double *primitive)            \
    {                                                                                                           \
        ewi_##law##_primitive(parameter, conserved, primitive);                                                 \
    }                                                                                                           \
    static bool law##_admissible(const double *parameter, const double *conserved)                              \
    {                                                                                                           \
        for (int m = 0; m < ewi_##law##_variables; m++)                                                         \
            if (!isfinite(conserved[m]))                                                                        \
                return false;                                                                                   \
        return ewi_##law##_admissible(parameter, conserved);                                                    \
    }                                                                                                           \
    static double law##_speed(const double *parameter, const double *conserved, double bound)                   \
    {                                                                                                           \
        return ewi_##law##_speed(parameter, conserved, bound);                                                  \
    }                                                                                                           \
    static void law##_jumps(const double *parameter, const double *mean, const double *d, double *jump)         \
    {                                                                                                           \
        double frame[EWI_FRAME], scale[EW_MAX_VARIABLES];                                                       \
        ewi_##law##_frame(parameter, mean, frame);                                                              \
        ewi_##law##_jump_scales(parameter, mean, scale);                                                        \
        ewi_##law##_jumps(frame, d, jump);                                                                      \
        for (int k = 0; k < ewi_##law##_jump_count; k++)                                                        \
            jump[k] *= scale[k];                                                                                \
    }                                                                                                           \
    static void law##_rest(double *primitive)                                                                   \
    {                                                                                                           \
        ewi_##law##_rest(primitive);                                                                            \
    }                                                                                                           \
    enum { EWI_OUTPUTS_##law(EWI_OUTPUT_NUMBER) };                                                              \
    static double law##_derived(int which, const double *parameter, const double *u, const double *ux,          \
                                const double *uy)                                                               \
    {                                                                                                           \
        switch (which) {                                                                                        \
            EWI_OUTPUTS_##law(EWI_OUTPUT_CASE)                                                                  \
        default:                                                                                                \
            return 0.0 / 0.0;                                                                                   \
        }                                                                                                       \
    }                                                                                                           \
    static void law##_flux(const double *parameter, const double *field, const double *u, double nx, double ny, \
                           double *flux)                                                                        \
    {                                                                                                           \
        double speed;                                                                                           \
        ewi_##law##_flux_pair(parameter, field, u, u, nx, ny, 1.0, flux, &speed);                               \
        for (int m = 0; m < ewi_##law##_variables; m++)                                                         \
            flux[m] *= 0.5;                                                                                     \
    }                                                                                                           \
    static bool law##_has_ghost(int ghost)                                                                      \
    {                                                                                                           \
        return false EWI_GHOSTS_##law(EWI_GHOST_IS);                                                            \
    }
EWI_LAWS(EWI_DEFINE_TABLE)

#define EWI_LAW_NUMBER(law) EWI_LAW_##law,
enum { EWI_LAWS(EWI_LAW_NUMBER) EWI_LAW_COUNT };

#define EWI_TABLE_ROW(law)                 \
    {.info = &law##_info,                  \
     .number = EWI_LAW_##law,              \
     .identifier = #law,                   \
     .has_positive = ewi_##law##_thinnest > 0, \
     .operations = {EWI_OPERATIONS_##law}, \
     .flux_operations = law##_flux_operations, \
     .conserved = law##_conserved,         \
     .primitive = law##_primitive,         \
     .admissible = law##_admissible,       \
     .jump_count = ewi_##law##_jump_count, \
     .jumps = law##_jumps,                 \
     .speed = law##_speed,                 \
     .rest = law##_rest,                   \
     .derived = law##_derived,             \
     .flux = law##_flux,                   \
     .has_ghost = law##_has_ghost},
static const struct ewi_law laws[] = {EWI_LAWS(EWI_TABLE_ROW)};

struct choice {
    const char *name, *description;
};

#define EWI_FLUX_ROW(flux, text) {#flux, text},
static const struct choice fluxes[] = {EWI_FLUX_LIST(EWI_FLUX_ROW)};

static const struct ghost_row {
    const char *kind, *choice, *description;
    bool given;
} ghosts[] = {
#define EWI_GHOST_ROW(ghost, kind, choice, given, text) {kind, choice, text, given},
    EWI_GHOST_LIST(EWI_GHOST_ROW)};

#define EWI_KERNEL_SET_ROW(name, text) {#name, text},
static const struct choice kernel_sets[] = {EWI_KERNEL_SETS(EWI_KERNEL_SET_ROW)};

static const struct choice kernel_outputs[] = {
#define EWI_KERNEL_OUTPUT_ROW(name, text) {#name, text},
    EWI_KERNEL_OUTPUTS(EWI_KERNEL_OUTPUT_ROW)};

#define EWI_COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static struct choice choice_at(const struct choice *list, int count, int index)
{
    return index < count ? list[index] : (struct choice){NULL, NULL};
}

/* For all backends: levels of instructions, or images. */
static struct choice code_at(bool images, int index)
{
    struct choice code;
    for (int k = 0; ewi_backend_at(k); k++) {
        const char *(*list)(int, const char **) = images ? ewi_backend_at(k)->image : ewi_backend_at(k)->level;
        for (int i = 0; list && (code.name = list(i, &code.description)); i++)
            if (index-- == 0)
                return code;
    }
    return (struct choice){NULL, NULL};
}

static struct choice limiter_at(int index)
{
    const struct ewi_limiter *limiter = ewi_limiter_at(index - 1);
    if (index == 0)
        return (struct choice){"none", "no limiter"};
    return limiter ? (struct choice){limiter->name, limiter->description} : (struct choice){NULL, NULL};
}

/*
 * Kinds of boundaries, each once whatever ghosts it can choose from. "periodic", the last one, belongs to the mesh and
 * has no ghost, but is a kind to whoever writes a case.
 */
static struct choice boundary_kind_at(int index)
{
    for (int k = 0; k < EWI_GHOST_COUNT; k++)
        if ((k == 0 || strcmp(ghosts[k].kind, ghosts[k - 1].kind) != 0) && index-- == 0)
            return (struct choice){ghosts[k].kind, ghosts[k].description};
    return index == 0 ? (struct choice){"periodic", "identified with another boundary"} : (struct choice){NULL, NULL};
}

static struct choice find_choice(enum ew_list list, int index)
{
    const struct ewi_scheme *scheme = ewi_scheme_at(index);
    const struct ewi_backend *backend = ewi_backend_at(index);
    struct choice none = {NULL, NULL};
    if (index < 0)
        return none;
    switch (list) {
    case EW_LAWS:
        return index < EWI_LAW_COUNT ? (struct choice){laws[index].info->name, laws[index].info->description} : none;
    case EW_SCHEMES:
        return scheme ? (struct choice){scheme->name, scheme->description} : none;
    case EW_BACKENDS:
        return backend ? (struct choice){backend->name, backend->description} : none;
    case EW_LEVELS:
        return code_at(false, index);
    case EW_IMAGES:
        return code_at(true, index);
    case EW_FLUXES:
        return choice_at(fluxes, EWI_COUNT(fluxes), index);
    case EW_LIMITERS:
        return limiter_at(index);
    case EW_BOUNDARIES:
        return boundary_kind_at(index);
    case EW_KERNELS:
        return choice_at(kernel_sets, EWI_COUNT(kernel_sets), index);
    case EW_KERNEL_OUTPUTS:
        return choice_at(kernel_outputs, EWI_COUNT(kernel_outputs), index);
    }
    return none;
}

const char *ew_list_name(enum ew_list list, int index)
{
    return find_choice(list, index).name;
}

const char *ew_list_description(enum ew_list list, int index)
{
    return find_choice(list, index).description;
}

const struct ewi_law *ewi_law_find(const char *name)
{
    name = name ? name : EW_DEFAULT_LAW;
    for (int k = 0; k < EWI_LAW_COUNT; k++)
        if (strcmp(laws[k].info->name, name) == 0)
            return &laws[k];
    return NULL;
}

const ew_law *ew_law_find(const char *name)
{
    const struct ewi_law *law = ewi_law_find(name);
    return law ? law->info : NULL;
}

typedef void conversion(const double *parameter, const double *from, double *to);

static void convert(const struct ewi_law *law, conversion *change, const double *parameter, size_t count,
                    const double *from, double *to)
{
    if (!law || !from || !to || (!parameter && law->info->parameters > 0))
        return;
    size_t variables = (size_t)law->info->variables;
    for (size_t i = 0; i < count; i++) {
        double state[EW_MAX_VARIABLES];
        memcpy(state, from + i * variables, variables * sizeof *state);
        change(parameter, state, to + i * variables);
    }
}

void ew_law_conserved(const ew_law *law, const double *parameter, size_t count, const double *primitive,
                      double *conserved)
{
    const struct ewi_law *own = law ? ewi_law_find(law->name) : NULL;
    convert(own, own ? own->conserved : NULL, parameter, count, primitive, conserved);
}

void ew_law_primitive(const ew_law *law, const double *parameter, size_t count, const double *conserved,
                      double *primitive)
{
    const struct ewi_law *own = law ? ewi_law_find(law->name) : NULL;
    convert(own, own ? own->primitive : NULL, parameter, count, conserved, primitive);
}

void ew_law_derived(const ew_law *law, const double *parameter, int which, size_t count, const double *conserved,
                    const double *gradient, double *values)
{
    const struct ewi_law *own = law ? ewi_law_find(law->name) : NULL;
    if (!own || !conserved || !values || (!parameter && own->info->parameters > 0))
        return;
    size_t variables = (size_t)own->info->variables;
    for (size_t i = 0; i < count; i++) {
        double ux[EW_MAX_VARIABLES], uy[EW_MAX_VARIABLES];
        for (size_t m = 0; m < variables; m++) {
            ux[m] = gradient ? gradient[2 * (i * variables + m)] : (double)NAN;
            uy[m] = gradient ? gradient[2 * (i * variables + m) + 1] : (double)NAN;
        }
        values[i] = own->derived(which, parameter, conserved + i * variables, ux, uy);
    }
}

/* True if the law has a primitive variable of that name, too. */
static bool is_primitive(const ew_law *law, const char *name)
{
    for (int m = 0; m < law->variables; m++)
        if (strcmp(law->primitive[m], name) == 0)
            return true;
    return false;
}

bool ewi_output_find(const ew_law *law, int index, struct ewi_output *output)
{
    *output = (struct ewi_output){EWI_FROM_PRIMITIVE, index};
    if (index < law->variables)
        return index >= 0;
    int k = index - law->variables, derived = 0;
    for (int m = 0; m < law->variables; m++) {
        *output = (struct ewi_output){EWI_FROM_CONSERVED, m};
        if (!is_primitive(law, law->conserved[m]) && k-- == 0)
            return true;
    }
    while (derived < EW_MAX_DERIVED && law->derived[derived])
        derived++;
    *output = (struct ewi_output){k < derived ? EWI_FROM_DERIVED : EWI_FROM_LIMITER, k};
    return k <= derived;
}

const char *ew_law_output(const ew_law *law, int index, const char **long_name)
{
    struct ewi_output output;
    const char *own, **text = long_name ? long_name : &own;
    *text = NULL;
    if (!law || !ewi_output_find(law, index, &output))
        return NULL;
    switch (output.from) {
    case EWI_FROM_PRIMITIVE:
        *text = law->primitive_long[output.index];
        return law->primitive[output.index];
    case EWI_FROM_CONSERVED:
        *text = law->conserved_long[output.index];
        return law->conserved[output.index];
    case EWI_FROM_DERIVED:
        *text = law->derived_long[output.index];
        return law->derived[output.index];
    default:
        *text = "share of the slopes that the limiter removes";
        return "limiter";
    }
}

int ewi_flux_find(const struct ewi_law *law, const char *name, int *flux, ew_error *error)
{
    char names[128];
    name = name ? name : EW_DEFAULT_FLUX;
    *flux = ewi_list_find(EW_FLUXES, name);
    if (*flux >= 0 && law->flux_operations[*flux] > 0)
        return EW_OK;
    int count = 0;
    while (law->info->fluxes[count])
        count++;
    return ewi_fail(error, EW_EINVAL, "the law \"%s\" has no flux \"%s\"; it has %s", law->info->name, name,
                    ewi_in_words(law->info->fluxes, count, names, sizeof names));
}

int ewi_list_find(enum ew_list list, const char *name)
{
    const char *other;
    for (int k = 0; (other = ew_list_name(list, k)); k++)
        if (strcmp(other, name) == 0)
            return k;
    return -1;
}

const char *ewi_list_in_words(enum ew_list list, char *text, size_t size)
{
    enum { MOST = 64 };
    const char *names[MOST];
    int count = 0;
    while (count < MOST && (names[count] = ew_list_name(list, count)) != NULL)
        count++;
    return ewi_in_words(names, count, text, size);
}

static bool has_kind(const struct ewi_law *law, const char *kind)
{
    for (int k = 0; k < EWI_GHOST_COUNT; k++)
        if (strcmp(ghosts[k].kind, kind) == 0 && law->has_ghost(k))
            return true;
    return false;
}

/* Those of a law, or all. */
static const char *kinds_in_words(const struct ewi_law *law, char *text, size_t size)
{
    const char *kinds[EWI_GHOST_COUNT];
    int count = 0;
    for (int k = 0; k < EWI_GHOST_COUNT; k++)
        if ((!law || law->has_ghost(k)) && (count == 0 || strcmp(kinds[count - 1], ghosts[k].kind) != 0))
            kinds[count++] = ghosts[k].kind;
    return ewi_in_words(kinds, count, text, size);
}

static int lacking_kind(const struct ewi_law *law, const ew_boundary *boundary, ew_error *error)
{
    char kinds[128];
    if (boundary->ghost && has_kind(law, boundary->kind))
        return ewi_fail(error, EW_EINVAL, "boundary \"%s\": ghost \"%s\" is not made for the law \"%s\"; leave it out",
                        boundary->name, boundary->ghost, law->info->name);
    return ewi_fail(error, EW_EINVAL, "boundary \"%s\": kind \"%s\" is not made for the law \"%s\"; it has %s",
                    boundary->name, boundary->kind, law->info->name, kinds_in_words(law, kinds, sizeof kinds));
}

int ewi_ghost_find(const struct ewi_law *law, const ew_boundary *boundary, int *ghost, bool *given, const char **wrong,
                   ew_error *error)
{
    *wrong = "kind";
    for (int k = 0; k < EWI_GHOST_COUNT; k++) {
        if (strcmp(ghosts[k].kind, boundary->kind) != 0)
            continue;
        if (boundary->ghost && (!ghosts[k].choice || strcmp(ghosts[k].choice, boundary->ghost) != 0)) {
            *wrong = "ghost";
            continue;
        }
        if (!law->has_ghost(k)) {
            *wrong = boundary->ghost && has_kind(law, boundary->kind) ? "ghost" : "kind";
            return lacking_kind(law, boundary, error);
        }
        *ghost = k;
        *given = ghosts[k].given;
        return EW_OK;
    }
    if (strcmp(*wrong, "ghost") == 0)
        return ewi_fail(error, EW_EINVAL, "boundary \"%s\": kind \"%s\" has no ghost \"%s\"", boundary->name,
                        boundary->kind, boundary->ghost);
    char names[256];
    return ewi_fail(error, EW_EINVAL, "boundary \"%s\": there is no kind \"%s\"; there are %s", boundary->name,
                    boundary->kind, kinds_in_words(NULL, names, sizeof names));
}

int ew_backend_has_devices(const char *name)
{
    const struct ewi_backend *backend = name ? ewi_backend_find(name) : NULL;
    return backend && backend->device;
}

int ew_device_describe(int index, char *text, size_t size)
{
    for (int k = 0; text && ewi_backend_at(k); k++)
        if (ewi_backend_at(k)->device && ewi_backend_at(k)->device(index, text, size))
            return 1;
    return 0;
}
