/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Control volumes of order 1; README says what they are. Made by generate.c, not to be edited.
 * To remake: src/tables/generate -v 1 > src/tables/volumes_p1.h
 */
#ifndef EWI_TABLES_VOLUMES_P1_H
#define EWI_TABLES_VOLUMES_P1_H

#define EWI_P1_FACES 3

#define EWI_P1_CV_AREA { \
    0x1.5555555555555p-3, 0x1.5555555555555p-3, 0x1.5555555555555p-3 }

#define EWI_P1_CV_MEAN { \
    0x1.6a09e667f3bcdp+0, -0x1.aaaaaaaaaaaabp-1, -0x1.7181116f43fe3p+0, 0x1.6a09e667f3bcdp+0, 0x1.aaaaaaaaaaaabp+0, \
    0x0p+0, 0x1.6a09e667f3bcdp+0, -0x1.aaaaaaaaaaaabp-1, 0x1.7181116f43fe3p+0 }

#define EWI_P1_CV_LIFT { \
    0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bcdp+0, -0x1.3333333333333p+0, 0x1.3333333333333p+1, \
    -0x1.3333333333333p+0, -0x1.0a0b02501c799p+1, 0x0p+0, 0x1.0a0b02501c799p+1 }

#define EWI_P1_FACE_VOLUME { \
    0, 1, 1, 2, 0, 2 }

#define EWI_P1_VOLUME_FIRST { \
    0, 2, 4, 6 }

#define EWI_P1_VOLUME_END { \
    0, 4, 1, 2, 3, 5 }

#define EWI_P1_FACE_NORMAL { \
    0x1.5555555555555p-2, 0x1.5555555555555p-3, -0x1.5555555555555p-3, 0x1.5555555555555p-3, 0x1.5555555555555p-3, \
    0x1.5555555555555p-2 }

#define EWI_P1_FACE_R { \
    0x1.c71c71c71c71cp-3, -0x1.8e38e38e38e39p-3, -0x1.8e38e38e38e39p-3, 0x1.c71c71c71c71cp-3, -0x1.c71c71c71c71cp-6, \
    -0x1.c71c71c71c71cp-6 }

#define EWI_P1_FACE_S { \
    -0x1.c71c71c71c71cp-6, -0x1.c71c71c71c71cp-6, 0x1.c71c71c71c71cp-3, -0x1.8e38e38e38e39p-3, 0x1.c71c71c71c71cp-3, \
    -0x1.8e38e38e38e39p-3 }

#define EWI_P1_FACE_PHI { \
    0x1.6a09e667f3bcdp+0, 0x1p-1, -0x1.bb67ae8584caap-1, 0x1.6a09e667f3bcdp+0, 0x1p-1, 0x1.bb67ae8584caap-1, \
    0x1.6a09e667f3bcdp+0, -0x1p+0, 0x0p+0 }

#define EWI_P1_FACE_GRADIENT_R { \
    0x1.3333333333333p+1, -0x1.3333333333333p+1, 0x0p+0, 0x1.3333333333333p+1, 0x0p+0, -0x1.3333333333333p+1 }

#define EWI_P1_FACE_GRADIENT_S { \
    0x0p+0, -0x1.3333333333333p+1, 0x1.3333333333333p+1, 0x0p+0, 0x1.3333333333333p+1, -0x1.3333333333333p+1 }

#define EWI_P1_SIDE_VOLUME { \
    0, 1, 1, 2, 2, 0 }

#define EWI_P1_SIDE_OFFSET_R { \
    0x1.14919dfe05c74p-6, 0x1.6ba6afce782aap-3, 0x1.6ba6afce782aap-3, 0x1.14919dfe05c74p-6, -0x1.8e38e38e38e39p-3, \
    -0x1.8e38e38e38e39p-3 }

#define EWI_P1_SIDE_OFFSET_S { \
    -0x1.8e38e38e38e39p-3, -0x1.8e38e38e38e39p-3, 0x1.14919dfe05c74p-6, 0x1.6ba6afce782aap-3, 0x1.6ba6afce782aap-3, \
    0x1.14919dfe05c74p-6 }

#endif
