/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables that kernels of all laws read, of one order; included between kernels/begin.h and kernels/end.h. */
static const double table_R[] = EWI_JOIN3(EWI_P, EWI_ORDER, _R);
static const double table_S[] = EWI_JOIN3(EWI_P, EWI_ORDER, _S);
static const double table_WEIGHT[] = EWI_JOIN3(EWI_P, EWI_ORDER, _WEIGHT);
static const double table_PHI[] = EWI_JOIN3(EWI_P, EWI_ORDER, _PHI);
static const double table_GRADIENT[2][EWI_JOIN3(EWI_P, EWI_ORDER, _NQ) * EWI_JOIN3(EWI_P, EWI_ORDER, _NP)] = {
    EWI_JOIN3(EWI_P, EWI_ORDER, _DR), EWI_JOIN3(EWI_P, EWI_ORDER, _DS)};
#define table_DR table_GRADIENT[0]
#define table_DS table_GRADIENT[1]
static const double table_SIDE[] = EWI_JOIN3(EWI_P, EWI_ORDER, _SIDE);
static const double table_SIDE_R[] = EWI_JOIN3(EWI_P, EWI_ORDER, _SIDE_R);
static const double table_SIDE_S[] = EWI_JOIN3(EWI_P, EWI_ORDER, _SIDE_S);
static const double table_SLOPE_R[] = EWI_JOIN3(EWI_P, EWI_ORDER, _SLOPE_R);
static const double table_SLOPE_S[] = EWI_JOIN3(EWI_P, EWI_ORDER, _SLOPE_S);
static const double table_EDGE_WEIGHT[] = EWI_JOIN3(EWI_P, EWI_ORDER, _EDGE_WEIGHT);
static const double table_REACH[] = EWI_JOIN3(EWI_P, EWI_ORDER, _REACH);
#if EWI_ORDER <= EWI_SUBCELL_ORDERS
static const double table_CV_MEAN[] = EWI_JOIN3(EWI_P, EWI_ORDER, _CV_MEAN);
static const double table_CV_LIFT[] = EWI_JOIN3(EWI_P, EWI_ORDER, _CV_LIFT);
static const int table_FACE_VOLUME[] = EWI_JOIN3(EWI_P, EWI_ORDER, _FACE_VOLUME);
static const int table_VOLUME_FIRST[] = EWI_JOIN3(EWI_P, EWI_ORDER, _VOLUME_FIRST);
static const int table_VOLUME_END[] = EWI_JOIN3(EWI_P, EWI_ORDER, _VOLUME_END);
static const double table_FACE_NORMAL[] = EWI_JOIN3(EWI_P, EWI_ORDER, _FACE_NORMAL);
static const double table_FACE_R[] = EWI_JOIN3(EWI_P, EWI_ORDER, _FACE_R);
static const double table_FACE_S[] = EWI_JOIN3(EWI_P, EWI_ORDER, _FACE_S);
static const double table_FACE_GRADIENT_R[] = EWI_JOIN3(EWI_P, EWI_ORDER, _FACE_GRADIENT_R);
static const double table_FACE_GRADIENT_S[] = EWI_JOIN3(EWI_P, EWI_ORDER, _FACE_GRADIENT_S);
static const int table_SIDE_VOLUME[] = EWI_JOIN3(EWI_P, EWI_ORDER, _SIDE_VOLUME);
static const double table_SIDE_OFFSET_R[] = EWI_JOIN3(EWI_P, EWI_ORDER, _SIDE_OFFSET_R);
static const double table_SIDE_OFFSET_S[] = EWI_JOIN3(EWI_P, EWI_ORDER, _SIDE_OFFSET_S);
#endif
#define EWI_TABLE(name) table_##name
