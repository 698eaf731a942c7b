/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The font: letters as strokes, made for edgewise. Units: capitals are 14 high, small letters 10, an em is 20; y points
 * up from the base line. A letter is its width and a text of these commands:
 *
 * M x y            move
 * L x y ...        lines to
 * A x y rx ry a b  on to the arc of an ellipse around (x, y), from angle a to b in degrees
 * N x y rx ry a b  the same, but moving to its start
 * D x y            a dot
 */
#include "ewi_canvas.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

struct letter {
    double width;
    const char *path;
};

static const struct letter ascii[] = {
    {5, ""},                                                                                  /* space */
    {4, "M 2 14 L 2 4.6 D 2 .5"},                                                             /* ! */
    {6, "M 1.5 14 L 1.5 10 M 4.5 14 L 4.5 10"},                                               /* " */
    {11, "M 3 0 L 5 14 M 6.5 0 L 8.5 14 M 1 4.5 L 9.6 4.5 M 1.6 9.5 L 10.2 9.5"},             /* # */
    {10.5, "N 5.3 10.5 3.8 3.5 30 270 A 5.2 3.5 4.1 3.5 90 -150 M 5.2 16 L 5.2 -2"},          /* $ */
    {14, "N 3.7 11 2.7 3 0 360 N 10.3 3 2.7 3 0 360 M 11.3 14 L 2.7 0"},                      /* % */
    {13, "M 12 0 L 3.6 9.6 A 5.4 11.3 2.4 2.7 210 -30 L 2.6 5.8 A 4.8 3.5 3.6 3.5 140 300 L 9 2.6 11.3 7"}, /* & */
    {3, "M 1.5 14 L 1.5 10"},                                                                 /* ' */
    {5.5, "N 8 5.5 6.5 10.5 120 240"},                                                        /* ( */
    {5.5, "N -2.5 5.5 6.5 10.5 60 -60"},                                                      /* ) */
    {8, "M 4 14 L 4 8 M 1.4 12.5 L 6.6 9.5 M 6.6 12.5 L 1.4 9.5"},                            /* * */
    {11, "M 5.5 1.5 L 5.5 10.5 M 1 6 L 10 6"},                                                /* + */
    {4, "M 2.4 1 L 1.2 -2.5"},                                                                /* , */
    {8, "M 1 5.5 L 7 5.5"},                                                                   /* - */
    {4, "D 2 .5"},                                                                            /* . */
    {7, "M .5 -1.5 L 6.5 15"},                                                                /* / */
    {10, "N 5 7 4 7 90 450"},                                                                 /* 0 */
    {10, "M 2 11 L 5.6 14 5.6 0"},                                                            /* 1 */
    {10, "N 5 10 4 4 165 -35 L 1 0 9 0"},                                                     /* 2 */
    {10, "N 4.8 10.6 3.5 3.4 150 -90 A 4.8 3.6 4.1 3.6 90 -150"},                             /* 3 */
    {10, "M 7 0 L 7 14 .8 4.2 9.4 4.2"},                                                      /* 4 */
    {10, "M 8.5 14 L 2.2 14 1.6 7.4 A 4.8 4.6 4.1 4.6 130 -150"},                             /* 5 */
    {10, "N 5 4.5 4 4.5 180 540 A 9 5 8 9 180 100"},                                          /* 6 */
    {10, "M 1 14 L 9 14 3.5 0"},                                                              /* 7 */
    {10, "N 5 10.6 3.4 3.4 270 630 A 5 3.6 4 3.6 90 450"},                                    /* 8 */
    {10, "N 5 9.5 4 4.5 0 360 A 1 9 8 9 0 -80"},                                              /* 9 */
    {4, "D 2 .5 D 2 8"},                                                                      /* : */
    {4, "D 2 8 M 2.4 1 L 1.2 -2.5"},                                                          /* ; */
    {11, "M 10 10.5 L 1.5 6 10 1.5"},                                                         /* < */
    {11, "M 1 8 L 10 8 M 1 4 L 10 4"},                                                        /* = */
    {11, "M 1 10.5 L 9.5 6 1 1.5"},                                                           /* > */
    {9, "N 4.5 10.6 3.5 3.4 170 -50 L 4.5 6.4 4.5 4.4 D 4.5 .5"},                             /* ? */
    {16, "N 8 5.5 2.8 3.2 0 360 M 10.8 8.7 L 10.8 4.4 A 12.6 4.4 1.8 2 180 360 A 8 5 6.4 8 10 310"}, /* @ */
    {12, "M 1 0 L 6 14 11 0 M 2.8 5 L 9.2 5"},                                                /* A */
    /* B */
    {11, "M 6 7.2 L 1.5 7.2 M 1.5 0 L 1.5 14 5.8 14 A 5.8 10.6 3.4 3.4 90 -90 A 6.1 3.6 3.9 3.6 90 -90 L 1.5 0"},
    {12, "N 6.8 7 5.8 7 45 315"},                                                             /* C */
    {12, "M 1.5 0 L 1.5 14 5 14 A 5 7 6 7 90 -90 L 1.5 0"},                                   /* D */
    {10.5, "M 9.2 14 L 1.5 14 1.5 0 9.2 0 M 1.5 7.2 L 8.2 7.2"},                              /* E */
    {10, "M 9 14 L 1.5 14 1.5 0 M 1.5 7 L 7.8 7"},                                            /* F */
    {13.5, "N 6.8 7 5.8 7 45 355 L 12.6 6.4 7.8 6.4"},                                        /* G */
    {12, "M 1.5 0 L 1.5 14 M 10.5 0 L 10.5 14 M 1.5 7.2 L 10.5 7.2"},                         /* H */
    {4, "M 2 0 L 2 14"},                                                                      /* I */
    {9, "M 7.3 14 L 7.3 4 A 4.2 4 3.1 4 0 -165"},                                             /* J */
    {11, "M 1.5 0 L 1.5 14 M 9.8 14 L 1.5 5 M 4.6 8.3 L 10.3 0"},                             /* K */
    {9.5, "M 1.5 14 L 1.5 0 9 0"},                                                            /* L */
    {14, "M 1.5 0 L 1.5 14 7 3 12.5 14 12.5 0"},                                              /* M */
    {12, "M 1.5 0 L 1.5 14 10.5 0 10.5 14"},                                                  /* N */
    {13.5, "N 6.75 7 5.75 7 0 360"},                                                          /* O */
    {10.5, "M 1.5 0 L 1.5 14 5.8 14 A 5.8 10.2 3.8 3.8 90 -90 L 1.5 6.4"},                    /* P */
    {13.5, "N 6.75 7 5.75 7 0 360 M 8 4 L 12 -1"},                                            /* Q */
    {11, "M 1.5 0 L 1.5 14 5.8 14 A 5.8 10.2 3.8 3.8 90 -90 L 1.5 6.4 M 6 6.4 L 10 0"},       /* R */
    {10.5, "N 5.3 10.5 3.8 3.5 30 270 A 5.2 3.5 4.1 3.5 90 -150"},                            /* S */
    {10.5, "M 5.25 0 L 5.25 14 M .5 14 L 10 14"},                                             /* T */
    {12, "M 1.5 14 L 1.5 5 A 6 5 4.5 5 180 360 L 10.5 14"},                                   /* U */
    {11.5, "M .75 14 L 5.75 0 10.75 14"},                                                     /* V */
    {16, "M .75 14 L 4.4 0 8 13.4 11.6 0 15.25 14"},                                          /* W */
    {11, "M 1 14 L 10 0 M 10 14 L 1 0"},                                                      /* X */
    {11, "M .75 14 L 5.5 7 10.25 14 M 5.5 7 L 5.5 0"},                                        /* Y */
    {11, "M 1.2 14 L 9.8 14 1.2 0 9.8 0"},                                                    /* Z */
    {5, "M 4.4 15 L 1.5 15 1.5 -3.5 4.4 -3.5"},                                               /* [ */
    {7, "M .5 15 L 6.5 -1.5"},                                                                /* \ */
    {5, "M .6 15 L 3.5 15 3.5 -3.5 .6 -3.5"},                                                 /* ] */
    {9, "M 1.5 9 L 4.5 14 7.5 9"},                                                            /* ^ */
    {10, "M 0 -2 L 10 -2"},                                                                   /* _ */
    {5, "M 1.2 14 L 3.6 11.4"},                                                               /* ` */
    {10.5, "N 5 5 4 5 0 360 M 9 10 L 9 0"},                                                   /* a */
    {10.5, "M 1.5 14.6 L 1.5 0 N 5.5 5 4 5 0 360"},                                           /* b */
    {9, "N 5 5 4 5 48 312"},                                                                  /* c */
    {10.5, "M 9 14.6 L 9 0 N 5 5 4 5 0 360"},                                                 /* d */
    {10, "M 1 5.2 L 9 5.2 A 5 5 4 5 2 312"},                                                  /* e */
    {6, "N 5.4 11.6 2.6 3 65 180 L 2.8 0 M .5 10 L 5.5 10"},                                  /* f */
    {10.5, "N 5 5 4 5 0 360 M 9 10 L 9 -1 A 5.2 -1 3.8 3.6 0 -155"},                          /* g */
    {10, "M 1.5 14.6 L 1.5 0 M 1.5 6 A 5 6 3.5 4 180 0 L 8.5 0"},                             /* h */
    {4, "M 2 10 L 2 0 D 2 13.6"},                                                             /* i */
    {4.5, "M 2.5 10 L 2.5 -2.2 A .5 -2.2 2 2.3 0 -90 D 2.5 13.6"},                            /* j */
    {9.3, "M 1.5 14.6 L 1.5 0 M 8 10 L 1.5 3.8 M 4 6.2 L 8.7 0"},                             /* k */
    {4, "M 2 14.6 L 2 0"},                                                                    /* l */
    {15, "M 1.5 10 L 1.5 0 M 1.5 6.5 A 4.5 6.5 3 3.5 180 0 L 7.5 0 M 7.5 6.5 A 10.5 6.5 3 3.5 180 0 L 13.5 0"}, /* m */
    {10, "M 1.5 10 L 1.5 0 M 1.5 6 A 5 6 3.5 4 180 0 L 8.5 0"},                               /* n */
    {10.4, "N 5.2 5 4.2 5 0 360"},                                                            /* o */
    {10.5, "M 1.5 10 L 1.5 -4.5 N 5.5 5 4 5 0 360"},                                          /* p */
    {10.5, "M 9 10 L 9 -4.5 N 5 5 4 5 0 360"},                                                /* q */
    {6.5, "M 1.5 10 L 1.5 0 M 1.5 6 A 5 6 3.5 4 180 75"},                                     /* r */
    {8.6, "N 4.3 7.5 3 2.5 30 270 A 4.3 2.5 3.3 2.5 90 -150"},                                /* s */
    {6, "M 2.8 13.2 L 2.8 2.6 A 5 2.6 2.2 2.6 180 285 M .5 10 L 5.4 10"},                     /* t */
    {10, "M 1.5 10 L 1.5 4 A 5 4 3.5 4 180 360 M 8.5 10 L 8.5 0"},                            /* u */
    {9, "M .7 10 L 4.5 0 8.3 10"},                                                            /* v */
    {13, "M .7 10 L 3.6 0 6.5 9.6 9.4 0 12.3 10"},                                            /* w */
    {9, "M 1 10 L 8 0 M 8 10 L 1 0"},                                                         /* x */
    {9, "M .7 10 L 4.6 0 M 8.3 10 L 4.2 -1.2 A 1.2 0 3.2 4.4 -22 -90"},                       /* y */
    {9, "M 1 10 L 8 10 1 0 8 0"},                                                             /* z */
    {6, "N 5.2 12.5 2.2 2.5 90 180 L 3 8 1.2 5.8 3 3.6 3 -1 A 5.2 -1 2.2 2.5 180 270"},       /* { */
    {4, "M 2 15 L 2 -3.5"},                                                                   /* | */
    {6, "N .8 12.5 2.2 2.5 90 0 L 3 8 4.8 5.8 3 3.6 3 -1 A .8 -1 2.2 2.5 0 -90"},             /* } */
    {11, "M 1 4.6 L 2.2 6.4 3.8 6.4 7.2 4.6 8.8 4.6 10 6.4"},                                 /* ~ */
};

