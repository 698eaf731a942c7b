/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes pages for browsers: escapes, links, and the common head and style. */
#include "html.h"
#include "cli.h"
#include "ewi_text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static unsigned code_of(const unsigned char *text, size_t length)
{
    unsigned code = length == 1 ? text[0] : text[0] & (0xffu >> (length + 1));
    for (size_t k = 1; k < length; k++)
        code = code << 6 | (text[k] & 0x3fu);
    return code;
}

/* Control characters and marks of text direction, which can make one name look like another. */
static bool is_hidden(unsigned code)
{
    return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0) || code == 0x61c ||
           code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

static void put_character(FILE *file, const unsigned char *text, size_t length)
{
    unsigned code = code_of(text, length);
    if (length == 1 && strchr("&<>\"'", *text))
        fprintf(file, "&#%u;", code);
    else if (is_hidden(code))
        fprintf(file, code < 0x80 ? "\\x%02x" : "\\u%04x", code);
    else if ((code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef)) /* invalid in XML and HTML */
        fprintf(file, "\\u%04x", code);
    else
        fwrite(text, 1, length, file);
}

static void escape(FILE *file, const char *string)
{
    for (const unsigned char *text = (const unsigned char *)string; *text;) {
        size_t length = ewi_character_length(text);
        if (length == 0)
            fprintf(file, "\\x%02x", *text);
        else
            put_character(file, text, length);
        text += length > 0 ? length : 1;
    }
}

void html_put(FILE *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    for (const char *next; (next = strstr(format, "%s")); format = next + 2) {
        fwrite(format, 1, (size_t)(next - format), file);
        escape(file, va_arg(arguments, const char *));
    }
    va_end(arguments);
    fputs(format, file);
}

/* ---- links ------------------------------------------------------------------------------------------------------- */

/* Percent-encodes a text except for the characters `safe`. `link` needs three bytes for each byte of the text. */
static void encode(const char *text, const char *safe, char *link)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~";
    static const char digits[] = "0123456789ABCDEF";
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (strchr(plain, byte) || strchr(safe, byte)) {
            *link++ = *text;
            continue;
        }
        *link++ = '%';
        *link++ = digits[byte >> 4];
        *link++ = digits[byte & 15];
    }
    *link = '\0';
}

const char *html_link(const char *name, char link[HTML_LINK])
{
    char part[EWI_NAME];
    snprintf(part, sizeof part, "%s", name);
    encode(part, "", link);
    return link;
}

char *html_link_of_path(const char *path)
{
    char *link = cli_allocate(3 * strlen(path) + 1);
    encode(path, "/", link);
    return link;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* The contrast of all texts is at least 4.5 to 1 in both schemes. */
static const char style[] =
    ":root { color-scheme: light dark; --ground: #ffffff; --text: #1b1f24; --quiet: #57606a; --line: #d0d7de;\n"
    "  --panel: #f3f5f7; --link: #0550ae; --good: #116329; --bad: #a40e26; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  :root { --ground: #14171b; --text: #e6e9ed; --quiet: #a5afba; --line: #3a424c; --panel: #1d2127;\n"
    "    --link: #79b8ff; --good: #6fd08c; --bad: #ff9a9a; } }\n"
    "* { box-sizing: border-box; }\n"
    "body { margin: 0 auto; padding: 1rem 1.5rem 3rem; max-width: 90rem; background: var(--ground);\n"
    "  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }\n"
    "h1 { font-size: 1.5rem; margin: 0.5rem 0; overflow-wrap: anywhere; }\n"
    "h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }\n"
    "a { color: var(--link); }\n"
    ":focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }\n"
    "nav ul, ul.files { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }\n"
    "nav ul { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 0.5rem 1rem; }\n"
    ".quiet, caption { color: var(--quiet); }\n"
    ".good { color: var(--good); font-weight: 600; }\n"
    ".bad { color: var(--bad); font-weight: 600; }\n"
    ".wide { overflow-x: auto; margin-bottom: 1rem; }\n"
    "table { min-width: 20rem; border-collapse: collapse; font-variant-numeric: tabular-nums; }\n"
    "caption { text-align: left; padding-bottom: 0.25rem; }\n"
    "th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.9rem 0.35rem 0;\n"
    "  border-bottom: 1px solid var(--line); }\n"
    "tbody th { font-weight: 600; min-width: 10rem; max-width: 24rem; overflow-wrap: anywhere; }\n"
    "td.text { min-width: 16rem; max-width: 44rem; overflow-wrap: anywhere; }\n"
    "td.settings { min-width: 8rem; max-width: 16rem; overflow-wrap: anywhere; }\n"
    "td.number, th.number { text-align: right; white-space: nowrap; }\n"
    "td.fixed { white-space: nowrap; }\n"
    "code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; }\n"
    "pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 0.75rem 1rem;\n"
    "  overflow-x: auto; }\n"
    "progress { width: 8rem; vertical-align: middle; }\n"
    "img { background: #ffffff; border: 1px solid var(--line); max-width: 100%; height: auto; }\n"
    "img.small { max-width: 9rem; max-height: 7rem; display: block; }\n"
    "figure { margin: 1rem 0; }\n";

/* The content security policy keeps browsers from running or loading anything, whatever the page's texts contain. */
void html_begin(FILE *file, const char *title, double refresh)
{
    char seconds[32];
    html_put(file, "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
                   "<meta charset=\"utf-8\"/>\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                   "<meta name=\"generator\" content=\"edgewise %s\"/>\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; "
                   "style-src &#39;unsafe-inline&#39;; img-src &#39;self&#39; file: data:; base-uri &#39;none&#39;; "
                   "form-action &#39;none&#39;\"/>\n", ew_version());
    snprintf(seconds, sizeof seconds, "%.0f", refresh);
    if (refresh > 0)
        html_put(file, "<meta http-equiv=\"refresh\" content=\"%s\"/>\n", seconds);
    html_put(file, "<title>%s</title>\n<style>\n", title);
    fputs(style, file);
    fputs("</style>\n</head>\n<body>\n", file);
}

void html_end(FILE *file)
{
    fputs("</body>\n</html>\n", file);
}

void html_time(FILE *file, double seconds)
{
    char exact[32], shown[64];
    struct tm parts;
    time_t whole = (time_t)(seconds > 0 && seconds < 1e11 ? seconds : 0);
    if (whole == 0 || !gmtime_r(&whole, &parts)) {
        fputs("–", file);
        return;
    }
    strftime(exact, sizeof exact, "%Y-%m-%dT%H:%M:%SZ", &parts);
    localtime_r(&whole, &parts);
    strftime(shown, sizeof shown, "%Y-%m-%d %H:%M:%S", &parts);
    html_put(file, "<time datetime=\"%s\">%s</time>", exact, shown);
}

void html_data(FILE *file, const char *type, const char *bytes, size_t count)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    html_put(file, "data:%s;base64,", type);
    for (size_t k = 0; k < count; k += 3) {
        uint32_t three = 0;
        for (size_t b = 0; b < 3; b++)
            three = three << 8 | (k + b < count ? (unsigned char)bytes[k + b] : 0);
        for (size_t b = 0; b < 4; b++)
            fputc(k + b <= count || b < 2 ? letters[three >> (18 - 6 * b) & 63] : '=', file);
    }
}

void html_put_number(FILE *file, const char *format, double value)
{
    char text[64] = "–";
    if (isfinite(value))
        snprintf(text, sizeof text, format, value);
    html_put(file, "<td class=\"number\">%s</td>", text);
}
