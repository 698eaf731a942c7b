/* SPDX-License-Identifier: BSD-2-Clause */
/* libxsmm 1.17 behind the three entry points of newer versions that PyFR 3
 * calls.  PyFR's OpenMP backend needs them; Debian's newest libxsmm is 1.17.
 *
 * Newer versions make several kernels for a matrix and keep the one that their
 * own clock finds fastest.  Here too: 1.17's own choice (sparse or dense) is
 * timed against its dense kernels of several widths.
 *
 * XSMM_NT=0 in the environment ignores PyFR's wish for non-temporal stores. */
#include <libxsmm.h>
#include <libxsmm_fsspmdm.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64, F64 = 0 };

typedef struct kernel {
    libxsmm_dfsspmdm *own;       /* 1.17's own choice, or NULL: dense */
    libxsmm_dmmfunction dense;
    double *a;                   /* alpha A, M x K */
    int n, width;
} kernel;

typedef struct problem {
    int m, n, k, lda, ldb, ldc;
    double alpha, beta;
    const double *a;
} problem;

void libxsmm_fsspmdm_execute(const kernel *h, const double *b, double *c)
{
    if (h->own) {
        libxsmm_dfsspmdm_execute(h->own, b, c);
        return;
    }
    for (int j = 0; j < h->n; j += h->width)
        h->dense(b + j, h->a, c + j);
}

void libxsmm_fsspmdm_destroy(kernel *h)
{
    if (!h)
        return;
    if (h->own)
        libxsmm_dfsspmdm_destroy(h->own);
    free(h->a);
    free(h);
}

/* width 0: 1.17's own choice */
static kernel *make(const problem *q, int width, int nt)
{
    kernel *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->n = q->n;
    h->width = width;
    if (!width) {
        h->own = libxsmm_dfsspmdm_create(q->m, q->n, q->k, q->lda,
            q->ldb, q->ldc, q->alpha, q->beta, nt, q->a);
        if (h->own)
            return h;
        goto fail;
    }
    h->a = malloc(sizeof(double)*q->m*q->k);
    if (!h->a)
        goto fail;
    for (int i = 0; i < q->m; i++)
        for (int j = 0; j < q->k; j++)
            h->a[i*q->k + j] = q->alpha*q->a[i*q->lda + j];
    const double one = 1.0;
    const int flags = LIBXSMM_GEMM_FLAG_NONE
        | (nt && q->beta == 0 ? LIBXSMM_GEMM_FLAG_ALIGN_C_NTS_HINT : 0);
    /* Row-major C = A B is column-major C' = B' A' */
    h->dense = libxsmm_dmmdispatch(width, q->m, q->k, &q->ldb, &q->k,
        &q->ldc, &one, &q->beta, &flags, NULL);
    if (h->dense)
        return h;
fail:
    libxsmm_fsspmdm_destroy(h);
    return NULL;
}

static double clock_kernel(const kernel *h, const double *b, double *c)
{
    const libxsmm_timer_tickint t0 = libxsmm_timer_tick();
    for (int i = 0; i < 100; i++)
        libxsmm_fsspmdm_execute(h, b, c);
    return libxsmm_timer_duration(t0, libxsmm_timer_tick());
}

/* 1.17's own choice (0) unless a width is clearly faster; -1: no kernel */
static int fastest_width(const problem *q)
{
    static const int widths[] = { 0, 4, 8, 16, 32, 64 };
    enum { N = sizeof widths/sizeof *widths };
    const size_t nb = sizeof(double)*q->k*q->ldb;
    const size_t nc = sizeof(double)*q->m*q->ldc;
    double *b = libxsmm_aligned_malloc(nb, ALIGN);
    double *c = libxsmm_aligned_malloc(nc, ALIGN);
    kernel *h[N] = { NULL };
    double t[N];
    int found = -1;

    if (!b || !c)
        goto out;
    memset(b, 0, nb);
    memset(c, 0, nc);
    for (int i = 0; i < N; i++)
        if (!widths[i] || q->n % widths[i] == 0)
            h[i] = make(q, widths[i], 0);
    /* By turns, so that other work on the machine disturbs all alike */
    for (int round = 0; round < 20; round++)
        for (int i = 0; i < N; i++) {
            if (!h[i])
                continue;
            const double s = clock_kernel(h[i], b, c);
            if (round == 0 || s < t[i])
                t[i] = s;
        }
    for (int i = 0; i < N; i++)
        if (h[i] && (found < 0 || t[i] < 0.9*t[found]))
            found = i;
out:
    for (int i = 0; i < N; i++)
        libxsmm_fsspmdm_destroy(h[i]);
    libxsmm_free(b);
    libxsmm_free(c);
    return found < 0 ? -1 : widths[found];
}

kernel *libxsmm_fsspmdm_create(int type, int m, int n, int k, int lda, int ldb,
    int ldc, const void *alpha, const void *beta, const void *a, int nt,
    void *tick)
{
    (void)tick;
    if (type != F64 || !a)
        return NULL;
    const problem q = { m, n, k, lda, ldb, ldc,
        *(const double *)alpha, *(const double *)beta, a };
    const char *s = getenv("XSMM_NT");
    const int w = fastest_width(&q);
    return w < 0 ? NULL : make(&q, w, nt && !(s && !strcmp(s, "0")));
}
