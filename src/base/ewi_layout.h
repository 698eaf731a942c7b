/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The one place that knows where a number of the state lies. Arrays over elements (or edges) are kept in tiles of
 * `width` items: rows of `width` doubles, one for each (variable m, basis function j), row = m * NP + j. width = 8 is
 * the default; width = all items, rounded up to EWI_TILE, is the paper's c[m][j][i] (its section "Data Structure and
 * Memory Management").
 */
#ifndef EWI_LAYOUT_H
#define EWI_LAYOUT_H

#include "ewi_hd.h"

#include <stdint.h>

/* Items are padded to a multiple of this, the widest vector; every tile width is one too. */
#define EWI_TILE 8

/* Where item i's first row lies; its row r is r * width further. */
EW_HD int64_t ewi_layout_base(int64_t width, int64_t rows, int64_t i)
{
    if (width == EWI_TILE) /* no division */
        return i / EWI_TILE * (rows * EWI_TILE) + i % EWI_TILE;
    return i / width * (rows * width) + i % width;
}

EW_HD int64_t ewi_layout_index(int64_t width, int64_t rows, int64_t row, int64_t i)
{
    return ewi_layout_base(width, rows, i) + row * width;
}

EW_HD int64_t ewi_layout_padded(int64_t items)
{
    return (items + EWI_TILE - 1) / EWI_TILE * EWI_TILE;
}

/* Elements, or slots of edges, or what else is numbered: first .. last - 1. */
struct ewi_range {
    int32_t first, last;
};

#endif
