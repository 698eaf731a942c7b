/* SPDX-License-Identifier: BSD-2-Clause */
/* From the classes of elements to the ranges of elements and edges that belong to each list. */
#include "ewi_element_lists.h"
#include "ewi_error.h"
#include "ewi_host.h"

int ewi_class_of_unit(const struct ewi_plan *plan, int classes, int32_t unit, int32_t number)
{
    const struct ewi_grid *grid = plan->grid;
    int32_t first = number * unit, last = first + unit < grid->elements ? first + unit : grid->elements;
    int least = classes - 1;
    if (!plan->element_class)
        return first < last ? 0 : least;
    for (int32_t i = first; i < last; i++)
        least = i == first || plan->element_class[i] < least ? plan->element_class[i] : least;
    return least;
}

struct making {
    const struct ewi_plan *plan;
    int32_t unit, units, most;
    unsigned classes;       /* of the list, a bit each */
    const uint8_t *of_unit; /* [units]: class */
};

static bool is_listed(const struct making *making, int32_t element)
{
    return making->classes >> making->of_unit[element / making->unit] & 1;
}

/* Appends a tile to the last range, *open, or begins a new one. Without an array, only counts. */
static void add_tile(struct ewi_ranges *ranges, struct ewi_range *open, int32_t first, int32_t most)
{
    if (ranges->count == 0 || open->last != first || first - open->first >= most) {
        ranges->count++;
        open->first = first;
    }
    open->last = first + EWI_TILE;
    if (ranges->range)
        ranges->range[ranges->count - 1] = *open;
}

static void add_elements(const struct making *making, struct ewi_ranges *ranges)
{
    struct ewi_range open = {0, 0};
    ranges->count = 0;
    for (int32_t i = 0; i < making->plan->grid->padded; i += EWI_TILE)
        if (is_listed(making, i))
            add_tile(ranges, &open, i, making->most);
}

static bool has_listed_edge(const struct making *making, int32_t first)
{
    const struct ewi_grid *grid = making->plan->grid;
    for (int32_t slot = first; slot < first + EWI_TILE; slot++)
        if (is_listed(making, grid->left[slot]) || is_listed(making, grid->right[slot]))
            return true;
    return false;
}

static void add_slots(const struct making *making, struct ewi_ranges *ranges)
{
    const struct ewi_grid *grid = making->plan->grid;
    ranges->count = 0;
    for (int32_t g = 0; g < grid->groups; g++) {
        struct ewi_range open = {-1, -1};
        for (int32_t slot = grid->group[g].first; slot < grid->group[g].first + grid->group[g].padded; slot += EWI_TILE)
            if (has_listed_edge(making, slot))
                add_tile(ranges, &open, slot, making->most);
    }
}

static bool allocate_ranges(const struct making *making, struct ewi_ranges *ranges)
{
    return (ranges->range = ewi_alloc(&making->plan->host, (size_t)ranges->count, sizeof *ranges->range));
}

/* Counts first, then fills. */
static bool make_list(const struct making *making, struct ewi_listed *listed)
{
    add_elements(making, &listed->elements);
    add_slots(making, &listed->slots);
    listed->unit = ewi_alloc(&making->plan->host, (size_t)making->units, sizeof *listed->unit);
    if (!listed->unit || !allocate_ranges(making, &listed->elements) || !allocate_ranges(making, &listed->slots))
        return false;
    add_elements(making, &listed->elements);
    add_slots(making, &listed->slots);
    for (int32_t number = 0; number < making->units; number++)
        if (is_listed(making, number * making->unit))
            listed->unit[listed->units++] = number;
    return true;
}

static int classify(const struct ewi_plan *plan, const struct ewi_step *step, struct making *making, uint8_t *of_unit,
                    ew_error *error)
{
    making->of_unit = of_unit;
    for (int32_t number = 0; number < making->units; number++) {
        int class = ewi_class_of_unit(plan, step->classes, making->unit, number);
        of_unit[number] = step->lists > 1 ? (uint8_t)class : 0;
        if (step->lists > 1 && class >= step->classes)
            return ewi_fail(error, EW_EINVAL, "an element is of class %d, and the step's lists have %d classes", class,
                            step->classes);
    }
    return EW_OK;
}

int ewi_element_lists_create(const struct ewi_plan *plan, const struct ewi_step *step, int32_t unit, int32_t most,
                             struct ewi_element_lists *lists, ew_error *error)
{
    struct making making = {.plan = plan, .unit = unit, .most = most};
    making.units = (plan->grid->padded + unit - 1) / unit;
    uint8_t *of_unit = ewi_alloc(&plan->host, (size_t)making.units, 1);
    bool complete = of_unit;
    int status = complete ? classify(plan, step, &making, of_unit, error) : EW_OK;
    for (int k = 0; complete && status == EW_OK && k < step->lists; k++) {
        making.classes = ewi_step_classes(step, &(struct ewi_operation){.elements = k});
        complete = make_list(&making, &lists->list[k]);
    }
    ewi_free(&plan->host, of_unit);
    return complete ? status : ewi_fail(error, EW_ENOMEM, "not enough memory for the lists of elements");
}

void ewi_element_lists_destroy(const ew_host *host, struct ewi_element_lists *lists)
{
    for (int k = 0; k < EWI_MAX_ELEMENT_LISTS; k++) {
        ewi_free(host, lists->list[k].elements.range);
        ewi_free(host, lists->list[k].slots.range);
        ewi_free(host, lists->list[k].unit);
    }
}
