/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of limiters. */
#include "ewi_limiters.h"
#include "ewi_laws.h"
#include "ewi_text.h"
#include "edgewise.h"

#include <string.h>

#define EWI_LIMITER_ROW(limiter, name, first, last, kind, operations, description) \
    {EWI_LIMITER_##limiter, name, description, #limiter, first, last, kind, operations},
static const struct ewi_limiter limiters[] = {EWI_LIMITERS(EWI_LIMITER_ROW)};

const struct ewi_limiter *ewi_limiter_at(int index)
{
    return index >= 0 && index < EWI_LIMITER_COUNT ? &limiters[index] : NULL;
}

struct ewi_choice ewi_limiter_choice(int index)
{
    const struct ewi_limiter *limiter = ewi_limiter_at(index - 1);
    if (index == 0)
        return (struct ewi_choice){"none", "no limiter"};
    return limiter ? (struct ewi_choice){limiter->name, limiter->description} : EWI_NO_CHOICE;
}

bool ewi_limiter_find(const char *name, const struct ewi_limiter **limiter)
{
    name = name ? name : EW_DEFAULT_LIMITER;
    for (int k = 0; (*limiter = ewi_limiter_at(k)); k++)
        if (strcmp((*limiter)->name, name) == 0)
            return true;
    return strcmp(name, "none") == 0;
}

bool ewi_limiter_has_sensor(const struct ewi_limiter *limiter)
{
    return limiter && limiter->kind == EWI_LIMITER_JUMP_SENSOR;
}

bool ewi_limiter_by_means(const struct ewi_limiter *limiter)
{
    return limiter && limiter->kind == EWI_LIMITER_CELL_MEANS;
}

bool ewi_limiter_has_subcells(const struct ewi_limiter *limiter)
{
    return limiter && limiter->kind == EWI_LIMITER_SUBCELLS;
}

bool ewi_limiter_has_law(const struct ewi_limiter *limiter, const struct ewi_law *law)
{
    if (ewi_limiter_has_subcells(limiter))
        return law->has_subcells;
    return !ewi_limiter_has_sensor(limiter) || law->jump_count > 0;
}

bool ewi_limiter_acts(const struct ewi_limiter *limiter, bool last)
{
    return ewi_limiter_by_means(limiter) || (last && ewi_limiter_has_sensor(limiter));
}

bool ewi_limiter_has_order(const struct ewi_limiter *limiter, int order)
{
    return limiter->first_order <= order && order <= limiter->last_order;
}

const char *ewi_limiter_orders(const struct ewi_limiter *limiter, char *text, size_t size)
{
    if (limiter->first_order == limiter->last_order)
        ewi_snprintf(text, size, "order %d", limiter->first_order);
    else
        ewi_snprintf(text, size, "orders %d to %d", limiter->first_order, limiter->last_order);
    return text;
}
