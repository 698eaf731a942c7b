/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of laws and fluxes. */
#define EWI_LANES 1
#include "ewi_laws.h"
#include "ewi_diffusing.h"
#include "ewi_error.h"
#include "ewi_every_law.h"
#include "ewi_media.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

#define EWI_FLUX_NAME(law, flux, operations) #flux,
#define EWI_FLUX_OPERATIONS(law, flux, operations) [EWI_FLUX_##flux] = operations,
#define EWI_OUTPUT_NAME(law, name, text) #name,
#define EWI_OUTPUT_TEXT(law, name, text) text,
#define EWI_DEFINE_INFO(law)                                                                           \
    static const ew_law law##_info = {                                                                 \
        EWI_INFO_##law,                                                                                \
        .variables = ewi_##law##_variables,                                                            \
        .fields = ewi_##law##_fields + ewi_##law##_media,                                              \
        .media = ewi_##law##_media > 0,                                                                \
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
#define EWI_VALUES_CASE(law, ghost, ...)                                           \
    case EWI_GHOST_##ghost: {                                                      \
        static const ew_boundary_value values[EW_MAX_VARIABLES + 1] = {__VA_ARGS__}; \
        return values;                                                             \
    }
#define EWI_WHEN_0(...)
#define EWI_WHEN_1(...) __VA_ARGS__
#define EWI_WHEN_(condition, ...) EWI_WHEN_##condition(__VA_ARGS__)
#define EWI_WHEN(condition, ...) EWI_WHEN_(condition, __VA_ARGS__)

