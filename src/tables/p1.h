/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Basis and quadrature tables of order 1; README says what they are. Made by generate.c, not to be edited.
 * To remake: src/tables/generate 1 > src/tables/p1.h
 */
#ifndef EWI_TABLES_P1_H
#define EWI_TABLES_P1_H

#define EWI_P1_NP 3
#define EWI_P1_NQ 3
#define EWI_P1_NE 2
#define EWI_P1_NF 16

#define EWI_P1_R { \
    0x1.5555555555555p-3, 0x1.5555555555555p-3, 0x1.5555555555555p-1 }

#define EWI_P1_S { \
    0x1.5555555555555p-3, 0x1.5555555555555p-1, 0x1.5555555555555p-3 }

#define EWI_P1_WEIGHT { \
    0x1.5555555555555p-3, 0x1.5555555555555p-3, 0x1.5555555555555p-3 }

#define EWI_P1_PHI { \
    0x1.6a09e667f3bcdp+0, -0x1p+0, -0x1.bb67ae8584caap+0, 0x1.6a09e667f3bcdp+0, -0x1p+0, 0x1.bb67ae8584caap+0, \
    0x1.6a09e667f3bcdp+0, 0x1p+1, 0x0p+0 }

#define EWI_P1_DR { \
    0x0p+0, 0x1p+0, 0x1.279a74590331cp-1, 0x0p+0, 0x1p+0, 0x1.279a74590331cp-1, 0x0p+0, 0x1p+0, 0x1.279a74590331cp-1 }

#define EWI_P1_DS { \
    0x0p+0, 0x0p+0, 0x1.279a74590331cp+0, 0x0p+0, 0x0p+0, 0x1.279a74590331cp+0, 0x0p+0, 0x0p+0, 0x1.279a74590331cp+0 }

#define EWI_P1_PROJECT { \
    0x1.e2b7dddfefa66p-3, -0x1.5555555555555p-3, -0x1.279a74590331cp-2, 0x1.e2b7dddfefa66p-3, -0x1.5555555555555p-3, \
    0x1.279a74590331cp-2, 0x1.e2b7dddfefa66p-3, 0x1.5555555555555p-2, 0x0p+0 }

#define EWI_P1_EDGE_T { \
    0x1.b0cb174df99c7p-3, 0x1.93cd3a2c8198ep-1 }

#define EWI_P1_EDGE_WEIGHT { \
    0x1p-1, 0x1p-1 }

#define EWI_P1_SIDE { \
    0x1.6a09e667f3bcdp+0, -0x1.76cf5d0b09955p-1, -0x1.5db3d742c2655p+1, 0x1.6a09e667f3bcdp+0, 0x1.5db3d742c2655p+1, \
    -0x1.76cf5d0b09955p-1, 0x1.6a09e667f3bcdp+0, 0x1.5db3d742c2655p+1, 0x1.76cf5d0b09955p-1, 0x1.6a09e667f3bcdp+0, \
    -0x1.76cf5d0b09955p-1, 0x1.5db3d742c2655p+1, 0x1.6a09e667f3bcdp+0, -0x1p+1, 0x1p+1, 0x1.6a09e667f3bcdp+0, -0x1p+1, \
    -0x1p+1 }

#define EWI_P1_VERTEX { \
    0x1.6a09e667f3bcdp+0, -0x1p+1, -0x1.bb67ae8584caap+1, 0x1.6a09e667f3bcdp+0, 0x1p+2, 0x0p+0, 0x1.6a09e667f3bcdp+0, \
    -0x1p+1, 0x1.bb67ae8584caap+1 }

#define EWI_P1_FINE_R { \
    0x1.d3cc2dd8d6d32p-5, 0x1.d3cc2dd8d6d32p-5, 0x1.d3cc2dd8d6d32p-5, 0x1.d3cc2dd8d6d32p-5, 0x1.1b7cbc26ceaaep-2, \
    0x1.1b7cbc26ceaaep-2, 0x1.1b7cbc26ceaaep-2, 0x1.1b7cbc26ceaaep-2, 0x1.2acc5d7a90e51p-1, 0x1.2acc5d7a90e51p-1, \
    0x1.2acc5d7a90e51p-1, 0x1.2acc5d7a90e51p-1, 0x1.b8716522b33bep-1, 0x1.b8716522b33bep-1, 0x1.b8716522b33bep-1, \
    0x1.b8716522b33bep-1 }

