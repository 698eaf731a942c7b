/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of order 2 for water over a bed; README says what they are. Made by generate.c, not to be edited.
 * To remake: src/tables/generate -b 2 > src/tables/bed_p2.h
 */
#ifndef EWI_TABLES_BED_P2_H
#define EWI_TABLES_BED_P2_H

#define EWI_P2_NB 15

#define EWI_P2_SLOPE_R { \
    0x0p+0, 0x1.8p+2, 0x1.bb67ae8584caap+1, 0x1.202100890eb06p+1, 0x1.8c4ae0363cef8p+3, 0x1.12c0c79ef8a74p+3, 0x0p+0, \
    0x1.8p+2, 0x1.bb67ae8584caap+1, 0x1.202100890eb06p+1, -0x1.f30dcda11887bp+0, -0x1.42234eb09c399p+1, 0x0p+0, \
    0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.c9996185196b2p+3, -0x1.f30dcda11887bp+0, 0x1.38a5d26131802p+2, 0x0p+0, \
    0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.e381fdab12e49p+3, -0x1.1af72c0a553cbp+4, -0x1.bc462a315bc35p+2, 0x0p+0, \
    0x1.8p+2, 0x1.bb67ae8584caap+1, -0x1.e381fdab12e49p+3, 0x1.a2bae27150a38p+3, 0x1.0e4a001cb48e6p+4, 0x0p+0, \
    0x1.8p+2, 0x1.bb67ae8584caap+1, 0x1.46bd8d0ac9db2p+4, 0x1.a2bae27150a38p+3, 0x1.00cf901578ee9p+0 }

#define EWI_P2_SLOPE_S { \
    0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, 0x1.4de9268219de9p+3, 0x1.63499b4b1fb5bp+3, 0x0p+0, 0x0p+0, \
    0x1.bb67ae8584caap+2, 0x0p+0, 0x1.4de9268219de9p+3, -0x1.63499b4b1fb5bp+3, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, \
    0x0p+0, -0x1.f30dcda11887bp+1, 0x0p+0, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, -0x1.2666eb46b3abdp+2, \
    -0x1.7d5b8aa90b7f4p+4, 0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, -0x1.2666eb46b3abdp+2, 0x1.7d5b8aa90b7f4p+4, \
    0x0p+0, 0x0p+0, 0x1.bb67ae8584caap+2, 0x0p+0, 0x1.a2bae27150a38p+4, 0x0p+0 }

#define EWI_P2_BUCKET { \
    0x1.c1e4bdb32af64p-3, 0x1.c1e4bdb32af64p-3, 0x1.c1e4bdb32af64p-3, 0x1.c25cc272345bep-5, 0x1.c25cc272345bep-5, \
    0x1.c25cc272345bep-5, 0x1.0b12861f707a4p-6, 0x1.ab50d698b3f6dp-6, 0x1.0b12861f707a4p-6 }

#define EWI_P2_SIDE_SHARE { \
    0x1.e0baf16bca75bp-5 }

#endif