/* Letters beyond ASCII that units, names and titles need. */
static const struct {
    uint32_t code;
    struct letter letter;
} others[] = {
    {0xB0, {7, "N 3.5 11.6 2.3 2.4 0 360"}},                                              /* degree */
    {0xB1, {11, "M 5.5 3.5 L 5.5 11.5 M 1.2 7.5 L 9.8 7.5 M 1.2 0 L 9.8 0"}},             /* plus or minus */
    {0xB2, {7, "N 3.4 12.6 2.2 2.2 165 -35 L 1 7.2 6 7.2"}},                              /* squared */
    {0xB3, {7, "N 3.2 13 2 1.8 150 -90 A 3.2 9.2 2.3 2 90 -150"}},                        /* cubed */
    {0xB5, {10, "M 1.5 10 L 1.5 -4.5 M 1.5 4 A 5 4 3.5 4 180 360 M 8.5 10 L 8.5 0"}},     /* micro */
    {0xB7, {4, "D 2 6"}},                                                                 /* middle dot */
    {0xD7, {10, "M 1.5 2.5 L 8.5 9.5 M 8.5 2.5 L 1.5 9.5"}},                              /* times */
    {0xDF, {10, "M 1.5 0 L 1.5 11 A 4.8 11 3.3 3.4 180 -80 A 5 3.7 4 3.7 85 -120"}},      /* sharp s */
    {0x3B3, {9, "M .7 10 L 4.5 0 8.3 10 M 4.5 0 L 4.5 -4.5"}},                            /* gamma */
    {0x3C1, {10.5, "M 1.5 -4.5 L 1.5 5 A 5.5 5 4 5 180 -180"}},                           /* rho */
    {0x2013, {10, "M 1 5.5 L 9 5.5"}},                                                    /* dash */
    {0x2019, {3, "M 1.8 14 L 1.2 10.5"}},                                                 /* apostrophe */
    {0x2212, {11, "M 1 6 L 10 6"}},                                                       /* minus */
};

