/* SPDX-License-Identifier: BSD-2-Clause */
/* Fields read back, and pictures of them decoded again by libpng: the pictures show the solver's values. */
#include "config.h"
#include "edgewise-plot.h"
#include "ewi_canvas.h"
#include "small-case.h"
#include "tap.h"

#include <errno.h>
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef EWI_HAVE_PNG
#include <png.h>
#endif

/* ---- reading back ------------------------------------------------------------------------------------------------ */

static const double somewhere[] = {0, 0, 1, 0, 0, 1, 0.5, 0.5, 0.25, 0.125, 0.1, 0.7, 1.0 / 3, 1.0 / 3};

enum { POINTS = sizeof somewhere / sizeof *somewhere / 2, ELEMENTS = 64 };

static double largest_difference(const ew_results *results, const char *name, const double *expected, int m)
{
    static double got[ELEMENTS * POINTS];
    double largest = 0;
    expect(ew_results_sample(results, 0, field_of(results, name), 0, ELEMENTS, POINTS, somewhere, got, &error), name);
    for (int k = 0; k < ELEMENTS * POINTS; k++)
        largest = fmax(largest, fabs(got[k] - expected[4 * k + m]));
    return largest;
}

/* Quantities that are not in the file follow from the state and its gradient. */
static void test_derived(ew_solver *solver, const ew_results *results)
{
    static double expected[4 * ELEMENTS * POINTS];
    const ew_law *law = ew_law_find("euler");
    const char *name;
    for (int k = 0, d = 0; law->derived[d] && (name = ew_law_output(law, k, NULL)); k++) {
        if (strcmp(name, law->derived[d]) != 0)
            continue;
        static double one[ELEMENTS * POINTS];
        expect(ew_solver_sample_outputs(solver, 0, ELEMENTS, POINTS, somewhere, 1, &k, one, &error), name);
        double most = 1;
        for (int i = 0; i < ELEMENTS * POINTS; i++)
            most = fmax(most, fabs(expected[4 * i] = one[i]));
        double largest = largest_difference(results, name, expected, 0) / most;
        ok(largest < 1e-9, "%s is derived from what is in the file (%.1e)", name, largest);
        d++;
    }
}

/* The state is smooth but not a polynomial, so that no value is exact by chance. */
static void test_reading_back(int order, int subdivide)
{
    static const char *const primitive[] = {"rho", "u", "v", "p"}, *const conserved[] = {"rho", "rho_u", "rho_v", "E"};
    static double expected[ELEMENTS * POINTS * 4];
    char settings[2][64];
    snprintf(settings[0], sizeof settings[0], "order=%d", order);
    snprintf(settings[1], sizeof settings[1], "output.fields.subdivide=%d", subdivide);
    struct setup setup = write_fields(6, (const char *const[]){settings[0], settings[1], "initial.rho=2 + sin(3*x + y)",
                                                               "initial.u=cos(2*y - x)", "initial.v=exp(x/3)",
                                                               "initial.p=2 + x*cos(4*y)"});
    ew_results *results = open_results(NULL);
    for (int kind = 1; kind >= 0; kind--) {
        expect(ew_solver_sample(setup.solver, 0, ELEMENTS, POINTS, somewhere, kind, expected, &error),
               "ew_solver_sample");
        double largest = 0;
        for (int m = 0; m < 4; m++)
            largest = fmax(largest, largest_difference(results, kind ? primitive[m] : conserved[m], expected, m));
        ok(largest < 1e-11, "order %d, subdivide %d: the %s variables come back (%.1e)", order, subdivide,
           kind ? "primitive" : "conserved", largest);
    }
    test_derived(setup.solver, results);
    ew_results_close(results);
    unmake(&setup);
}

static void test_info(void)
{
    ew_results *results = results_of(0, NULL);
    ew_results_info info;
    ew_results_get_info(results, &info);
    is_str(info.title, "a small case", "the title comes back");
    is_str(info.case_name, "small", "the case's name comes back");
    is_str(info.version, ew_version(), "the version comes back");
    is_str(info.status, "complete", "the status comes back");
    is_int(info.elements, 64, "the number of elements");
    is_int(info.frames, 1, "the number of frames");
    is_int(info.order, 2, "the order");
    is_int(info.subdivide, 2, "subdivide is the order");
    ok(info.xmin == 0 && info.ymin == 0 && info.xmax == 2 && info.ymax == 1, "the extent is the rectangle's");
    const char *long_name, *units;
    is_str(ew_results_field(results, field_of(results, "p"), &long_name, &units), "p", "a field's name");
    is_str(long_name, "pressure", "a field in words");
    ok(ew_results_field(results, 1000, NULL, NULL) == NULL, "beyond the last field there is none");
    ok(ew_results_time(results, 0, NULL) == 0 && isnan(ew_results_time(results, 1, NULL)), "times of frames");
    int k;
    is_int(ew_results_find(results, "presure", &k, &error), EW_EINVAL, "a field that is not there");
    contains(error.message, "it has rho, u, v, p", "... the others are named");
    is_int(ew_results_find(results, "rho_w", &k, &error), EW_EINVAL, "a misspelt field");
    contains(error.message, "did you mean \"rho_", "... the nearest one is named");
    double value[1];
    is_int(ew_results_sample(results, 1, 0, 0, 1, 1, somewhere, value, &error), EW_EINVAL, "a frame that is not there");
    is_int(ew_results_sample(results, 0, 0, 64, 1, 1, somewhere, value, &error), EW_EINVAL,
           "an element that is not there");
    ew_results_close(results);
    ew_results_close(NULL);
}

/* A field that is constant on each triangle, and one with fewer nodes than the polynomials have. */
static void test_other_fields(void)
{
    ew_results *results = results_of(2, (const char *const[]){"order=3", "output.fields.subdivide=2"});
    double value[POINTS], mean = 0;
    expect(ew_results_sample(results, 0, field_of(results, "rho_mean"), 5, 1, POINTS, somewhere, value, &error),
           "rho_mean");
    double xy[6];
    expect(ew_results_corners(results, 5, 1, xy, &error), "corners");
    for (int k = 0; k < 3; k++)
        mean += (1 + xy[2 * k] + 2 * xy[2 * k + 1]) / 3;
    ok(fabs(value[0] - mean) < 1e-12 && value[0] == value[POINTS - 1], "a mean is the same everywhere on its element");
    expect(ew_results_sample(results, 0, field_of(results, "rho"), 5, 1, POINTS, somewhere, value, &error), "rho");
    double at = 1 + xy[0] + 0.25 * (xy[2] - xy[0]) + 0.125 * (xy[4] - xy[0]) +
                2 * (xy[1] + 0.25 * (xy[3] - xy[1]) + 0.125 * (xy[5] - xy[1]));
    is_close(value[4], at, 1e-12, "with fewer nodes than the polynomials have, what is left of them comes back");
    ew_results_close(results);
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

struct image {
    int width, height;
    uint8_t *rgb;
};

#ifdef EWI_HAVE_PNG

static struct image read_png(const char *path)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&png, path))
        bail_out("libpng cannot read %s: %s", path, png.message);
    png.format = PNG_FORMAT_RGB;
    struct image image = {(int)png.width, (int)png.height, allocate(PNG_IMAGE_SIZE(png), 1)};
    if (!png_image_finish_read(&png, NULL, image.rgb, 0, NULL))
        bail_out("libpng cannot read %s: %s", path, png.message);
    return image;
}

static struct image draw(const ew_results *results, const ew_plot *plot)
{
    expect(ew_plot_write(results, plot, "small.png", NULL, &error), "ew_plot_write");
    return read_png("small.png");
}

static const uint8_t *pixel(const struct image *image, int i, int j)
{
    return image->rgb + 3 * (j * image->width + i);
}

static int grey(const struct image *image, int i, int j)
{
    return pixel(image, i, j)[0];
}

static void test_linear(void)
{
    ew_results *results = results_of(0, NULL);
    ew_plot plot = {
        .map = "grey", .bare = 1, .width = 200, .supersample = 2, .range = EW_RANGE_FIXED, .low = 0, .high = 10};
    double range[2];
    struct image image = draw(results, &plot);
    is_int(image.width, 200, "a picture is as wide as it was asked for");
    is_int(image.height, 100, "... and in true proportion");
    int wrong = 0;
    for (int j = 0; j < image.height; j++)
        for (int i = 0; i < image.width; i++) {
            double x = (i + 0.5) / 100, y = 1 - (j + 0.5) / 100, value = 1 + x + 2 * y;
            wrong += abs(grey(&image, i, j) - (int)(value / 10 * 255 + 0.5)) > 1;
        }
    is_int(wrong, 0, "every pixel has the colour of the linear field at its centre");
    free(image.rgb);

    plot.field = field_of(results, "p");
    plot.zoom = 1;
    memcpy(plot.window, (double[]){0.5, 0.25, 1.0, 0.75}, sizeof plot.window);
    image = draw(results, &plot);
    is_int(image.height, 200, "a square window gives a square picture");
    is_int(grey(&image, 100, 0), (int)((1 + 0.75) / 10 * 255 + 0.5), "a window shows its part: its upper edge");
    is_int(grey(&image, 100, 199), (int)((1 + 0.25) / 10 * 255 + 0.5), "... and its lower one");
    free(image.rgb);

    plot.range = EW_RANGE_AUTOMATIC;
    ew_plot_shown shown;
    expect(ew_plot_write(results, &plot, "small.png", &shown, &error), "ew_plot_write");
    ok(shown.low > 1.25 && shown.low < 1.26 && shown.high > 1.74 && shown.high < 1.75,
       "the automatic range is that of the window");
    plot.field = field_of(results, "u");
    plot.zoom = 0;
    plot.range = EW_RANGE_SYMMETRIC;
    expect(ew_plot_range(results, &plot, &range[0], &range[1], &error), "ew_plot_range");
    ok(range[0] == -range[1] && fabs(range[1] - 1) < 0.01, "a symmetric range");
    ew_results_close(results);
}

