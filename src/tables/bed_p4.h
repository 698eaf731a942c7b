/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of order 4 for water over a bed; README says what they are. Made by generate.c, not to be edited.
 * To remake: src/tables/generate -b 4 > src/tables/bed_p4.h
 */
#ifndef EWI_TABLES_BED_P4_H
#define EWI_TABLES_BED_P4_H

#define EWI_P4_NB 31

#define EWI_P4_BUCKET { \
    0x1.1f41946d9f2f8p-3, 0x1.44434e3949b4cp-4, 0x1.44434e3949b4cp-4, 0x1.44434e3949b4cp-4, 0x1.fd3eb92f83dbep-4, \
    0x1.fd3eb92f83dbep-4, 0x1.fd3eb92f83dbep-4, 0x1.09e667389b12p-6, 0x1.09e667389b12p-6, 0x1.09e667389b12p-6, \
    0x1.be243735b23bep-7, 0x1.be243735b23bep-7, 0x1.be243735b23bep-7, 0x1.be243735b23bep-7, 0x1.be243735b23bep-7, \
    0x1.be243735b23bep-7, 0x1.33a585c76b85dp-8, 0x1.36bf243a08332p-7, 0x1.7158f758d6a0ap-7, 0x1.36bf243a08332p-7, \
    0x1.33a585c76b85dp-8 }

#define EWI_P4_SIDE_SHARE { \
    0x1.449f316514a33p-5 }

#endif
