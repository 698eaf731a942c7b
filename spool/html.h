/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pages for browsers: HTML that is also well-formed XML. They load nothing and run no script. Names and texts of jobs
 * are not trusted.
 */
#ifndef EDGEWISE_HTML_H
#define EDGEWISE_HTML_H

#include "ewi_spool.h"

#include <stdio.h>

/*
 * Writes text to a page and escapes every argument; nothing else writes texts. The format is markup; its only
 * conversion is %s.
 */
void html_put(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Percent-encodes a name for a link into the caller's buffer. */
enum { HTML_LINK = 3 * EWI_NAME };
const char *html_link(const char *name, char link[HTML_LINK]);
/* Likewise for a path, whose slashes stay. Free the result. */
char *html_link_of_path(const char *path);

/* `refresh`: seconds after which the page reloads itself; 0: never. */
void html_begin(FILE *file, const char *title, double refresh);
void html_end(FILE *file);
/* Writes a <time>, given in seconds since 1970; a dash if it is unknown. */
void html_time(FILE *file, double seconds);
/* Writes a number as a cell; a dash if it is unknown. */
void html_put_number(FILE *file, const char *format, double value);
/* Writes a file as the value of a src attribute: "data:TYPE;base64,...". */
void html_data(FILE *file, const char *type, const char *bytes, size_t count);

#endif
