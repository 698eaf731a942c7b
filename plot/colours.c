/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Colour maps. Their lightness changes evenly, so that equal steps of the value look equal, also to the colour-blind.
 * Each has 65 colours with linear interpolation between them, less than 1/255 from the original tables (cividis 2/255).
 *
 * viridis, magma   Stefan van der Walt and Nathaniel Smith, for matplotlib; released as CC0
 * cividis          J. R. Nunez, C. R. Anderton, R. S. Renslow, PLoS ONE 13(7): e0199239 (2018); tables under CC0
 * blue-red         made for edgewise: hues 258 and 27 degrees in Oklab, lightness from 0.41 to 0.965 and back
 * grey             black to white
 */
#include "ewi_canvas.h"

#include <string.h>

enum { KNOTS = 65 };

struct ewi_colour_map {
    const char *name, *knots; /* knots: KNOTS times rrggbb; NULL: grey */
};

static const struct ewi_colour_map maps[] = {
    {"viridis",
     "44015446065a470d6047136548186a481d6f482374482878472d7b46327e453681443b844240864045873f49893d4e8a3b528b39568c"
     "375a8d355e8d33638d31668e2f6a8e2e6e8e2c728e2b768e297a8e287d8e26818e25858e23898e228c8d21908c20948c1f988b1e9b8a"
     "1f9f8820a38721a68524aa8328ae802cb17e31b57b37b8773ebc7445bf704cc26c54c6675dc96365cc5d6ece5878d15282d34c8cd646"
     "96d83fa0da39abdc32b5de2bc0df24cbe11fd5e21ae0e318eae51af4e61efde725"},
    {"magma",
     "00000402010903031106051a0a08220e0b2b130d33180f3d1d114622115028115a2f116336106a3d0f71430f764a107950127c57147e"
     "5d177f631980691c816f1e817621817c23828226818928818f2a81952c809c2e7fa2307ea9327daf347bb63779bc3977c33b75c93e72"
     "cf4170d6446ddb486ae14c66e65163ea5661ee5c5ef2635df5695cf7715cf9785dfa805efb8761fc8f64fd9668fe9e6cfea571fead76"
     "feb47bfebb81fec387feca8dfed194fed99bfde0a2fde7a9fceeb0fcf6b8fcfdbf"},
    {"cividis",
     "00224e00255400285b002b62002e6a0030700433711135701a386f213b6e273e6e2d416d32436d36466c3b496c3f4c6c434e6c47516c"
     "4b546c4f576c52596d565c6d5a5f6e5d626e61656f646770686a716b6d726f70737273747576767978777c7b78807e78848179878478"
     "8b87788f8a78938d789790779b93769f9676a39a75a79d74aba072afa371b3a670b7aa6ebbad6cbfb06bc3b469c8b766ccba64d0be61"
     "d4c15fd9c55cddc958e1cc55e6d051ead44cefd748f4db42f8df3cfde334fee838"},
    {"blue-red",
     "0c47940e4b9d1050a51355ad1759b41b5ebb1f64c22469c92a6ecf2f73d53579da3c7edf4284e4498ae8508fec5895ef5f9bf267a0f5"
     "70a6f778acf980b2fa89b7fb92bdfc9bc3fda5c8fdaecefcb8d3fcc2d9fbcbdefad5e3f8dfe9f7e9eef5f3f3f3f5ebeaf6e3e0f7dbd7"
     "f8d2cdf9cac4f9c2bbf8bab2f8b2a9f7aaa0f5a298f49a8ff29287ef8a7fed8278e97b70e67469e26c62de655bd95e54d5574ed05148"
     "ca4b42c4453dbf3f38b83933b2342fab2f2ba42b279d27239623208e201e861e1b"},

    {"grey", NULL},
};

static const char reversed_suffix[] = "-reversed";

const char *ew_plot_map(int k)
{
    return k >= 0 && k < (int)(sizeof maps / sizeof *maps) ? maps[k].name : NULL;
}

const struct ewi_colour_map *ewi_colour_map_find(const char *name, bool *reversed)
{
    for (size_t k = 0; k < sizeof maps / sizeof *maps; k++) {
        size_t length = strlen(maps[k].name);
        *reversed = strncmp(name, maps[k].name, length) == 0 && strcmp(name + length, reversed_suffix) == 0;
        if (*reversed || strcmp(name, maps[k].name) == 0)
            return &maps[k];
    }
    return NULL;
}

static double digits(const char *text)
{
    int value = 0;
    for (int k = 0; k < 2; k++)
        value = 16 * value + (text[k] <= '9' ? text[k] - '0' : text[k] - 'a' + 10);
    return value;
}

void ewi_colour(const struct ewi_colour_map *map, bool reversed, double t, double rgb[3])
{
    double at = (reversed ? 1 - t : t) * (KNOTS - 1);
    int knot = at < KNOTS - 1 ? (int)at : KNOTS - 2;
    for (int k = 0; k < 3; k++) {
        const char *from = map->knots ? map->knots + 6 * knot + 2 * k : NULL;
        rgb[k] = from ? digits(from) + (at - knot) * (digits(from + 6) - digits(from)) : at / (KNOTS - 1) * 255;
    }
}