#define EWI_P1_FINE_S { \
    0x1.0c271e894c957p-4, 0x1.3ea1eb9e41886p-2, 0x1.4372475351ceap-1, 0x1.c13e595149002p-1, 0x1.9b5242a3deef3p-5, \
    0x1.e8c0a0e63f095p-3, 0x1.f022f36611d07p-2, 0x1.588c7dc25abbap-1, 0x1.d9b2120cfd1bp-6, 0x1.196f2ff0d4344p-3, \
    0x1.1dafad12741bcp-2, 0x1.8ccc23ea0e643p-2, 0x1.3df93fe2422fp-7, 0x1.79d5031a4b736p-5, 0x1.7f8a555d40678p-4, \
    0x1.0a5ad7770eedap-3 }

#define EWI_P1_FINE_WEIGHT { \
    0x1.8224e6a7151d5p-6, 0x1.69f6d8c594c15p-5, 0x1.69f6d8c594c15p-5, 0x1.8224e6a7151d5p-6, 0x1.21e628494f1b6p-5, \
    0x1.0fbef3e75628dp-4, 0x1.0fbef3e75628dp-4, 0x1.21e628494f1b6p-5, 0x1.72045e450ed89p-6, 0x1.5ad8d6848fc41p-5, \
    0x1.5ad8d6848fc41p-5, 0x1.72045e450ed89p-6, 0x1.636aa1ecadb8ep-8, 0x1.4d2927a8e16e3p-7, 0x1.4d2927a8e16e3p-7, \
    0x1.636aa1ecadb8ep-8 }

#define EWI_P1_FINE_PHI { \
    0x1.6a09e667f3bcdp+0, -0x1.a849b76757b87p+0, -0x1.680726adeee57p+1, 0x1.6a09e667f3bcdp+0, -0x1.a849b76757b87p+0, \
    -0x1.1c48215bcce71p+0, 0x1.6a09e667f3bcdp+0, -0x1.a849b76757b87p+0, 0x1.1c48215bcce71p+0, 0x1.6a09e667f3bcdp+0, \
    -0x1.a849b76757b87p+0, 0x1.680726adeee57p+1, 0x1.6a09e667f3bcdp+0, -0x1.5b13971727fe9p-2, -0x1.141fe505f81a1p+1, \
    0x1.6a09e667f3bcdp+0, -0x1.5b13971727fe9p-2, -0x1.b40fc6eb92801p-1, 0x1.6a09e667f3bcdp+0, -0x1.5b13971727fe9p-2, \
    0x1.b40fc6eb92801p-1, 0x1.6a09e667f3bcdp+0, -0x1.5b13971727fe9p-2, 0x1.141fe505f81a1p+1, 0x1.6a09e667f3bcdp+0, \
    0x1.8065186fb2af3p+0, -0x1.3dff436e98897p+0, 0x1.6a09e667f3bcdp+0, 0x1.8065186fb2af3p+0, -0x1.f63006518e706p-2, \
    0x1.6a09e667f3bcdp+0, 0x1.8065186fb2af3p+0, 0x1.f63006518e706p-2, 0x1.6a09e667f3bcdp+0, 0x1.8065186fb2af3p+0, \
    0x1.3dff436e98897p+0, 0x1.6a09e667f3bcdp+0, 0x1.94aa17b40cd9dp+1, -0x1.aaeb2162b9b43p-2, 0x1.6a09e667f3bcdp+0, \
    0x1.94aa17b40cd9dp+1, -0x1.511966857ada7p-3, 0x1.6a09e667f3bcdp+0, 0x1.94aa17b40cd9dp+1, 0x1.511966857ada7p-3, \
    0x1.6a09e667f3bcdp+0, 0x1.94aa17b40cd9dp+1, 0x1.aaeb2162b9b43p-2 }

#define EWI_P1_NORM { \
    0x1.6a09e667f3bcdp+0, 0x1p+1, 0x1.bb67ae8584caap+1 }

#endif