#define EWI_DEFINE_DIFFUSION(law)                                                                               \
    static double law##_diffusivity(const double *parameter, const double *u)                                   \
    {                                                                                                           \
        return ewi_##law##_diffusivity(parameter, u);                                                           \
    }                                                                                                           \
    static void law##_diffusion(const double *parameter, const double *u, const double *ux, const double *uy,   \
                                double *diffusion)                                                              \
    {                                                                                                           \
        ewi_##law##_diffusion(parameter, u, ux, uy, diffusion);                                                 \
    }                                                                                                           \
    static void law##_diffuse_at_boundary(int ghost, const double *parameter, const struct ewi_diffusing_side *at, \
                                          const double *given, double nx, double ny, double penalty,            \
                                          double *flux)                                                         \
    {                                                                                                           \
        double sx[EW_MAX_VARIABLES], sy[EW_MAX_VARIABLES];                                                      \
        for (int m = 0; m < ewi_##law##_variables; m++)                                                         \
            flux[m] *= 2.0;                                                                                     \
        ewi_##law##_diffuse_at_boundary(ghost, parameter, at, given, nx, ny, 1.0, penalty, flux, sx, sy);           \
        for (int m = 0; m < ewi_##law##_variables; m++)                                                         \
            flux[m] *= 0.5;                                                                                     \
    }                                                                                                           \
    static void law##_wall_motion(int ghost, const double *given, double *wall)                                 \
    {                                                                                                           \
        ewi_##law##_wall_motion(ghost, given, wall);                                                            \
    }                                                                                                           \
    static double law##_wall_heat(int ghost, const struct ewi_diffusing_side *at, const double *given,          \
                                  const double *flux)                                                           \
    {                                                                                                           \
        return ewi_##law##_wall_heat(ghost, at, given, flux);                                                   \
    }                                                                                                           \
    static double law##_conductivity(const double *parameter, const double *u)                                  \
    {                                                                                                           \
        return ewi_##law##_conductivity(parameter, u);                                                          \
    }
#define EWI_DEFINE_TABLE(law)                                                                                   \
    static void law##_conserved(const double *parameter, const double *primitive, double *conserved)            \
    {                                                                                                           \
        ewi_##law##_conserved(parameter, primitive, conserved);                                                 \
    }                                                                                                           \
    static void law##_primitive(const double *parameter, const double *conserved, double *primitive)            \
    {                                                                                                           \
        ewi_##law##_primitive(parameter, conserved, primitive);                                                 \
    }                                                                                                           \
    static void law##_limit_point(const double *parameter, const double *mean, double *conserved)               \
    {                                                                                                           \
        ewi_##law##_limit_point(parameter, mean, conserved);                                                    \
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
    static void law##_numerical_flux(int number, const double *parameter, const double *field, const double *ul, \
                                     const double *ur, double nx, double ny, double *flux)                      \
    {                                                                                                           \
        ewi_##law##_numerical_flux(number, parameter, field, ul, ur, nx, ny, 1.0, flux);                        \
        for (int m = 0; m < ewi_##law##_variables; m++)                                                         \
            flux[m] *= 0.5;                                                                                     \
    }                                                                                                           \
    static void law##_ghost(int ghost, const double *parameter, const double *u, const double *given, double nx, \
                            double ny, double *g)                                                               \
    {                                                                                                           \
        ewi_##law##_ghost(ghost, parameter, u, given, nx, ny, g);                                               \
    }                                                                                                           \
    static bool law##_has_ghost(int ghost)                                                                      \
    {                                                                                                           \
        return false EWI_GHOSTS_##law(EWI_GHOST_IS);                                                            \
    }                                                                                                           \
    static void law##_given(int ghost, const double *parameter, const double *values, double *given)            \
    {                                                                                                           \
        ewi_##law##_given(ghost, parameter, values, given);                                                     \
    }                                                                                                           \
    static bool law##_valid(int ghost, const double *parameter, const double *given, double nx, double ny)      \
    {                                                                                                           \
        for (int m = 0; m < ewi_##law##_variables; m++)                                                         \
            if (!isfinite(given[m]))                                                                            \
                return false;                                                                                   \
        return ewi_##law##_valid(ghost, parameter, given, nx, ny);                                              \
    }                                                                                                           \
    static void law##_scale(int ghost, const double *parameter, const double *given, double *u)                 \
    {                                                                                                           \
        ewi_##law##_scale(ghost, parameter, given, u);                                                          \
    }                                                                                                           \
    EWI_WHEN(EWI_HAS_DIFFUSION_##law, EWI_DEFINE_DIFFUSION(law))                                                \
    static const ew_boundary_value *law##_values(int ghost)                                                     \
    {                                                                                                           \
        switch (ghost) {                                                                                        \
            EWI_VALUES_##law(EWI_VALUES_CASE)                                                                   \
        default:                                                                                                \
            return NULL;                                                                                        \
        }                                                                                                       \
    }
EWI_LAWS(EWI_DEFINE_TABLE)

#define EWI_LAW_NUMBER(law) EWI_LAW_##law,
enum { EWI_LAWS(EWI_LAW_NUMBER) EWI_LAW_COUNT };

/* The values at a point of an edge in addition to the state (EWI_EDGE_VALUES, kernels/begin.h). */
#define EWI_DIFFUSION_AT_EDGES(law)                                                               \
    (2 * (ewi_##law##_variables - ewi_##law##_first_diffusing) > ewi_##law##_diffusion_values     \
         ? 2 * (ewi_##law##_variables - ewi_##law##_first_diffusing)                              \
         : ewi_##law##_diffusion_values)

#define EWI_TABLE_ROW(law)                 \
    {.info = &law##_info,                  \
     .number = EWI_LAW_##law,              \
     .identifier = #law,                   \
     .has_positive = ewi_##law##_thinnest > 0, \
     .floor = 1.0 / (ewi_##law##_thinnest > 0 ? ewi_##law##_thinnest : 1), \
     .operations = {EWI_OPERATIONS_##law}, \
     .media = ewi_##law##_media,           \
     .flux_operations = law##_flux_operations, \
     .conserved = law##_conserved,         \
     .primitive = law##_primitive,         \
     .limit_point = law##_limit_point,     \
     .admissible = law##_admissible,       \
     .jump_count = ewi_##law##_jump_count, \
     .speed = law##_speed,                 \
     .rest = law##_rest,                   \
     .derived = law##_derived,             \
     .flux = law##_flux,                   \
     .numerical_flux = law##_numerical_flux, \
     .ghost = law##_ghost,                 \
     .has_ghost = law##_has_ghost,         \
     .given = law##_given,                 \
     .valid = law##_valid,                 \
     .scale = law##_scale,                 \
     .values = law##_values,               \
     .has_diffusion = EWI_HAS_DIFFUSION_##law, \
     .has_subcells = EWI_HAS_SUBCELLS_##law, \
     .edge_values = ewi_##law##_variables EWI_WHEN(EWI_HAS_DIFFUSION_##law, + EWI_DIFFUSION_AT_EDGES(law)), \
     EWI_WHEN(EWI_HAS_DIFFUSION_##law, .diffusivity = law##_diffusivity, .diffusion = law##_diffusion, \
              .diffuse_at_boundary = law##_diffuse_at_boundary, .wall_motion = law##_wall_motion, \
              .wall_heat = law##_wall_heat, .conductivity = law##_conductivity)},
static const struct ewi_law laws[] = {EWI_LAWS(EWI_TABLE_ROW)};

#define EWI_FLUX_ROW(flux, text) {#flux, text},
static const struct ewi_choice fluxes[] = {EWI_FLUX_LIST(EWI_FLUX_ROW)};

struct ewi_choice ewi_flux_choice(int index)
{
    return index < EWI_FLUX_COUNT ? fluxes[index] : EWI_NO_CHOICE;
}

int ewi_law_pressure(const ew_law *law)
{
    for (int m = 0; law->pressure && m < law->variables; m++)
        if (strcmp(law->primitive[m], law->pressure) == 0)
            return m;
    return -1;
}

bool ewi_flux_takes_mean(int flux)
{
    return flux == EWI_FLUX_llf || flux == EWI_FLUX_upwind;
}

#define EWI_MEDIA_ROW(law, other) {EWI_LAW_##law, EWI_LAW_##other, ewi_##other##_coefficients},
static const struct {
    int law, other;
    void (*coefficients)(const double *field, double *coefficient);
} media[] = {EWI_LAWS_WITH_MEDIA(EWI_MEDIA_ROW){-1, -1, NULL}};

const struct ewi_law *ewi_law_of_media(const struct ewi_law *law)
{
    int k = 0;
    while (media[k].law >= 0 && media[k].law != law->number)
        k++;
    return media[k].law < 0 ? NULL : &laws[media[k].other];
}

const ew_law *ew_law_of_media(const ew_law *law)
{
    const struct ewi_law *own = law ? ewi_law_find(law->name) : NULL, *other = own ? ewi_law_of_media(own) : NULL;
    return other ? other->info : NULL;
}

void ewi_law_coefficients(const struct ewi_law *law, const double *field, double *coefficient)
{
    for (int k = 0; media[k].law >= 0; k++)
        if (media[k].other == law->number)
            media[k].coefficients(field, coefficient);
}

/* Laws with media are no choices: fields select them. */
struct ewi_choice ewi_law_choice(int index)
{
    for (int k = 0; k < EWI_LAW_COUNT; k++)
        if (laws[k].media == 0 && index-- == 0)
            return (struct ewi_choice){laws[k].info->name, laws[k].info->description};
    return EWI_NO_CHOICE;
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

int ewi_flux_find(const struct ewi_law *law, const char *name, int *flux, ew_error *error)
{
    char names[128];
    name = name ? name : law->media ? law->info->fluxes[0] : EW_DEFAULT_FLUX;
    *flux = ewi_choice_find(ewi_flux_choice, name);
    if (*flux >= 0 && law->flux_operations[*flux] > 0)
        return EW_OK;
    int count = 0;
    while (law->info->fluxes[count])
        count++;
    return ewi_fail(error, EW_EINVAL, "the law \"%s\" has no flux \"%s\"; it has %s", law->info->name, name,
                    ewi_in_words(law->info->fluxes, count, names, sizeof names));
}