static const struct letter box = {10, "M 1 0 L 1 14 9 14 9 0 1 0"};

/* U+00C0 to U+00FF: the base letter and its mark. */
static const char accented_base[] = "AAAAAAACEEEEIIIIDNOOOOO OUUUUYP aaaaaaaceeeeiiiidnooooo ouuuuypy";
static const char accented_mark[] = "`'^~:o ,`'^:`'^:-~`'^~: /`'^:'  `'^~:o ,`'^:`'^:-~`'^~: /`'^:' :";

/* The mark above a small letter, centred at x = 0. */
static const struct {
    char mark;
    const char *path;
} marks[] = {
    {'`', "M -1.6 14.4 L .8 11.8"},
    {'\'', "M 1.6 14.4 L -.8 11.8"},
    {'^', "M -2.3 11.8 L 0 14.4 2.3 11.8"},
    {'~', "M -2.6 12.2 L -1.4 13.4 1.4 12.4 2.6 13.6"},
    {':', "D -2 13.2 D 2 13.2"},
    {'o', "N 0 13.3 1.6 1.6 0 360"},
    {',', "M .6 0 L -.6 -3.4"},
    {'/', "M -4 -1 L 4 11"},
    {'-', "M -4.6 7.2 L .6 7.2"},
};

/* ---- paths ------------------------------------------------------------------------------------------------------- */

