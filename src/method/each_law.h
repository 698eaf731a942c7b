/* SPDX-License-Identifier: BSD-2-Clause */
/* Includes EWI_EACH_LAW_FILE once per law of EWI_LAWS, with the law's name as EWI_LAW. */
#ifndef EWI_EACH_LAW_H
#define EWI_EACH_LAW_H
#define EWI_LAW_COMMA(law) law,
#define EWI_LAW_ONE(law) +1
#define EWI_LAWS_ARE (0 EWI_LAWS(EWI_LAW_ONE))
#define EWI_PICK(choose, ...) choose(__VA_ARGS__)
#define EWI_FIRST(a, ...) a
#define EWI_SECOND(a, b, ...) b
#define EWI_THIRD(a, b, c, ...) c
#define EWI_FOURTH(a, b, c, d, ...) d
#define EWI_FIFTH(a, b, c, d, e, ...) e
#define EWI_SIXTH(a, b, c, d, e, f, ...) f
#define EWI_SEVENTH(a, b, c, d, e, f, g, ...) g
#define EWI_EIGHTH(a, b, c, d, e, f, g, h, ...) h
#define EWI_NINTH(a, b, c, d, e, f, g, h, i, ...) i
#endif

#define EWI_LAW EWI_PICK(EWI_FIRST, EWI_LAWS(EWI_LAW_COMMA))
#include EWI_EACH_LAW_FILE
#undef EWI_LAW
#if EWI_LAWS_ARE > 1
#define EWI_LAW EWI_PICK(EWI_SECOND, EWI_LAWS(EWI_LAW_COMMA))
#include EWI_EACH_LAW_FILE
#undef EWI_LAW
#endif
#if EWI_LAWS_ARE > 2
#define EWI_LAW EWI_PICK(EWI_THIRD, EWI_LAWS(EWI_LAW_COMMA))
#include EWI_EACH_LAW_FILE
#undef EWI_LAW
#endif
#if EWI_LAWS_ARE > 3
#define EWI_LAW EWI_PICK(EWI_FOURTH, EWI_LAWS(EWI_LAW_COMMA))
#include EWI_EACH_LAW_FILE
#undef EWI_LAW
#endif
#if EWI_LAWS_ARE > 4
#define EWI_LAW EWI_PICK(EWI_FIFTH, EWI_LAWS(EWI_LAW_COMMA))
#include EWI_EACH_LAW_FILE
#undef EWI_LAW
#endif
#if EWI_LAWS_ARE > 5
#define EWI_LAW EWI_PICK(EWI_SIXTH, EWI_LAWS(EWI_LAW_COMMA))
#include EWI_EACH_LAW_FILE
#undef EWI_LAW
#endif
#if EWI_LAWS_ARE > 6
#define EWI_LAW EWI_PICK(EWI_SEVENTH, EWI_LAWS(EWI_LAW_COMMA))
#include EWI_EACH_LAW_FILE
#undef EWI_LAW
#endif
#if EWI_LAWS_ARE > 7
#define EWI_LAW EWI_PICK(EWI_EIGHTH, EWI_LAWS(EWI_LAW_COMMA))
#include EWI_EACH_LAW_FILE
#undef EWI_LAW
#endif
#if EWI_LAWS_ARE > 8
#define EWI_LAW EWI_PICK(EWI_NINTH, EWI_LAWS(EWI_LAW_COMMA))
#include EWI_EACH_LAW_FILE
#undef EWI_LAW
#endif
#if EWI_LAWS_ARE > 9
#error "add EWI_TENTH here"
#endif
