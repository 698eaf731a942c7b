/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a module's order in constant memory; included between kernels/begin.h and kernels/end.h. */
EWI_CONSTANT double table_R[] = EWI_JOIN3(EWI_P, EWI_ORDER, _R);
EWI_CONSTANT double table_S[] = EWI_JOIN3(EWI_P, EWI_ORDER, _S);
EWI_CONSTANT double table_WEIGHT[] = EWI_JOIN3(EWI_P, EWI_ORDER, _WEIGHT);
EWI_CONSTANT double table_PHI[] = EWI_JOIN3(EWI_P, EWI_ORDER, _PHI);
EWI_CONSTANT double table_DR[] = EWI_JOIN3(EWI_P, EWI_ORDER, _DR);
EWI_CONSTANT double table_DS[] = EWI_JOIN3(EWI_P, EWI_ORDER, _DS);
EWI_CONSTANT double table_SIDE[] = EWI_JOIN3(EWI_P, EWI_ORDER, _SIDE);
EWI_CONSTANT double table_SIDE_R[] = EWI_JOIN3(EWI_P, EWI_ORDER, _SIDE_R);
EWI_CONSTANT double table_SIDE_S[] = EWI_JOIN3(EWI_P, EWI_ORDER, _SIDE_S);
EWI_CONSTANT double table_SLOPE_R[] = EWI_JOIN3(EWI_P, EWI_ORDER, _SLOPE_R);
EWI_CONSTANT double table_SLOPE_S[] = EWI_JOIN3(EWI_P, EWI_ORDER, _SLOPE_S);
EWI_CONSTANT double table_EDGE_WEIGHT[] = EWI_JOIN3(EWI_P, EWI_ORDER, _EDGE_WEIGHT);
EWI_CONSTANT double table_REACH[] = EWI_JOIN3(EWI_P, EWI_ORDER, _REACH);
#define EWI_TABLE(name) table_##name
