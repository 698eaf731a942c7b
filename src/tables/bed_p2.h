/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of order 2 for water over a bed; README says what they are. Made by generate.c, not to be edited.
 * To remake: src/tables/generate -b 2 > src/tables/bed_p2.h
 */
#ifndef EWI_TABLES_BED_P2_H
#define EWI_TABLES_BED_P2_H

#define EWI_P2_NB 15

#define EWI_P2_BUCKET { \
    0x1.c1e4bdb32af64p-3, 0x1.c1e4bdb32af64p-3, 0x1.c1e4bdb32af64p-3, 0x1.c25cc272345bep-5, 0x1.c25cc272345bep-5, \
    0x1.c25cc272345bep-5, 0x1.0b12861f707a4p-6, 0x1.ab50d698b3f6dp-6, 0x1.0b12861f707a4p-6 }

#define EWI_P2_SIDE_SHARE { \
    0x1.e0baf16bca75bp-5 }

#endif