/*
 * A file in single precision: linear fields, a jump, isolines, and no picture of rounding errors where a field is
 * constant.
 */
static void test_single(void)
{
    static const char single[] = "output.fields.precision=single";
    ew_plot plot = {
        .map = "grey", .bare = 1, .width = 200, .supersample = 2, .range = EW_RANGE_FIXED, .low = 0, .high = 10};
    double range[2], level = 2.105;
    int wrong = 0, dark = 0, light = 0;
    ew_results *results = results_of(1, (const char *const[]){single});
    struct image image = draw(results, &plot);
    for (int j = 0; j < image.height; j++)
        for (int i = 0; i < image.width; i++) {
            double x = (i + 0.5) / 100, y = 1 - (j + 0.5) / 100, value = 1 + x + 2 * y;
            wrong += abs(grey(&image, i, j) - (int)(value / 10 * 255 + 0.5)) > 1;
        }
    is_int(wrong, 0, "single precision: every pixel has the colour of the linear field at its centre");
    free(image.rgb);
    plot.range = EW_RANGE_AUTOMATIC;
    expect(ew_plot_range(results, &plot, &range[0], &range[1], &error), "ew_plot_range");
    ok(fabs(range[0] - 1) < 0.05 && fabs(range[1] - 5) < 0.05, "single precision: the automatic range");
    ew_results_close(results);

    results = results_of(2, (const char *const[]){single, "initial.rho=x < 1 ? 1 : 2"});
    plot = (ew_plot){.map = "grey", .bare = 1, .width = 400, .range = EW_RANGE_FIXED, .low = 1, .high = 2};
    image = draw(results, &plot);
    wrong = 0;
    for (int j = 0; j < image.height; j++)
        for (int i = 0; i < image.width; i++)
            wrong += grey(&image, i, j) != (i < 200 ? 0 : 255);
    is_int(wrong, 0, "single precision: a jump between elements is as sharp as the pixels");
    free(image.rgb);
    ew_results_close(results);

    results = results_of(2, (const char *const[]){single, "initial.rho=1 + x"});
    plot = (ew_plot){.map = "none", .bare = 1, .width = 200, .isolines = 1, .level = &level};
    image = draw(results, &plot);
    for (int j = 0; j < image.height; j++)
        for (int i = 0; i < image.width; i++) {
            dark += i == 110 && grey(&image, i, j) < 40;
            light += abs(i - 110) > 1 && grey(&image, i, j) == 255;
        }
    ok(dark == image.height && light == image.height * (image.width - 3),
       "single precision: an isoline is where the field has its value, and nowhere else");
    free(image.rgb);
    ew_results_close(results);

    /* The pressure is computed from rounded conserved variables. */
    results = results_of(6, (const char *const[]){single, "order=3", "initial.rho=1.1 + x/3", "initial.u=0.7 + y/7",
                                                  "initial.v=0.3", "initial.p=0.9"});
    plot = (ew_plot){.field = field_of(results, "p"), .map = "grey", .bare = 1, .width = 200};
    image = draw(results, &plot);
    int least = 255, most = 0;
    for (int j = 0; j < image.height; j++)
        for (int i = 0; i < image.width; i++) {
            least = grey(&image, i, j) < least ? grey(&image, i, j) : least;
            most = grey(&image, i, j) > most ? grey(&image, i, j) : most;
        }
    ok(most - least <= 1, "single precision: a field that is constant, up to rounding, has one colour");
    if (most - least > 1)
        diag("it has %d to %d", least, most);
    free(image.rgb);
    ew_results_close(results);
}

static void test_jump(void)
{
    ew_results *results = results_of(1, (const char *const[]){"initial.rho=x < 1 ? 1 : 2"});
    ew_plot plot = {.map = "grey", .bare = 1, .width = 400, .range = EW_RANGE_FIXED, .low = 1, .high = 2};
    struct image image = draw(results, &plot);
    int wrong = 0;
    for (int j = 0; j < image.height; j++)
        for (int i = 0; i < image.width; i++)
            wrong += grey(&image, i, j) != (i < 200 ? 0 : 255);
    is_int(wrong, 0, "a jump between elements is as sharp as the pixels");
    free(image.rgb);
    plot.width = 401;
    plot.supersample = 2;
    image = draw(results, &plot);
    is_int(grey(&image, 200, 50), (int)(0.5 * 255 + 0.5), "a pixel with a jump through it is the mean of its samples");
    free(image.rgb);
    ew_results_close(results);
}

static void test_symmetry(void)
{
    ew_results *results = results_of(1, (const char *const[]){"initial.rho=1 + (x - 1)^2 + (y - 0.5)^2"});
    ew_plot plot = {
        .map = "grey", .bare = 1, .width = 300, .range = EW_RANGE_FIXED, .low = 1, .high = 2.5, .isolines = 5};
    struct image image = draw(results, &plot);
    int wrong = 0;
    for (int j = 0; j < image.height; j++)
        for (int i = 0; i < image.width; i++) {
            wrong += abs(grey(&image, i, j) - grey(&image, image.width - 1 - i, j)) > 6;
            wrong += abs(grey(&image, i, j) - grey(&image, i, image.height - 1 - j)) > 6;
        }
    is_int(wrong, 0, "a symmetric field has a symmetric picture");
    free(image.rgb);
    ew_results_close(results);
}

static void test_isolines(void)
{
    ew_results *results = results_of(1, (const char *const[]){"initial.rho=1 + x"});
    double level = 2.105;
    ew_plot plot = {.map = "none", .bare = 1, .width = 200, .isolines = 1, .level = &level};
    struct image image = draw(results, &plot);
    int dark = 0, light = 0;
    for (int j = 0; j < image.height; j++)
        for (int i = 0; i < image.width; i++) {
            dark += i == 110 && grey(&image, i, j) < 40;
            light += abs(i - 110) > 1 && grey(&image, i, j) == 255;
        }
    is_int(dark, image.height, "an isoline is where the field has its value");
    is_int(light, image.height * (image.width - 3), "... and nowhere else");
    free(image.rgb);
    plot.level = NULL;
    plot.isolines = 3;
    plot.range = EW_RANGE_FIXED;
    plot.low = 1;
    plot.high = 3.4;
    image = draw(results, &plot);
    ok(grey(&image, 60, 50) < 200 && grey(&image, 120, 50) < 200 && grey(&image, 180, 50) < 200,
       "isolines divide the range evenly");
    free(image.rgb);
    ew_results_close(results);
}

static void test_logarithm(void)
{
    ew_results *results = results_of(1, (const char *const[]){"initial.rho=x < 1 ? 0.001 : x < 1.5 ? 1 : 1000"});
    ew_plot plot = {.map = "grey", .bare = 1, .width = 200, .logarithmic = 1};
    struct image image = draw(results, &plot);
    is_int(grey(&image, 50, 50), 0, "a logarithmic picture: the least value");
    is_int(grey(&image, 120, 50), 128, "... in the middle of the decades");
    is_int(grey(&image, 180, 50), 255, "... the greatest value");
    free(image.rgb);
    plot.field = field_of(results, "u");
    image = draw(results, &plot);
    ok(grey(&image, 20, 50) == 154, "what has no logarithm is grey");
    free(image.rgb);
    ew_results_close(results);
}

/* The surroundings of the field: white margins with labels, and the field at its place. */
static void test_layout(void)
{
    ew_results *results = results_of(0, NULL);
    ew_plot plot = {.width = 800, .title = "Überschrift: ρ, ∂"};
    struct image image = draw(results, &plot);
    is_int(image.width, 800, "the whole picture is as wide as it was asked for");
    int ink = 0, corner = 0;
    for (int j = 0; j < 24; j++)
        for (int i = 0; i < image.width; i++)
            ink += grey(&image, i, j) < 128;
    for (int k = 0; k < 3; k++)
        corner += pixel(&image, 0, 0)[k] + pixel(&image, image.width - 1, image.height - 1)[k];
    ok(ink > 100, "there is a title");
    is_int(corner, 6 * 255, "the corners are white");
    free(image.rgb);
    plot.title = "";
    plot.height = 300;
    image = draw(results, &plot);
    ok(image.height <= 300 && image.width <= 800, "a picture keeps to both its sizes");
    free(image.rgb);
    ew_results_close(results);
}

static bool same_files(const char *a, const char *b)
{
    FILE *first = fopen(a, "rb"), *second = fopen(b, "rb");
    int c = 0, d = 0;
    long count = 0;
    while (first && second && c == d && c != EOF) {
        c = getc(first);
        d = getc(second);
        count++;
    }
    bool same = first && second && c == d && count > 1000;
    if (first)
        fclose(first);
    if (second)
        fclose(second);
    return same;
}