struct pen {
    struct ewi_canvas *canvas;
    struct ewi_clip clip;
    double x, y, scale, width; /* x, y: the letter's origin in pixels */
    bool upwards;
    double at_x, at_y; /* current point in pixels */
};

static void place(const struct pen *pen, double x, double y, double *px, double *py)
{
    *px = pen->x + pen->scale * (pen->upwards ? -y : x);
    *py = pen->y - pen->scale * (pen->upwards ? x : y);
}

static void move_to(struct pen *pen, double x, double y)
{
    place(pen, x, y, &pen->at_x, &pen->at_y);
}

static void line_to(struct pen *pen, double x, double y)
{
    double px, py;
    place(pen, x, y, &px, &py);
    ewi_stroke(pen->canvas, &pen->clip, pen->at_x, pen->at_y, px, py, pen->width);
    pen->at_x = px;
    pen->at_y = py;
}

static void dot(struct pen *pen, double x, double y)
{
    double px, py;
    place(pen, x, y, &px, &py);
    ewi_stroke(pen->canvas, &pen->clip, px, py, px, py, 1.5 * pen->width);
}

static void arc(struct pen *pen, const double *v, bool move)
{
    static const double degree = 3.14159265358979323846 / 180;
    int steps = (int)(fabs(v[5] - v[4]) / 12) + 1;
    for (int k = 0; k <= steps; k++) {
        double angle = degree * (v[4] + (v[5] - v[4]) * k / steps);
        double x = v[0] + v[2] * cos(angle), y = v[1] + v[3] * sin(angle);
        if (k == 0 && move)
            move_to(pen, x, y);
        else
            line_to(pen, x, y);
    }
}

static int read_values(const char **text, int most, double *values)
{
    int count = 0;
    char *end;
    for (; count < most; count++, *text = end) {
        values[count] = ewi_strtod(*text, &end);
        if (end == *text)
            break;
    }
    return count;
}

