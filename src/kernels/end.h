/* SPDX-License-Identifier: BSD-2-Clause */
/* Forgets the names that begin.h has made. */
#undef EWI_K
#undef EWI_L
#undef EWI_NP
#undef EWI_NQ
#undef EWI_NE
#undef EWI_M
#undef EWI_FIELDS
#undef EWI_MEDIA
#undef EWI_FIELD_ROOM
#undef EWI_HAS_BOUND
#undef EWI_ROWS
#undef EWI_HAS_DIFFUSION
#undef EWI_DIFFUSION
#undef EWI_FIRST_DIFFUSING
#undef EWI_DIFFUSING
#undef EWI_HAS_POSITIVE
#undef EWI_OWN_FLOOR
#undef EWI_THIN
#undef EWI_JUMP_COUNT
#undef EWI_JUMPS
#undef EWI_PHI
#undef EWI_DR
#undef EWI_DS
#undef EWI_SIDE
