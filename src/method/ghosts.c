/* SPDX-License-Identifier: BSD-2-Clause */
/* Boundary kinds and their ghosts. */
#define EWI_LANES 1
#include "ewi_laws.h"
#include "ewi_error.h"
#include "ewi_law_list.h"
#include "ewi_text.h"

#include <string.h>

static const struct ghost_row {
    const char *kind, *choice, *description;
    bool given;
} ghosts[] = {
#define EWI_GHOST_ROW(ghost, kind, choice, given, replaces, text) {kind, choice, text, given},
    EWI_GHOST_LIST(EWI_GHOST_ROW)};

/*
 * Kinds of boundaries, each once whatever ghosts it can choose from. "periodic", the last one, belongs to the mesh and
 * has no ghost, but is a kind to whoever writes a case.
 */
struct ewi_choice ewi_boundary_choice(int index)
{
    for (int k = 0; k < EWI_GHOST_COUNT; k++)
        if ((k == 0 || strcmp(ghosts[k].kind, ghosts[k - 1].kind) != 0) && index-- == 0)
            return (struct ewi_choice){ghosts[k].kind, ghosts[k].description};
    return index == 0 ? (struct ewi_choice){"periodic", "identified with another boundary"} : EWI_NO_CHOICE;
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

bool ewi_law_has_solid_walls(const struct ewi_law *law)
{
    return law->has_ghost(EWI_GHOST_tangential);
}

bool ewi_ghost_is_wall(int ghost)
{
    return strcmp(ghosts[ghost].kind, "wall") == 0 || strcmp(ghosts[ghost].kind, "no-slip") == 0;
}

int ewi_ghost_outputs(const struct ewi_law *law, int ghost)
{
    const ew_boundary_value *own = law->values(ghost);
    int outputs = 0;
    for (int k = 0; own && own[k].name; k++)
        outputs += own[k].outputs;
    return own ? outputs : law->info->variables;
}

/* A wall's curve and a far field's angle are not choices, but take the place of one. */
static bool is_choice(const struct ewi_law *law, int ghost)
{
    bool first = ghost == 0 || strcmp(ghosts[ghost].kind, ghosts[ghost - 1].kind) != 0;
    return law->has_ghost(ghost) && (first || ghosts[ghost].choice);
}

static void list_values(const struct ewi_law *law, int ghost, ew_boundary_kind *kind)
{
    const ew_boundary_value *own = law->values(ghost);
    const ew_law *info = law->info;
    if (!ghosts[ghost].given)
        return;
    for (int m = 0; own ? own[m].name != NULL : m < info->variables; m++)
        kind->value[kind->values++] =
            own ? own[m]
                : (ew_boundary_value){.name = info->primitive[m], .description = info->primitive_long[m], .outputs = 1};
}

int ew_law_boundary(const ew_law *law, int index, ew_boundary_kind *kind)
{
    const struct ewi_law *found = law && kind && index >= 0 ? ewi_law_find(law->name) : NULL;
    for (int k = 0; found && k < EWI_GHOST_COUNT; k++) {
        if (!is_choice(found, k) || index-- > 0)
            continue;
        *kind = (ew_boundary_kind){ghosts[k].kind, ghosts[k].choice, ghosts[k].description, .values = 0};
        list_values(found, k, kind);
        return 1;
    }
    return 0;
}

/* The ghost that a boundary has in place of its kind's number `ghost`. */
static int ghost_of(const ew_boundary *boundary, int ghost)
{
    static const struct {
        int straight, curved;
    } walls[] = {{EWI_GHOST_mirror, EWI_GHOST_curved},
                 {EWI_GHOST_adiabatic, EWI_GHOST_adiabatic_curved},
                 {EWI_GHOST_isothermal, EWI_GHOST_isothermal_curved}};
    for (size_t k = 0; boundary->curve && k < sizeof walls / sizeof *walls; k++)
        if (ghost == walls[k].straight)
            return walls[k].curved;
    return boundary->angle != 0.0 && ghost == EWI_GHOST_far ? EWI_GHOST_oblique : ghost;
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
        int own = ghost_of(boundary, k);
        if (own == EWI_GHOST_oblique && law->has_ghost(k) && !law->has_ghost(own)) {
            *wrong = "angle";
            return ewi_fail(error, EW_EINVAL, "boundary \"%s\": kind \"%s\" has no angle for the law \"%s\"; remove "
                            "\"angle\"", boundary->name, boundary->kind, law->info->name);
        }
        if (boundary->curve && law->has_ghost(k) && !law->has_ghost(own)) {
            *wrong = "curve";
            return ewi_fail(error, EW_EINVAL, "boundary \"%s\": kind \"%s\" has no curve for the law \"%s\"; leave it "
                            "out", boundary->name, boundary->kind, law->info->name);
        }
        if (!law->has_ghost(own) && !boundary->ghost && has_kind(law, boundary->kind))
            continue; /* the law has another ghost of this kind */
        if (!law->has_ghost(own)) {
            *wrong = boundary->ghost && has_kind(law, boundary->kind) ? "ghost" : "kind";
            return lacking_kind(law, boundary, error);
        }
        *ghost = own;
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
