/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pages for browsers: HTML that is well-formed XML, too. They need nothing but themselves, and run no script. Names and
 * texts of jobs may come from a stranger.
 */
#ifndef EDGEWISE_HTML_H
#define EDGEWISE_HTML_H

#include "ewi_spool.h"

#include <stdio.h>

/*
 * Every text comes to a page through this function, and it escapes every argument. The format is markup; its only
 * conversion is %s.
 */
void html_put(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A name as a part of a link, percent-encoded, in the caller's buffer. */
enum { HTML_LINK = 3 * EWI_NAME };
const char *html_link(const char *name, char link[HTML_LINK]);
/* A path in the same way, with its slashes; to be freed. */
char *html_link_of_path(const char *path);

/* `refresh`: the page reloads itself after so many seconds; 0: it does not. */
void html_begin(FILE *file, const char *title, double refresh);
void html_end(FILE *file);
/* "<time>", in seconds since 1970; a dash if it is not known. */
void html_time(FILE *file, double seconds);
/* A file as the value of a src attribute: "data:TYPE;base64,...". */
void html_data(FILE *file, const char *type, const char *bytes, size_t count);

#endif