static void test_threads(void)
{
    ew_results *results = results_of(1, (const char *const[]){"initial.rho=1 + sin(5*x)*cos(9*y)/2"});
    ew_plot plot = {.isolines = 12, .mesh = 1, .threads = 1, .width = 500, .field = field_of(results, "p")};
    expect(ew_plot_write(results, &plot, "one.png", NULL, &error), "one thread");
    for (plot.threads = 2; plot.threads <= 7; plot.threads += 5) {
        expect(ew_plot_write(results, &plot, "more.png", NULL, &error), "more threads");
        ok(same_files("one.png", "more.png"), "%d threads draw the same bytes as one", plot.threads);
    }
    unlink("one.png");
    unlink("more.png");
    ew_results_close(results);
}

static void test_maps(void)
{
    ew_results *results = results_of(0, NULL);
    ew_plot plot = {.bare = 1, .width = 64};
    for (int k = 0; (plot.map = ew_plot_map(k)) != NULL; k++) {
        char reversed[64];
        struct image image = draw(results, &plot);
        snprintf(reversed, sizeof reversed, "%s-reversed", plot.map);
        plot.map = reversed;
        struct image other = draw(results, &plot);
        int differing = 0;
        for (int c = 0; c < 3; c++)
            differing += pixel(&image, 0, image.height - 1)[c] != pixel(&other, other.width - 1, 0)[c];
        ok(differing <= 3 && pixel(&image, 63, 0)[0] != pixel(&other, 63, 0)[0], "map %s and its reverse",
           ew_plot_map(k));
        free(other.rgb);
        free(image.rgb);
    }
    ew_results_close(results);
}

/* The greatest difference of two pictures of one size, in any channel. */
static int difference(const struct image *one, const struct image *other)
{
    int most = 0;
    for (int k = 0; k < 3 * one->width * one->height; k++)
        most = most > abs(one->rgb[k] - other->rgb[k]) ? most : abs(one->rgb[k] - other->rgb[k]);
    return most;
}

static int colours_of(const struct image *image)
{
    static uint8_t seen[1 << 24];
    memset(seen, 0, sizeof seen);
    int count = 0;
    for (int k = 0; k < image->width * image->height; k++) {
        const uint8_t *rgb = image->rgb + 3 * k;
        uint8_t *place = &seen[(rgb[0] << 16) + (rgb[1] << 8) + rgb[2]];
        count += !*place;
        *place = 1;
    }
    return count;
}

static int64_t bytes_of(const char *path)
{
    struct stat state;
    return stat(path, &state) == 0 ? (int64_t)state.st_size : -1;
}

static void test_palette(void)
{
    ew_results *results = results_of(0, NULL);
    ew_plot plot = {.width = 500, .isolines = 20};
    struct image all = draw(results, &plot);
    int64_t bytes = bytes_of("small.png");
    plot.palette = 1;
    struct image few = draw(results, &plot);
    ok(colours_of(&all) > 1000 && colours_of(&few) <= 256, "a palette has at most 256 colours (%d of %d)",
       colours_of(&few), colours_of(&all));
    ok(2 * bytes_of("small.png") < bytes, "... in less than half of the bytes (%lld of %lld)",
       (long long)bytes_of("small.png"), (long long)bytes);
    ok(difference(&all, &few) <= 24, "... each near to what it was (%d)", difference(&all, &few));
    ok(pixel(&few, 0, 0)[0] == 255 && pixel(&few, 0, 0)[1] == 255 && pixel(&few, 0, 0)[2] == 255,
       "... and white is white");
    free(few.rgb);
    free(all.rgb);

    plot = (ew_plot){.width = 300, .map = "grey", .bare = 1};
    all = draw(results, &plot);
    plot.palette = 1;
    few = draw(results, &plot);
    is_int(difference(&all, &few), 0, "a palette keeps up to 256 colours as they are");
    free(few.rgb);
    free(all.rgb);

    ew_probe probe = {.line = {0, 0.5, 2, 0.5}, .picture = 1};
    expect(ew_probe_write(results, &probe, "small.png", &error), "ew_probe_write");
    few = read_png("small.png");
    ok(colours_of(&few) <= 256, "curves have a palette");
    free(few.rgb);
    ew_results_close(results);
}

static bool is_white_row(const struct image *image, int j)
{
    for (int k = 0; k < 3 * image->width; k++)
        if (image->rgb[3 * j * image->width + k] != 255)
            return false;
    return true;
}

/* A picture of a curve, cut to the labels of its x axis, which are above the last line of text. */
static struct image labels_of(const ew_results *results, double x0, double y0, double x1, double y1)
{
    ew_probe probe = {
        .line = {x0, y0, x1, y1}, .picture = 1, .title = "", .low = 0, .high = 10, .width = 600, .height = 300};
    expect(ew_probe_write(results, &probe, "small.png", &error), "ew_probe_write");
    struct image image = read_png("small.png");
    int j = image.height - 1;
    for (int wanted = 0; wanted < 3; wanted++)
        while (j > 0 && is_white_row(&image, j) == (wanted % 2 == 0))
            j--;
    int end = j + 1;
    while (j > 0 && !is_white_row(&image, j))
        j--;
    image.height = end - j;
    memmove(image.rgb, image.rgb + 3 * j * image.width, (size_t)(3 * image.height * image.width));
    return image;
}

/* Ignores differences of palettes. */
static bool same_labels(const ew_results *results, const double one[4], const double other[4])
{
    struct image a = labels_of(results, one[0], one[1], one[2], one[3]);
    struct image b = labels_of(results, other[0], other[1], other[2], other[3]);
    bool same = a.height == b.height && difference(&a, &b) < 64;
    free(a.rgb);
    free(b.rgb);
    return same;
}

