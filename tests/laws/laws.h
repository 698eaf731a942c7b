/* SPDX-License-Identifier: BSD-2-Clause */
/* The laws of tests/src/limits, in place of the library's: included before everything else. */
#define EWI_LAWS(X) X(advection) X(passengers)