static void draw_path(struct pen *pen, const char *path)
{
    char command = 'M';
    double v[6];
    for (; *path; path++) {
        if (*path == ' ')
            continue;
        command = *path++;
        if (command == 'A' || command == 'N') {
            read_values(&path, 6, v);
            arc(pen, v, command == 'N');
        } else {
            while (read_values(&path, 2, v) == 2)
                (command == 'M' ? move_to : command == 'D' ? dot : line_to)(pen, v[0], v[1]);
        }
        path--;
    }
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

uint32_t ewi_next_code(const char **text)
{
    const unsigned char *byte = (const unsigned char *)*text;
    int more = byte[0] >= 0xF0 ? 3 : byte[0] >= 0xE0 ? 2 : byte[0] >= 0xC0 ? 1 : 0;
    uint32_t code = more ? byte[0] & (0x3Fu >> more) : byte[0];
    for (int k = 1; k <= more; k++) {
        if ((byte[k] & 0xC0) != 0x80) {
            ++*text;
            return byte[0];
        }
        code = code << 6 | (byte[k] & 0x3F);
    }
    *text += more + 1;
    return code;
}

uint32_t ewi_title_code(const char **title)
{
    uint32_t code = ewi_next_code(title);
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < ' ' || code == 0x7F || surrogate || code >= 0xFFFE ? '?' : code;
}

static struct letter find_letter(uint32_t code, char *mark)
{
    *mark = ' ';
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (others[k].code == code)
            return others[k].letter;
    if (code >= 0xC0 && code <= 0xFF) {
        *mark = accented_mark[code - 0xC0];
        code = (unsigned char)accented_base[code - 0xC0];
    }
    if (code == 0xA0 || code == '\t' || code == '\n')
        code = ' ';
    return code >= ' ' && code - ' ' < sizeof ascii / sizeof *ascii ? ascii[code - ' '] : box;
}

double ewi_text_width(const char *text, double size)
{
    double width = 0;
    char mark;
    while (*text)
        width += find_letter(ewi_next_code(&text), &mark).width;
    return width * size / 20;
}

bool ewi_text_lacks(const char *text)
{
    char mark;
    while (*text)
        if (find_letter(ewi_next_code(&text), &mark).path == box.path)
            return true;
    return false;
}

void ewi_text_cut(const char *text, double size, double room, char *cut, size_t bytes)
{
    static const char dots[] = "...";
    const char *at = text;
    double width = 0;
    char mark;
    size_t kept = 0;
    bool fits = ewi_text_width(text, size) <= room && strlen(text) < bytes;
    while (*at && !fits) {
        width += find_letter(ewi_next_code(&at), &mark).width * size / 20;
        if (width + ewi_text_width(dots, size) > room || (size_t)(at - text) + sizeof dots > bytes)
            break;
        kept = (size_t)(at - text);
    }
    ewi_snprintf(cut, bytes, "%.*s%s", fits ? (int)strlen(text) : (int)kept, text, fits ? "" : dots);
}

static void draw_mark(struct pen *pen, char mark, struct letter letter, bool capital)
{
    struct pen raised = *pen;
    bool above = mark != ',' && mark != '/' && mark != '-';
    double middle = letter.width / 2 * pen->scale, lift = capital && above ? 3.6 * pen->scale : 0;
    raised.x += pen->upwards ? -lift : middle;
    raised.y -= pen->upwards ? middle : lift;
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        if (marks[k].mark == mark)
            draw_path(&raised, marks[k].path);
}

void ewi_text(struct ewi_canvas *canvas, double x, double y, double size, enum ewi_align align, bool upwards,
              const char *text)
{
    double shift = align == EWI_LEFT ? 0 : ewi_text_width(text, size) * (align == EWI_CENTRE ? 0.5 : 1);
    struct pen pen = {.canvas = canvas, .clip = {0, 0, canvas->width, canvas->height}, .x = upwards ? x : x - shift,
                      .y = upwards ? y + shift : y, .scale = size / 20, .width = fmax(1.05, size / 14),
                      .upwards = upwards};
    while (*text) {
        char mark;
        uint32_t code = ewi_next_code(&text);
        struct letter letter = find_letter(code, &mark);
        draw_path(&pen, letter.path);
        if (mark != ' ')
            draw_mark(&pen, mark, letter, code < 0xE0);
        *(upwards ? &pen.y : &pen.x) += (upwards ? -1 : 1) * letter.width * pen.scale;
    }
}