static void test_abscissa(void)
{
    ew_results *results = results_of(0, NULL);
    ok(!same_labels(results, (double[]){0, 0.5, 1, 0.5}, (double[]){1, 0.5, 2, 0.5}),
       "a curve along x is drawn over x");
    ok(!same_labels(results, (double[]){1, 0, 1, 0.5}, (double[]){1, 0.5, 1, 1}), "... along y over y");
    ok(same_labels(results, (double[]){0, 0.25, 1, 0.5}, (double[]){1, 0.25, 2, 0.5}), "... aslant over the distance");
    ok(same_labels(results, (double[]){1, 0.5, 0, 0.5}, (double[]){2, 0.5, 1, 0.5}), "... and against x, too");
    ew_results_close(results);
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

static ew_plot_shown shown_of(const ew_results *results, const ew_plot *plot)
{
    ew_plot_shown shown;
    expect(ew_plot_write(results, plot, "small.png", &shown, &error), "ew_plot_write");
    return shown;
}

/* Two of 64 triangles have values far from those of the others. */
static void test_percentiles(void)
{
    ew_results *results = results_of(1, (const char *const[]){"initial.rho=1 + x + (x < 0.25 && y < 0.25 ? 1000 : 0)"});
    ew_plot plot = {.width = 300};
    ew_plot_shown shown = shown_of(results, &plot);
    ok(shown.high > 100 && shown.beyond == 0, "two triangles decide the full range");
    plot.range = EW_RANGE_ROBUST;
    plot.high = 95;
    shown = shown_of(results, &plot);
    ok(shown.high < 3.1 && shown.high > 2.5 && shown.greatest > 100, "percentiles leave them out (%g)", shown.high);
    ok(shown.beyond > 0.03 && shown.beyond < 0.07, "... and say how much is beyond (%g)", shown.beyond);
    struct image image = draw(results, &plot);
    plot.range = EW_RANGE_FIXED;
    plot.low = shown.least;
    plot.high = shown.greatest;
    struct image whole = draw(results, &plot);
    int i = whole.width - 1, pointed = 0;
    while (i > 0 && grey(&whole, i, whole.height / 2) > 250)
        i--;
    for (int j = 0; j < whole.height / 4; j++)
        for (int k = whole.width - 50; k < whole.width; k++)
            pointed += image.width == whole.width && grey(&image, k, j) != grey(&whole, k, j);
    ok(pointed > 0, "the colour bar has a point where there are values beyond");
    free(whole.rgb);
    free(image.rgb);
    plot = (ew_plot){.width = 300, .range = EW_RANGE_ROBUST};
    double low, high;
    expect(ew_plot_range(results, &plot, &low, &high, &error), "ew_plot_range");
    shown = shown_of(results, &plot);
    ok(low == shown.low && high == shown.high, "ew_plot_range tells the same range");
    expect(ew_plot_film_range(results, &plot, &low, &high, &error), "ew_plot_film_range");
    ok(low == shown.low && high == shown.high, "... and so does that of all frames, of which there is one");
    ew_results_close(results);

    results = results_of(4, (const char *const[]){"output.fields.variables=[\"rho\", \"schlieren\", \"vorticity\"]",
                                                  "initial.rho=x < 0.0625 && y < 0.0625 ? 1 + 1000*x : 1 + x*x",
                                                  "initial.v=x*x/4", "mesh.rectangle.cells=[32, 16]"});
    plot = (ew_plot){.field = field_of(results, "schlieren"), .width = 400};
    shown = shown_of(results, &plot);
    ok(shown.greatest > 20 * shown.high, "schlieren has a robust range by default (%g of %g)", shown.high,
       shown.greatest);
    image = draw(results, &plot);
    int coloured = 0;
    for (int k = 0; k < 3 * image.width * image.height; k += 3)
        coloured += abs(image.rgb[k] - image.rgb[k + 2]) > 3;
    is_int(coloured, 0, "... and is grey");
    free(image.rgb);
    plot.field = field_of(results, "vorticity");
    shown = shown_of(results, &plot);
    ok(shown.low == -shown.high && shown.high > 0, "vorticity has 0 in the middle");
    ew_results_close(results);
}

/* ---- the velocity ------------------------------------------------------------------------------------------------ */

static double share_of_dark(const struct image *image, int x0, int y0, int x1, int y1)
{
    int dark = 0;
    for (int j = y0; j < y1; j++)
        for (int i = x0; i < x1; i++)
            dark += grey(image, i, j) < 128;
    return (double)dark / ((x1 - x0) * (y1 - y0));
}

static void test_velocity(void)
{
    ew_results *results = results_of(3, (const char *const[]){"initial.u=1", "initial.v=0", "initial.rho=1"});
    ew_plot plot = {.map = "none", .bare = 1, .width = 400, .vectors = 10};
    ew_plot_shown shown = shown_of(results, &plot);
    ok(fabs(shown.speed - 1) < 1e-9, "the longest arrow's speed");
    struct image image = draw(results, &plot);
    ok(share_of_dark(&image, 0, 98, 400, 103) > 0.15 && share_of_dark(&image, 0, 76, 400, 84) == 0,
       "arrows are in rows along the flow, with room between");
    int head = 0, tail = 0; /* of the arrow around (60, 60) */
    for (int j = 50; j < 70; j++) {
        tail += grey(&image, 46, j) < 128;
        head += grey(&image, 72, j) < 128;
    }
    ok(head > tail && tail > 0, "... and point where the flow goes (%d, %d)", head, tail);
    free(image.rgb);

    plot.vectors = 0;
    plot.streamlines = 10;
    image = draw(results, &plot);
    int lines = 0, broken = 0;
    for (int j = 1; j < image.height; j++)
        if (grey(&image, 111, j) < 128 && grey(&image, 111, j - 1) >= 128) {
            lines++;
            broken += share_of_dark(&image, 4, j, 396, j + 1) < 0.9;
        }
    ok(lines >= 4 && lines <= 7 && broken == 0, "streamlines of a uniform flow are straight and apart (%d, %d broken)",
       lines, broken);
    free(image.rgb);
    ew_results_close(results);

    results = results_of(3, (const char *const[]){"initial.u=0.5 - y", "initial.v=x - 1", "initial.rho=1"});
    image = draw(results, &plot);
    ok(share_of_dark(&image, 0, 0, 400, 200) > 0.01, "streamlines that are closed end");
    plot.speed = 1;
    double speed;
    expect(ew_plot_speed(results, &plot, &speed, &error), "ew_plot_speed");
    is_close(speed, hypot(1, 0.5), 0.1, "the usual greatest speed of a vortex");
    free(image.rgb);
    ew_results_close(results);
    results = results_of(1, (const char *const[]){"output.fields.variables=[\"rho\"]"});
    is_int(ew_plot_write(results, &plot, "small.png", NULL, &error), EW_EINVAL, "streamlines without a velocity");
    contains(error.message, "has no velocity", "... are told so");
    ew_results_close(results);
}

/* ---- several fields, differences --------------------------------------------------------------------------------- */

static void test_several(void)
{
    ew_results *results = results_of(0, NULL);
    ew_plot plot[3] = {{.field = 0, .width = 900}, {.field = 1}, {.field = 3, .map = "grey"}};
    ew_plot_shown shown[3];
    expect(ew_plots_write(results, 3, plot, NULL, "small.png", shown, &error), "ew_plots_write");
    struct image image = read_png("small.png");
    ok(image.width <= 900 && image.width > 450 && image.height > 200, "several fields share a picture (%d by %d)",
       image.width, image.height);
    int coloured[2][2] = {{0}};
    for (int j = 0; j < image.height; j++)
        for (int i = 0; i < image.width; i++)
            coloured[2 * j / image.height][2 * i / image.width] +=
                abs(pixel(&image, i, j)[0] - pixel(&image, i, j)[2]) > 40;
    ok(coloured[0][0] > 5000 && coloured[0][1] > 5000 && coloured[1][0] == 0,
       "... each in its place, with its own colours");
    ok(fabs(shown[0].low - 1) < 0.1 && fabs(shown[1].low + 1) < 0.1 && fabs(shown[2].low - 1) < 0.1,
       "... and its own range");
    free(image.rgb);
    const ew_plot squares[4] = {{.zoom = 1, .window = {0, 0, 1, 1}}, {.zoom = 1, .window = {0, 0, 1, 1}},
                                {.zoom = 1, .window = {0, 0, 1, 1}}, {.zoom = 1, .window = {0, 0, 1, 1}}};
    expect(ew_plots_write(results, 4, squares, NULL, "small.png", NULL, &error), "ew_plots_write");
    image = read_png("small.png");
    ok(image.height > 0.8 * image.width, "four squares are two rows of two");
    free(image.rgb);
    is_int(ew_plots_write(results, 0, plot, NULL, "small.png", NULL, &error), EW_EINVAL, "no field at all");
    is_int(ew_plots_write(results, 65, plot, NULL, "small.png", NULL, &error), EW_EINVAL, "too many fields");
    plot[2].field = 99;
    is_int(ew_plots_write(results, 3, plot, NULL, "small.png", NULL, &error), EW_EINVAL, "one that is not there");
    ew_results_close(results);
}

static void test_difference(void)
{
    ew_results *results = results_of(0, NULL), *other;
    ew_results_close(results);
    rename("small.nc", "first.nc");
    results = results_of(2, (const char *const[]){"order=1", "initial.rho=1 + x + 2*y - 0.25*x"});
    expect(ew_results_open(NULL, "first.nc", &other, &error), "first.nc");
    is_int(ew_results_subtract(other, other, &error), EW_EINVAL, "a file less itself");
    expect(ew_results_subtract(other, results, &error), "ew_results_subtract");
    double value[ELEMENTS * POINTS], xy[6], largest = 0;
    expect(ew_results_sample(other, 0, field_of(other, "rho"), 0, ELEMENTS, POINTS, somewhere, value, &error), "rho");
    for (int e = 0; e < ELEMENTS; e++) {
        expect(ew_results_corners(other, e, 1, xy, &error), "corners");
        for (int k = 0; k < POINTS; k++) {
            double r = somewhere[2 * k], s = somewhere[2 * k + 1];
            double x = xy[0] + r * (xy[2] - xy[0]) + s * (xy[4] - xy[0]);
            largest = fmax(largest, fabs(value[e * POINTS + k] - 0.25 * x));
        }
    }
    ok(largest < 1e-12, "a difference of two orders, point by point (%.1e)", largest);
    const char *long_name;
    ew_results_field(other, field_of(other, "rho"), &long_name, NULL);
    contains(long_name, "difference to small.nc", "... is named so");
    ew_plot plot = {.field = field_of(other, "rho"), .width = 300};
    ew_plot_shown shown = shown_of(other, &plot);
    ok(shown.low == -shown.high && fabs(shown.high - 0.5) < 0.01, "... and has 0 in the middle of its colours");
    is_int(ew_results_subtract(other, results, &error), EW_EINVAL, "a second one");
    ew_results_close(other);
    ew_results_close(results);
    expect(ew_results_open(NULL, "first.nc", &other, &error), "first.nc");
    results = results_of(1, (const char *const[]){"mesh.rectangle.cells=[8, 5]"});
    is_int(ew_results_subtract(other, results, &error), EW_EINVAL, "another number of triangles");
    contains(error.message, "different meshes, of 64 and 80 triangles", "... is told");
    ew_results_close(results);
    results = results_of(1, (const char *const[]){"mesh.rectangle.corners=[0.0, 0.0, 2.0, 1.1]"});
    is_int(ew_results_subtract(other, results, &error), EW_EINVAL, "other corners");
    contains(error.message, "triangle 0 is not the same", "... are told");
    ew_results_close(results);
    ew_results_close(other);
    unlink("first.nc");
}

/* ---- films, SVG, PDF --------------------------------------------------------------------------------------------- */

static uint32_t number_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The film's chunks, counted by kind, and their numbers, which must be consecutive. */
static void test_film(void)
{
    ew_results *results = results_of(0, NULL);
    ew_plot plot = {.bare = 1, .width = 120, .map = "grey", .range = EW_RANGE_FIXED, .low = 0, .high = 10};
    ew_film *film;
    is_int(ew_film_create(NULL, "film.png", 1, 10, &film, &error), EW_EINVAL, "a film of one frame");
    is_int(ew_film_create(NULL, "film.png", 3, 0, &film, &error), EW_EINVAL, "a film that stands still");
    expect(ew_film_create(NULL, "film.png", 3, 10, &film, &error), "ew_film_create");
    for (int k = 0; k < 2; k++) /* the second frame equals the first */
        expect(ew_film_add(film, results, 1, &plot, "", NULL, &error), "ew_film_add");
    is_int(ew_film_write(film, &error), EW_EINVAL, "a film that lacks frames");
    plot.width = 100;
    is_int(ew_film_add(film, results, 1, &plot, "", NULL, &error), EW_EINVAL, "a frame of another size");
    plot.width = 120;
    plot.low = -10;
    expect(ew_film_add(film, results, 1, &plot, "", NULL, &error), "ew_film_add");
    is_int(ew_film_add(film, results, 1, &plot, "", NULL, &error), EW_EINVAL, "one frame too many");
    expect(ew_film_write(film, &error), "ew_film_write");
    ew_film_destroy(film);
    ew_film_destroy(NULL);
    struct image image = read_png("film.png");
    ok(abs(grey(&image, 60, 0) - 102) <= 1, "who knows no animation sees the first frame");
    free(image.rgb);
    size_t count;
    uint8_t *bytes = (uint8_t *)read_bytes("film.png", &count);
    size_t controls = 0, parts = 0, sequence = 0, wrong = 0, second = 0, third = 0;
    for (size_t at = 8; at + 12 <= count; at += 12 + number_at(bytes + at)) {
        bool control = memcmp(bytes + at + 4, "fcTL", 4) == 0, part = memcmp(bytes + at + 4, "fdAT", 4) == 0;
        wrong += memcmp(bytes + at + 4, "acTL", 4) == 0 && number_at(bytes + at + 8) != 3;
        wrong += (control || part) && number_at(bytes + at + 8) != sequence++;
        wrong += control && (number_at(bytes + at + 12) != 120 || number_at(bytes + at + 16) != 60);
        controls += control;
        parts += part;
        second += part && controls == 2 ? number_at(bytes + at) : 0;
        third += part && controls == 3 ? number_at(bytes + at) : 0;
    }
    ok(controls == 3 && parts >= 2 && wrong == 0, "a film has its frames, one after the other");
    ok(second < 100 && third > 200, "what does not change takes no room (%zu, %zu bytes)", second, third);
    free(bytes);
    unlink("film.png");
    ew_results_close(results);
}

static size_t count_text(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

/* Appends a NUL. */
static char *read_text(const char *path, size_t *count)
{
    char *bytes = read_bytes(path, count), *text = allocate(*count + 1, 1);
    memcpy(text, bytes, *count);
    free(bytes);
    return text;
}

static void test_vector_formats(void)
{
    ew_results *results = results_of(1, (const char *const[]){"initial.rho=1 + x"});
    double level[] = {1.5, 2.005};
    ew_plot plot = {.width = 400, .title = "a < b & \xCF\x81\xFF", .isolines = 2, .level = level};
    size_t count;
    expect(ew_plot_write(results, &plot, "small.svg", NULL, &error), "SVG");
    char *text = read_text("small.svg", &count);
    ok(strncmp(text, "<svg ", 5) == 0 && strcmp(text + count - 7, "</svg>\n") == 0, "SVG is whole");
    ok(strstr(text, "<title>a &#x3C; b &#x26; &#x3C1;&#xFF;</title>") != NULL, "... its title is escaped");
    is_int((long)count_text(text, "<image "), 2, "... the field and its bar are images");
    ok(count_text(text, "<path ") >= 3 && count_text(text, "<g ") == count_text(text, "</g>"),
       "... isolines and letters are paths");
    free(text);
    plot.threads = 7;
    expect(ew_plot_write(results, &plot, "more.svg", NULL, &error), "SVG");
    ok(same_files("small.svg", "more.svg"), "... the same with seven threads");
    expect(ew_plot_write(results, &plot, "small.pdf", NULL, &error), "PDF");
    text = read_text("small.pdf", &count);
    ok(strncmp(text, "%PDF-1.4\n", 9) == 0 && strcmp(text + count - 6, "%%EOF\n") == 0, "PDF is whole");
    char *start = text + count - 7, *end;
    while (start > text && strncmp(start, "startxref\n", 10) != 0)
        start--;
    size_t table = strtoul(start + 10, &end, 10), objects = 0, wrong = 0;
    const char *row = text + table;
    ok(table < count && sscanf(row, "xref\n0 %zu\n", &objects) == 1 && objects == 8, "... with its table of objects");
    row = strchr(strchr(row, '\n') + 1, '\n') + 1;
    for (size_t k = 1; k < objects; k++) {
        char name[32];
        size_t at = strtoul(row + 20 * k, NULL, 10);
        snprintf(name, sizeof name, "%zu 0 obj\n", k);
        wrong += at >= count || strncmp(text + at, name, strlen(name)) != 0;
    }
    is_int((long)wrong, 0, "... each where it says");
    free(text);
    unlink("small.svg");
    unlink("more.svg");
    unlink("small.pdf");
    ew_probe probe = {.line = {0, 0.5, 2, 0.5}, .picture = 1};
    expect(ew_probe_write(results, &probe, "line.svg", &error), "a curve as SVG");
    text = read_text("line.svg", &count);
    ok(count_text(text, "<image ") == 0 && count_text(text, "#1f5fae") == 1, "a curve has no pixels");
    free(text);
    unlink("line.svg");
    ew_results_close(results);
}

/* The mean row of blue pixels in a chart of one level line. */
static double row_of_line(double level, int falling)
{
    double x[200], y[200], rows = 0;
    for (int k = 0; k < 200; k++) {
        x[k] = k;
        y[k] = level;
    }
    const ew_curve curve = {.name = "", .points = 200, .x = x, .y = y};
    const ew_chart chart = {.curves = 1, .curve = &curve, .width = 600, .height = 400, .y_low = -1, .y_high = 1,
                            .falling_y = falling};
    expect(ew_chart_write(NULL, &chart, "chart.png", &error), "ew_chart_write");
    struct image image = read_png("chart.png");
    int count = 0;
    for (int k = 0; k < image.width * image.height; k++)
        if (image.rgb[3 * k + 2] > image.rgb[3 * k] + 64) {
            rows += k / image.width;
            count++;
        }
    free(image.rgb);
    unlink("chart.png");
    return rows / count;
}

static void test_falling_axis(void)
{
    ok(row_of_line(0.5, 0) + 100 < row_of_line(-0.5, 0), "a chart has its greatest values at the top");
    is_close(row_of_line(0.5, 1), row_of_line(-0.5, 0), 1, "... or at the bottom");
}

static void test_charts(void)
{
    double x[200], y[200], z[200];
    for (int k = 0; k < 200; k++) {
        x[k] = k;
        y[k] = sin(k / 20.0);
        z[k] = -50;
    }
    ew_curve curve[] = {{.name = "one", .points = 200, .x = x, .y = y}, {.name = "two", .points = 200, .x = x, .y = z}};
    ew_chart chart = {.curves = 2, .curve = curve, .width = 600, .height = 400, .y_low = -1, .y_high = 1};
    expect(ew_chart_write(NULL, &chart, "chart.png", &error), "ew_chart_write");
    struct image image = read_png("chart.png");
    int blue = 0;
    for (int k = 0; k < 3 * image.width * image.height; k += 3)
        blue += image.rgb[k + 2] > image.rgb[k] + 64;
    ok(blue > 500, "a chart of many points has its curve");
    free(image.rgb);
    chart.x_low = 10;
    chart.x_high = 5;
    is_int(ew_chart_write(NULL, &chart, "chart.png", &error), EW_EINVAL, "a range the wrong way round");
    contains(error.message, "the range 10,5 of x is empty", "... is told");
    chart.x_high = 500;
    chart.x_low = 300;
    chart.y_high = chart.y_low = 0;
    is_int(ew_chart_write(NULL, &chart, "chart.png", &error), EW_EINVAL, "a range without points");
    unlink("chart.png");
}

/* The column of the frame's right side. */
static int rightmost_line(const struct image *image)
{
    for (int x = image->width - 1; x > 0; x--) {
        int dark = 0;
        for (int y = 0; y < image->height; y++)
            dark += image->rgb[3 * (y * image->width + x)] < 128;
        if (dark > image->height / 2)
            return x;
    }
    return 0;
}

/* Number of rows from the first to the last with a blue pixel. */
static int blue_rows(const struct image *image)
{
    int first = image->height, last = 0;
    for (int y = 0; y < image->height; y++)
        for (int k = 3 * y * image->width; k < 3 * (y + 1) * image->width; k += 3)
            if (image->rgb[k + 2] > image->rgb[k] + 64) {
                first = y < first ? y : first;
                last = y;
            }
    return last - first + 1;
}

static void draw_chart(const ew_chart *chart, int *right, int *rows)
{
    expect(ew_chart_write(NULL, chart, "chart.png", &error), "ew_chart_write");
    struct image image = read_png("chart.png");
    *right = rightmost_line(&image);
    *rows = blue_rows(&image);
    free(image.rgb);
    unlink("chart.png");
}

static void test_legend(void)
{
    double x[200], y[200], corners[4] = {0, 1, 0, 1}, diagonals[4] = {0, 1, 1, 0};
    int beside, within, rows;
    for (int k = 0; k < 200; k++) {
        x[k] = k;
        y[k] = 7 + 1e-14 * (k % 3);
    }
    ew_curve curve = {.name = "a name", .points = 4, .x = corners, .y = diagonals};
    const ew_chart chart = {.curves = 1, .curve = &curve, .width = 600, .height = 400, .x_low = 0, .x_high = 1,
                            .y_low = 0, .y_high = 1};
    draw_chart(&chart, &beside, &rows);
    ok(beside < 520, "a legend that would hide lines in all corners is beside the frame");
    curve.points = 2; /* from the lower left to the upper right */
    draw_chart(&chart, &within, &rows);
    ok(within > 570, "one that has a free corner is there");
    curve = (ew_curve){.name = "", .points = 200, .x = x, .y = y};
    draw_chart(&(ew_chart){.curves = 1, .curve = &curve, .width = 600, .height = 400}, &within, &rows);
    ok(rows >= 1 && rows < 8, "what differs by round-off is a level line") || (diag("%d rows", rows), 0);
}

/* Blue pixels of a chart that shows only this one of many curves in its window. */
static int blue_of_curve(int number, int apart)
{
    enum { CURVES = 24, DENSE = 100 };
    double x[DENSE], y[DENSE], away[DENSE];
    ew_curve curve[CURVES];
    for (int k = 0; k < DENSE; k++) {
        x[k] = k;
        y[k] = 0.5;
        away[k] = 9;
    }
    for (int k = 0; k < CURVES; k++)
        curve[k] = (ew_curve){.name = "", .points = apart ? 5 : DENSE, .x = x, .y = k == number ? y : away,
                              .apart = apart};
    const ew_chart chart = {.curves = CURVES, .curve = curve, .width = 600, .height = 400, .y_low = 0, .y_high = 1};
    expect(ew_chart_write(NULL, &chart, "chart.png", &error), "ew_chart_write");
    struct image image = read_png("chart.png");
    int blue = 0;
    for (int k = 0; k < 3 * image.width * image.height; k += 3)
        blue += image.rgb[k + 2] > image.rgb[k] + 64;
    free(image.rgb);
    unlink("chart.png");
    return blue;
}

static void test_many_curves(void)
{
    int line[4], points[4];
    for (int k = 0; k < 4; k++) {
        line[k] = blue_of_curve(6 * k, 0);
        points[k] = blue_of_curve(6 * k, 1);
        for (int other = 0; other < k; other++) {
            ok(abs(line[k] - line[other]) > line[0] / 30, "curves %d and %d have different lines", 6 * other, 6 * k) ||
                (diag("%d and %d pixels", line[other], line[k]), 0);
            ok(points[k] != points[other], "... and markers");
        }
    }
}

static void refused(const ew_results *results, const ew_plot *plot, const char *part)
{
    error.message[0] = '\0';
    int status = ew_plot_write(results, plot, "refused.png", NULL, &error);
    ok(status == EW_EINVAL && strstr(error.message, part) && access("refused.png", F_OK) != 0, "refused: %s", part) ||
        (diag("%s", error.message), 0);
}

static void test_refusals(void)
{
    ew_results *results = results_of(0, NULL);
    refused(results, &(ew_plot){.field = 99}, "no field 99");
    refused(results, &(ew_plot){.frame = 1}, "no frame 1; its frames are 0 to 0");
    refused(results, &(ew_plot){.map = "jet"}, "no colour map \"jet\"; there are viridis");
    refused(results, &(ew_plot){.zoom = 1, .window = {0, 0, 0, 1}}, "empty");
    refused(results, &(ew_plot){.zoom = 1, .window = {3, 0, 4, 1}}, "misses the mesh");
    refused(results, &(ew_plot){.zoom = 1, .window = {0, 0, NAN, 1}}, "finite");
    refused(results, &(ew_plot){.zoom = 1, .window = {0.5, 0.5, 0.5 + 1e-12, 0.6}}, "too small");
    refused(results, &(ew_plot){.range = EW_RANGE_FIXED, .low = 2, .high = 1}, "the range 2,1 is empty");
    refused(results, &(ew_plot){.range = EW_RANGE_SYMMETRIC, .logarithmic = 1}, "no logarithms");
    refused(results, &(ew_plot){.width = 10}, "10 by 1600 pixels");
    refused(results, &(ew_plot){.height = 130, .width = 130}, "no room");
    refused(results, &(ew_plot){.supersample = 9}, "9 samples");
    refused(results, &(ew_plot){.isolines = -1}, "-1 isolines");
    refused(results, &(ew_plot){.range = EW_RANGE_ROBUST, .low = 5, .high = 101}, "percentiles 5% to 101%");
    refused(results, &(ew_plot){.range = EW_RANGE_ROBUST, .low = 5, .high = 5}, "percentiles 5% to 5%");
    refused(results, &(ew_plot){.vectors = -1}, "-1 arrows");
    refused(results, &(ew_plot){.streamlines = 1001}, "1001 streamlines");
    refused(results, &(ew_plot){.width = 30000, .height = 30000, .supersample = 8}, "samples are too many");
    refused(results, &(ew_plot){.field = field_of(results, "rho_mean"), .isolines = 3}, "constant on each triangle");
    ew_plot plot = {.width = 200};
    is_int(ew_plot_write(results, &plot, "nowhere/small.png", NULL, &error), EW_EIO, "no folder for the picture");
    contains(error.message, "nowhere/small.png", "... the file is named");
    is_int(ew_plot_write(results, &plot, ".", NULL, &error), EW_EIO, "a folder in the way");
    is_int(ew_plot_write(results, &plot, "nowhere/small.png", NULL, NULL), EW_EIO, "error may be NULL");
    if (access("/dev/full", W_OK) == 0) {
        is_int(ew_plot_write(results, &plot, "/dev/full", NULL, &error), EW_EFULL, "a full disk");
        contains(error.message, "the disk is full", "... is called so");
    } else {
        skip("there is no /dev/full", "a full disk");
    }
    ew_results_close(results);
}

/* Each call writes last.png at its end. */
static int plot_with(const ew_results *results, int field, const ew_host *host)
{
    (void)host;
    ew_plot plot = {.field = field, .width = 150, .isolines = 3, .mesh = 1, .supersample = 1, .palette = 1};
    ew_probe curve = {.field = field, .line = {0, 0.1, 2, 0.9}, .picture = 1, .width = 300, .height = 200};
    int status = ew_plot_write(results, &plot, "first.png", NULL, &error);
    return status == EW_OK ? ew_probe_write(results, &curve, "last.png", &error) : status;
}

static int film_with(const ew_results *results, int field, const ew_host *host)
{
    ew_plot plot = {.field = field, .width = 40, .bare = 1, .supersample = 1, .vectors = 6, .streamlines = 6};
    ew_film *film = NULL;
    int status = ew_film_create(host, "last.png", 2, 10, &film, &error);
    for (int k = 0; k < 2 && status == EW_OK; k++)
        status = ew_film_add(film, results, 1, &plot, NULL, NULL, &error);
    status = status == EW_OK ? ew_film_write(film, &error) : status;
    ew_film_destroy(film);
    return status;
}

static int draw_with(const ew_results *results, int field, const ew_host *host)
{
    (void)host;
    ew_plot plot = {.field = field, .width = 40, .bare = 1, .supersample = 1, .isolines = 2, .range = EW_RANGE_ROBUST};
    int status = ew_plots_write(results, 2, (ew_plot[]){plot, plot}, NULL, "first.svg", NULL, &error);
    status = status == EW_OK ? ew_plot_write(results, &plot, "first.pdf", NULL, &error) : status;
    return status == EW_OK ? ew_plot_write(results, &plot, "last.png", NULL, &error) : status;
}

typedef int work_with(const ew_results *results, int field, const ew_host *host);

static int open_and(work_with *work, const ew_host *host)
{
    ew_results *results;
    int field, status = ew_results_open(host, "small.nc", &results, &error);
    if (status != EW_OK)
        return status;
    status = ew_results_find(results, "p", &field, &error);
    status = status == EW_OK ? work(results, field, host) : status;
    ew_results_close(results);
    return status;
}

static void fail_each(const char *name, work_with *work)
{
    struct memory memory = {0};
    ew_host host = memory_host(&memory);
    expect(open_and(work, &host), "plotting with a host");
    long made = memory.calls, wrong = 0, leaks = memory.blocks, files = 0;
    for (long k = 1; k <= made; k++) {
        memory = (struct memory){.fail_at = k};
        unlink("last.png");
        error = (ew_error){0};
        int status = open_and(work, &host);
        wrong += status != EW_ENOMEM || error.code != EW_ENOMEM || !strstr(error.message, "memory");
        leaks += memory.blocks;
        files += access("last.png", F_OK) == 0;
    }
    diag("%ld allocations", made);
    is_int(wrong, 0, "%s: every allocation that fails is a sentence", name);
    is_int(leaks, 0, "... and leaks nothing");
    is_int(files, 0, "... and leaves no half-written picture");
}

static void test_allocations(void)
{
    ew_results *results = results_of(0, NULL);
    ew_results_close(results);
    fail_each("pictures", plot_with);
    fail_each("films", film_with);
    fail_each("SVG and PDF", draw_with);
    unlink("first.png");
    unlink("first.svg");
    unlink("first.pdf");
    unlink("last.png");
}

#endif

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static void test_probe_table(void)
{
    ew_results *results = results_of(1, (const char *const[]){"initial.rho=x < 1 ? 1 + y : 5"});
    ew_probe probe = {.line = {0.1, 0.2, 1.9, 0.8}};
    expect(ew_probe_write(results, &probe, "line.csv", &error), "ew_probe_write");
    FILE *file = fopen("line.csv", "r");
    char text[256];
    double s, x, y, rho, last = 0, jump = 0;
    long long element;
    int rows = 0, wrong = 0;
    ok(file && fgets(text, sizeof text, file) && strcmp(text, "distance,x,y,element,rho\n") == 0, "a table has a head");
    double before = 1.2;
    while (file && fgets(text, sizeof text, file) &&
           sscanf(text, "%lg,%lg,%lg,%lld,%lg", &s, &x, &y, &element, &rho) == 5) {
        wrong += fabs(rho - (rho > 3 ? 5 : 1 + y)) > 1e-12 || s < last - 1e-15;
        wrong += fabs(x - 1) > 1e-9 && (rho > 3) != (x > 1);
        jump = fmax(jump, s == last ? rho - before : 0);
        before = rho;
        last = s;
        rows++;
    }
    if (file)
        fclose(file);
    ok(rows > 1000, "it has the points that were asked for, and those on edges");
    is_int(wrong, 0, "its values are the field's, in order");
    is_close(jump, 3.5, 1e-9, "at a jump it has both values");
    is_close(last, hypot(1.8, 0.6), 1e-12, "it goes to the line's end");
    unlink("line.csv");

    probe = (ew_probe){.line = {0.1, 0.2, 1.9, 0.8}, .points = 7};
    expect(ew_probe_write(results, &probe, "line.csv", &error), "ew_probe_write");
    file = fopen("line.csv", "r");
    unsigned met = 0;
    last = 0;
    wrong = 0;
    if (!file || !fgets(text, sizeof text, file))
        bail_out("no table");
    while (fgets(text, sizeof text, file) && sscanf(text, "%lg,%lg,%lg,%lld,%lg", &s, &x, &y, &element, &rho) == 5) {
        double number = s / hypot(1.8, 0.6) * 6;
        met |= fabs(number - rint(number)) < 1e-9 ? 1u << (int)rint(number) : 0;
        wrong += s < last;
        last = s;
    }
    fclose(file);
    is_int((long)met, 127, "seven points stand evenly over the line");
    is_int(wrong, 0, "... and no distance is less than one before");
    unlink("line.csv");

    static const double along_edges[][4] = {{0, 0.5, 2, 0.5}, {0, 0, 2, 0}, {0, 1, 2, 1},
                                            {0, 0, 0, 1},     {2, 0, 2, 1}, {2, 1, 2, 0}};
    for (size_t k = 0; k < sizeof along_edges / sizeof *along_edges; k++) {
        const double *l = along_edges[k];
        probe = (ew_probe){.line = {l[0], l[1], l[2], l[3]}};
        expect(ew_probe_write(results, &probe, "line.csv", &error), "ew_probe_write");
        file = fopen("line.csv", "r");
        last = 0;
        wrong = 0;
        double total = 0;
        if (!file || !fgets(text, sizeof text, file))
            bail_out("no table");
        while (fgets(text, sizeof text, file) &&
               sscanf(text, "%lg,%lg,%lg,%lld,%lg", &s, &x, &y, &element, &rho) == 5) {
            total += s - last;
            wrong += s < last;
            last = s;
        }
        fclose(file);
        ok(wrong == 0 && fabs(total - hypot(l[2] - l[0], l[3] - l[1])) < 1e-12,
           "a line along edges from %g, %g to %g, %g is covered once", l[0], l[1], l[2], l[3]);
        unlink("line.csv");
    }

    is_int(ew_probe_write(results, &(ew_probe){.line = {1, 1, 1, 1}}, "line.csv", &error), EW_EINVAL,
           "a line without length");
    is_int(ew_probe_write(results, &(ew_probe){.line = {3, 3, 4, 4}}, "line.csv", &error), EW_EINVAL,
           "a line beside the mesh");
    contains(error.message, "misses the mesh", "... is called so");
    is_int(ew_probe_write(results, &(ew_probe){.line = {0, 0, NAN, 1}}, "line.csv", &error), EW_EINVAL,
           "a line to nowhere");
    is_int(ew_probe_write(results, &(ew_probe){.line = {0, 0, 1, 1}, .points = -1}, "line.csv", &error), EW_EINVAL,
           "points < 0");
    is_int(ew_probe_write(results, &(ew_probe){.line = {0, 0, 1, 1}}, "no/line.csv", &error), EW_EIO, "no folder");
    ok(access("line.csv", F_OK) != 0, "what is refused writes nothing");
    ew_results_close(results);
}

static void test_probe_fields(void)
{
    ew_results *results = results_of(1, (const char *const[]){"initial.rho=1 + y"});
    int other[2] = {field_of(results, "rho_u"), field_of(results, "rho_v")};
    ew_probe probe = {.line = {0.1, 0.2, 1.9, 0.8}, .points = 3, .others = 2, .other = other};
    expect(ew_probe_write(results, &probe, "line.csv", &error), "ew_probe_write");
    FILE *file = fopen("line.csv", "r");
    char text[256] = "";
    double x, y, rho, rho_u, rho_v;
    int rows = 0, wrong = 0;
    ok(file && fgets(text, sizeof text, file) && strcmp(text, "distance,x,y,element,rho,rho_u,rho_v\n") == 0,
       "a table has several fields");
    for (; file && fgets(text, sizeof text, file); rows++) {
        wrong += sscanf(text, "%*g,%lg,%lg,%*d,%lg,%lg,%lg", &x, &y, &rho, &rho_u, &rho_v) != 5;
        wrong += fabs(rho - 1 - y) > 1e-12 || fabs(rho_u - rho * (x - 1)) > 1e-12 ||
                 fabs(rho_v - rho / 2) > 1e-12;
    }
    ok(rows > 8 && wrong == 0, "... each with its own values");
    if (file)
        fclose(file);
    probe.others = EW_PLOT_PANELS;
    is_int(ew_probe_write(results, &probe, "line.csv", &error), EW_EINVAL, "too many fields are refused");
    unlink("line.csv");
    ew_results_close(results);
}

/* ---- boundaries -------------------------------------------------------------------------------------------------- */

/* Number of wrong rows of the table along the boundary of the small case, where p is a cubic polynomial. */
static int check_boundary(const ew_results *results, const char *boundary, double *length, int *rows)
{
    int other = field_of(results, "cp"), wrong = 0;
    ew_probe probe = {.field = field_of(results, "p"), .others = 1, .other = &other, .boundary = boundary};
    expect(ew_probe_write(results, &probe, "boundary.csv", &error), "ew_probe_write");
    FILE *file = fopen("boundary.csv", "r");
    char text[256] = "", name[32];
    double arc, chord, x, y, p, cp, last[3] = {0, NAN, NAN};
    *rows = 0;
    wrong += !file || !fgets(text, sizeof text, file) || strcmp(text, "arc,x/c,x,y,boundary,element,p,cp\n") != 0;
    for (; file && fgets(text, sizeof text, file); ++*rows) {
        wrong += sscanf(text, "%lg,%lg,%lg,%lg,%31[^,],%*d,%lg,%lg", &arc, &chord, &x, &y, name, &p, &cp) != 7;
        double exact = 2 + x * x * x - x * y * y + y, step = isnan(last[1]) ? 0 : hypot(x - last[1], y - last[2]);
        wrong += fabs(p - exact) > 1e-12 || fabs(cp - (exact - 1.5) / 4) > 1e-12 || !strstr(boundary, name);
        wrong += fabs(arc - last[0] - step) > 1e-12;
        last[0] = arc;
        last[1] = x;
        last[2] = y;
    }
    *length = last[0];
    if (file)
        fclose(file);
    unlink("boundary.csv");
    return wrong;
}

static void test_boundary_table(void)
{
    ew_results *results = results_of(5, (const char *const[]){"order=3", "initial.rho=2", "initial.u=0", "initial.v=0",
                                                              "initial.p=2 + x^3 - x*y^2 + y"});
    double length;
    int rows, k;
    is_int(ew_results_find(results, "cp", &k, &error), EW_EINVAL, "without reference values there is no cp");
    contains(error.message, "--reference DENSITY,SPEED,PRESSURE", "... and the sentence says how there is");
    is_int(ew_results_set_reference(results, 2, 0, 1.5, &error), EW_EINVAL, "a speed of 0 is no reference");
    expect(ew_results_set_reference(results, 2, 2, 1.5, &error), "ew_results_set_reference");
    is_int(check_boundary(results, "bottom", &length, &rows), 0, "pressure and cp along a boundary are exact");
    is_close(length, 2, 1e-12, "... over all of it");
    is_int(rows, 8 * 7, "... at 2 p + 1 points of each edge");
    is_int(check_boundary(results, "right,bottom", &length, &rows), 0,
           "boundaries that follow each other are one curve");
    is_close(length, 3, 1e-12, "... of all their length");
    is_int(check_boundary(results, "left,right,top,bottom", &length, &rows), 0, "... also a closed one");
    is_close(length, 6, 1e-12, "... once round");
    static const struct {
        const char *names, *part;
    } refused[] = {{"wall", "has no boundary \"wall\"; it has "},
                   {"top,top", "boundary \"top\" is named twice"},
                   {"top,", "has no boundary \"\""}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ew_probe probe = {.boundary = refused[i].names};
        is_int(ew_probe_write(results, &probe, "boundary.csv", &error), EW_EINVAL, "refused: \"%s\"", refused[i].names);
        contains(error.message, refused[i].part, "... with a sentence");
    }
    ok(access("boundary.csv", F_OK) != 0, "what is refused writes nothing");
    ew_results_close(results);
}

#ifdef EWI_HAVE_PNG
/* Checks the labels of an axis from low to high, separated by blanks. */
static void labels_are(double low, double high, bool logarithmic, const char *expected)
{
    struct ewi_ticks ticks;
    char labels[512] = "";
    ewi_ticks(low, high, 6, logarithmic, &ticks);
    for (int k = 0; k < ticks.count; k++)
        snprintf(labels + strlen(labels), sizeof labels - strlen(labels), "%s%s", k ? " " : "", ticks.label[k]);
    ok(strcmp(labels, expected) == 0, "from %g to %g there are %s", low, high, expected) ||
        (diag("not %s", labels), 0);
}

static void test_labels(void)
{
    labels_are(0, 1, false, "0 0.2 0.4 0.6 0.8 1.0");
    labels_are(0, 1e-4, false, "0 2e-05 4e-05 6e-05 8e-05 1.0e-04");
    labels_are(1e-5, 1e-1, true, "1e-05 1e-04 1e-03 1e-02 1e-01");
    labels_are(1e-3, 1, true, "0.001 0.01 0.1 1");
    labels_are(0, 1e8, false, "0 2e+07 4e+07 6e+07 8e+07 1.0e+08");
}

static void test_probe_curve(void)
{
    ew_results *results = results_of(1, (const char *const[]){"initial.rho=1 + x"});
    ew_probe probe = {.line = {0, 0.3, 2, 0.3}, .picture = 1, .width = 600, .height = 400, .low = 1, .high = 3};
    expect(ew_probe_write(results, &probe, "line.png", &error), "ew_probe_write");
    struct image image = read_png("line.png");
    is_int(image.width, 600, "a curve is as wide as it was asked for");
    int blue = 0;
    for (int j = 0; j < image.height; j++)
        for (int i = 0; i < image.width; i++)
            blue += pixel(&image, i, j)[2] > pixel(&image, i, j)[0] + 64;
    ok(blue > 500, "there is a curve");
    free(image.rgb);
    probe = (ew_probe){
        .line = {0.5, 0.3, 0.50001, 0.3}, .picture = 1, .width = 600, .height = 400, .low = 1, .high = 3};
    expect(ew_probe_write(results, &probe, "line.png", &error), "ew_probe_write");
    image = read_png("line.png");
    int dark = 0;
    for (int j = 0; j < image.height; j++)
        dark += pixel(&image, image.width - 1, j)[0] < 250;
    is_int(dark, 0, "a long label at the end of the axis is not cut off");
    free(image.rgb);
    unlink("line.png");
    ew_results_close(results);
}
#endif

/* ---- files that are not as they should be ------------------------------------------------------------------------ */

/* Opens the file and, if possible, reads everything; every failure must have a sentence. */
static int read_everything(const char *path)
{
    ew_results *results;
    error = (ew_error){0};
    int status = ew_results_open(NULL, path, &results, &error);
    if (status != EW_OK)
        return status;
    ew_results_info info;
    ew_results_get_info(results, &info);
    double *value = allocate((size_t)info.elements * POINTS, sizeof *value);
    for (int k = 0; status == EW_OK && info.frames > 0 && ew_results_field(results, k, NULL, NULL); k++)
        status = ew_results_sample(results, info.frames - 1, k, 0, info.elements, POINTS, somewhere, value, &error);
    free(value);
    ew_results_close(results);
    return status;
}

static void broken(const char *path, int code, const char *part)
{
    int status = read_everything(path);
    ok(status == code && strstr(error.message, part), "a bad file: %s", part) ||
        (diag("%d: %s", status, error.message), 0);
}

static int change(const char *path, const char *bytes, size_t count)
{
    int file;
    write_bytes(path, bytes, count);
    expect_netcdf(nc_open(path, NC_WRITE, &file), "nc_open");
    nc_redef(file);
    return file;
}

static void test_bad_files(void)
{
    ew_results *results = results_of(0, NULL);
    ew_results_close(results);
    size_t count;
    char *bytes = read_bytes("small.nc", &count);
    broken("nothing.nc", EW_EIO, "No such file");
    broken(".", EW_EIO, "not a regular file");
    write_bytes("bad.nc", "", 0);
    broken("bad.nc", EW_EIO, "is empty");
    write_bytes("bad.nc", "x,y\n1,2\n3,4\n5,6\n", 16);
    broken("bad.nc", EW_EIO, "not a netCDF file");
    int whole = 0;
    for (size_t k = 1; k < 40; k++) {
        write_bytes("bad.nc", bytes, count * k / 40);
        whole += read_everything("bad.nc") == EW_OK || !strstr(error.message, "bad.nc");
    }
    is_int(whole, 0, "a file that is cut short is noticed, wherever it is cut");

    int file, dimension, variable, number = 2;
    expect_netcdf(nc_create("bad.nc", NC_NETCDF4 | NC_CLOBBER, &file), "nc_create");
    nc_def_dim(file, "time", NC_UNLIMITED, &dimension);
    nc_put_att_text(file, NC_GLOBAL, "source", 6, "others");
    nc_close(file);
    broken("bad.nc", EW_EIO, "not have the fields of an edgewise run");
    contains(error.message, "source: others", "... and its source is named");

    file = change("bad.nc", bytes, count);
    nc_put_att_int(file, NC_GLOBAL, "edgewise_format", NC_INT, 1, &number);
    nc_put_att_text(file, NC_GLOBAL, "edgewise_version", 5, "9.8.7");
    nc_close(file);
    broken("bad.nc", EW_EUNAVAILABLE, "edgewise 9.8.7 in format 2");

    file = change("bad.nc", bytes, count);
    number = 3;
    nc_put_att_int(file, NC_GLOBAL, "subdivide", NC_INT, 1, &number);
    nc_close(file);
    broken("bad.nc", EW_EIO, "do not fit its attribute subdivide");

    /* 134 million frames that were never written */
    file = change("bad.nc", bytes, count);
    double late = 1;
    size_t at = (size_t)1 << 27;
    nc_enddef(file);
    nc_inq_varid(file, "time", &variable);
    nc_put_var1_double(file, variable, &at, &late);
    nc_close(file);
    broken("bad.nc", EW_EIO, "more values than a file of its size can have");

    file = change("bad.nc", bytes, count);
    nc_def_dim(file, "huge", (size_t)1 << 40, &dimension);
    nc_close(file);
    broken("bad.nc", EW_EIO, "more values than a file of its size can have");

    file = change("bad.nc", bytes, count);
    double nowhere = NAN;
    at = 7 * 6;
    nc_enddef(file);
    nc_inq_varid(file, "mesh_node_y", &variable);
    nc_put_var1_double(file, variable, &at, &nowhere);
    nc_close(file);
    broken("bad.nc", EW_EIO, "a corner of element 7 is at y = nan");
    unlink("bad.nc");
    free(bytes);
}

/* Changes every name in the file and removes every attribute, in turn. */
static void test_changed_files(void)
{
    size_t count;
    char *bytes = read_bytes("small.nc", &count), name[NC_MAX_NAME + 1];
    int file, variables = 0, dimensions = 0, attributes = 0, silent = 0, tried = 0;
    expect_netcdf(nc_open("small.nc", NC_NOWRITE, &file), "nc_open");
    nc_inq(file, &dimensions, &variables, &attributes, NULL);
    nc_close(file);
    for (int k = 0; k < variables + dimensions + attributes; k++, tried++) {
        file = change("bad.nc", bytes, count);
        if (k < variables) {
            nc_rename_var(file, k, "renamed");
        } else if (k < variables + dimensions) {
            nc_rename_dim(file, k - variables, "renamed");
        } else {
            nc_inq_attname(file, NC_GLOBAL, k - variables - dimensions, name);
            nc_del_att(file, NC_GLOBAL, name);
        }
        nc_close(file);
        int status = read_everything("bad.nc");
        silent += status != EW_OK && error.message[0] == '\0';
    }
    ok(tried > 40 && silent == 0, "%d files with something missing are read or give a sentence", tried);
    unlink("bad.nc");
    free(bytes);
}

static void test_running(void)
{
    struct setup setup = write_fields(0, NULL);
    ew_fields *fields;
    ew_results *results;
    ew_results_info info;
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
    expect(ew_fields_create(NULL, "small.nc", ew_case_plan(setup.that), setup.solver, &fields, &error),
           "ew_fields_create");
    expect(ew_fields_write(fields, setup.solver, &error), "ew_fields_write");
    is_int(ew_results_open(NULL, "small.nc.part", &results, &error), EW_OK,
           "a run's fields can be read while it goes on") ||
        (diag("%s", error.message), 0);
    ew_results_get_info(results, &info);
    is_int(info.frames, 1, "... with the frames that it has written");
    is_str(info.status, "running", "... and they say so");
    ew_results_close(results);
    ew_fields_destroy(fields);
    unmake(&setup);
}

int main(void)
{
    const char *parent = getenv("TMPDIR");
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/edgewise-plot.XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        bail_out("cannot make the folder %s", folder);
    write_bytes("small.cfg", case_text, strlen(case_text));
    test_info();
    for (int order = 1; order <= 5; order++)
        test_reading_back(order, order);
    test_reading_back(2, 5);
    test_reading_back(4, 16);
    test_other_fields();
    test_probe_table();
    test_probe_fields();
    test_boundary_table();
#ifdef EWI_HAVE_PNG
    test_linear();
    test_single();
    test_jump();
    test_symmetry();
    test_isolines();
    test_logarithm();
    test_layout();
    test_threads();
    test_maps();
    test_palette();
    test_abscissa();
    test_percentiles();
    test_velocity();
    test_several();
    test_difference();
    test_film();
    test_vector_formats();
    test_charts();
    test_falling_axis();
    test_legend();
    test_many_curves();
    test_refusals();
    test_labels();
    test_probe_curve();
    test_allocations();
    unlink("small.png");
#else
    skip("built without libpng", "pictures");
#endif
    test_bad_files();
    test_changed_files();
    test_running();
    unlink("small.nc");
    unlink("small.cfg");
    ok(chdir("/") == 0 && rmdir(folder) == 0, "nothing else is left in the folder");
    return done_testing();
}
