/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of order 3 for water over a bed; README says what they are. Made by generate.c, not to be edited.
 * To remake: src/tables/generate -b 3 > src/tables/bed_p3.h
 */
#ifndef EWI_TABLES_BED_P3_H
#define EWI_TABLES_BED_P3_H

#define EWI_P3_NB 24

#define EWI_P3_BUCKET { \
    0x1.1a6abdd22ae7p-3, 0x1.1a6abdd22ae7p-3, 0x1.1a6abdd22ae7p-3, 0x1.a0857f40e72e6p-6, 0x1.a0857f40e72e6p-6, \
    0x1.a0857f40e72e6p-6, 0x1.c888f4221a9cfp-5, 0x1.c888f4221a9cfp-5, 0x1.c888f4221a9cfp-5, 0x1.c888f4221a9cfp-5, \
    0x1.c888f4221a9cfp-5, 0x1.c888f4221a9cfp-5, 0x1.4db5b3e0523b6p-7, 0x1.38d0318d2d1fep-6, 0x1.38d0318d2d1fep-6, \
    0x1.4db5b3e0523b6p-7 }

#define EWI_P3_SIDE_SHARE { \
    0x1.dfab0b7d563d9p-5 }

#endif
