/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of order 1 for water over a bed; README says what they are. Made by generate.c, not to be edited.
 * To remake: src/tables/generate -b 1 > src/tables/bed_p1.h
 */
#ifndef EWI_TABLES_BED_P1_H
#define EWI_TABLES_BED_P1_H

#define EWI_P1_NB 9

#define EWI_P1_BUCKET { \
    0x1.5555555555555p-3, 0x1.5555555555555p-3, 0x1.5555555555555p-3, 0x1.5555555555555p-4, 0x1.5555555555555p-4 }

#define EWI_P1_SIDE_SHARE { \
    0x1.5555555555555p-3 }

#endif
