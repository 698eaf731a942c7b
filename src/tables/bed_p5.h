/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of order 5 for water over a bed; README says what they are. Made by generate.c, not to be edited.
 * To remake: src/tables/generate -b 5 > src/tables/bed_p5.h
 */
#ifndef EWI_TABLES_BED_P5_H
#define EWI_TABLES_BED_P5_H

#define EWI_P5_NB 43

#define EWI_P5_BUCKET { \
    0x1.0751354af5d35p-4, 0x1.2cdbea6f4e401p-6, 0x1.2cdbea6f4e401p-6, 0x1.2cdbea6f4e401p-6, 0x1.4d830fa7af4d6p-5, \
    0x1.4d830fa7af4d6p-5, 0x1.4d830fa7af4d6p-5, 0x1.5932759faa4e1p-4, 0x1.5932759faa4e1p-4, 0x1.5932759faa4e1p-4, \
    0x1.5932759faa4e1p-4, 0x1.5932759faa4e1p-4, 0x1.5932759faa4e1p-4, 0x1.710c212b726fbp-6, 0x1.710c212b726fbp-6, \
    0x1.710c212b726fbp-6, 0x1.710c212b726fbp-6, 0x1.710c212b726fbp-6, 0x1.710c212b726fbp-6, 0x1.34baabbdd4207p-8, \
    0x1.34baabbdd4207p-8, 0x1.34baabbdd4207p-8, 0x1.34baabbdd4207p-8, 0x1.34baabbdd4207p-8, 0x1.34baabbdd4207p-8, \
    0x1.4ea5d6fc3dd28p-9, 0x1.6056636501af8p-8, 0x1.c8fcda715e138p-8, 0x1.c8fcda715e138p-8, 0x1.6056636501af8p-8, \
    0x1.4ea5d6fc3dd28p-9 }

#define EWI_P5_SIDE_SHARE { \
    0x1.e85314aa3f562p-6 }

#endif
