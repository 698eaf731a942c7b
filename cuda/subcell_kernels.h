/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The limiter subcell's kernels of one law and one order (limiter/subcell.h), in both sets. sense_edges has a thread
 * per edge, and may begin a step. The others go through lists, whose length only the device knows, and share the work
 * on an item among threads.
 */
#if EWI_HAS_SUBCELLS
/* Thread blocks of a multiprocessor, by measurement (bench/results/subcell.md): these kernels wait for loads. */
#define EWI_SUBCELLS_HELD 3
#define EWI_SENSE_HELD (4 - EWI_ORDER)

/* ---- the sensor ---- */

/* Thread `thread` of the whole grid forgets what was divided. */
EWI_DEVICE void EWI_K(clear_touched)(const struct ewi_cuda_subcells *call, int64_t thread)
{
    const struct ewi_subcells *of = &call->a.subcells;
    if (thread == 0)
        of->count[0] = of->count[1] = 0;
    EWI_NO_UNROLL for (int64_t block = thread; of->touched_block && block < of->blocks; block += call->threads)
        of->touched_block[block] = 0;
}

EWI_DEVICE void EWI_K(sense_edge)(const struct ewi_cuda_subcells *call, int64_t s)
{
    const struct ewi_subcells *of = &call->a.subcells;
    if (s >= call->slots)
        return;
    for (int row = 0; s < of->boundary_slots && row < EWI_SUBCELL_JUMPS; row++)
        of->jumps[ewi_layout_index(EWI_TILE, EWI_SUBCELL_JUMPS, row, s)] = 0.0;
    if (s >= of->boundary_slots)
        EWI_K(sense_edges)(&call->a, call->state, s);
}

EWI_DEVICE void EWI_K(sense)(const struct ewi_cuda_subcells *call, int64_t block)
{
    struct ewi_clock clock;
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++) {
        int thread = ewi_thread(mine);
        if (!ewi_cuda_enter_step(&call->head, block, 0, thread == 0, &clock))
            continue;
        EWI_K(clear_touched)(call, block * EWI_CUDA_BLOCK + thread);
        EWI_K(sense_edge)(call, ewi_cuda_item(call->list, block, thread));
    }
}
EWI_CROWDED_KERNEL(EWI_SENSE_HELD, EWI_NAME(sense_edges), subcells, EWI_K(sense))

/* ---- divide_elements ---- */

/*
 * A block has EWI_VOLUME_ROOM elements at once, as lanes of its warps, which share an element's volumes, faces and
 * points: those of a warp have the same one, and read the same entries of tables.
 */
/* In shared memory: means and slopes of a block's elements, and fluxes through inner faces. */
#define EWI_MEANS_ROOM (EWI_NP * EWI_VOLUME_VALUES * EWI_VOLUME_ROOM)
#define EWI_SLOPES_ROOM (EWI_NP * EWI_EVOLVING * EWI_VOLUME_ROOM)
#define EWI_DIVIDE_ROOM (EWI_MEANS_ROOM + 2 * EWI_SLOPES_ROOM + EWI_FACES * EWI_M * EWI_VOLUME_ROOM)

EWI_DEVICE struct EWI_K(volumes) EWI_K(volumes_at)(double *room, int lane)
{
    double *slopes = room + EWI_MEANS_ROOM + lane;
    struct EWI_K(volumes) v = {room + lane, slopes, slopes + EWI_SLOPES_ROOM};
    return v;
}
EWI_DEVICE double *EWI_K(fluxes_at)(double *room, int lane)
{
    return room + EWI_MEANS_ROOM + 2 * EWI_SLOPES_ROOM + lane;
}

EWI_DEVICE void EWI_K(own_coefficients)(const struct ewi_cuda_subcells *call, int64_t element, double (*c)[EWI_NP])
{
    int64_t place = EWI_K(place)(call->a.width, element);
    EWI_K(gather_coefficients)(&call->a, call->state, &place, c);
}

EWI_DEVICE void EWI_K(average)(const struct ewi_cuda_subcells *call, double *room, int n, int lane, int64_t element)
{
    struct EWI_K(volumes) v = EWI_K(volumes_at)(room, lane);
    double c[EWI_M][EWI_NP];
    EWI_K(own_coefficients)(call, element, c);
    EWI_K(average_volume)(&call->a, n, c, &v);
}

EWI_DEVICE void EWI_K(slope)(const struct ewi_cuda_subcells *call, double *room, int n, int lane, int64_t element)
{
    struct EWI_K(volumes) v = EWI_K(volumes_at)(room, lane);
    (void)call;
    (void)element;
    EWI_K(find_slope)(n, &v);
}

EWI_DEVICE void EWI_K(face)(const struct ewi_cuda_subcells *call, double *room, int f, int lane, int64_t element)
{
    struct EWI_K(volumes) v = EWI_K(volumes_at)(room, lane);
    double shape[4], through[EWI_M], c[EWI_M][EWI_NP];
    EWI_K(gather_shape)(&call->a, &element, shape);
    EWI_K(own_coefficients)(call, element, c); /* all but the bed's are not used, and not loaded */
    EWI_K(face_flux)(&call->a, f, shape, c, &v, through);
    for (int m = 0; m < EWI_M; m++)
        EWI_K(fluxes_at)(room, lane)[(f * EWI_M + m) * EWI_VOLUME_ROOM] = through[m];
}

EWI_DEVICE void EWI_K(blend)(const struct ewi_cuda_subcells *call, double *room, int point, int lane, int64_t element)
{
    struct EWI_K(volumes) v = EWI_K(volumes_at)(room, lane);
    struct EWI_K(neighbours) behind;
    double c[EWI_M][EWI_NP];
    EWI_K(own_coefficients)(call, element, c);
    EWI_K(load_neighbours)(&call->a, call->state, point / EWI_NE, &element, &behind);
    EWI_K(blend_point)(&call->a, point, &element, c, &v, &behind);
}

/* Both need means and slopes only. */
EWI_DEVICE void EWI_K(face_or_point)(const struct ewi_cuda_subcells *call, double *room, int part, int lane,
                                     int64_t element)
{
    if (part < 3 * EWI_NE)
        EWI_K(blend)(call, room, part, lane, element);
    else
        EWI_K(face)(call, room, part - 3 * EWI_NE, lane, element);
}

EWI_DEVICE void EWI_K(sum)(const struct ewi_cuda_subcells *call, double *room, int n, int lane, int64_t element)
{
    struct EWI_K(volumes) v = EWI_K(volumes_at)(room, lane);
    EWI_K(sum_faces)(&call->a, n, &element, &v, EWI_K(fluxes_at)(room, lane));
    int kind = call->kind ? call->kind[element / EWI_TILE] : EWI_LEVEL_OWN;
    if (kind != EWI_LEVEL_VIEW && kind != EWI_LEVEL_SUM)
        return;
    int64_t place = EWI_K(place)(call->a.width, element); /* these have no inner faces */
    for (int m = 0; m < EWI_EVOLVING; m++)
        EWI_K(scatter_at)(call->a.subcells.lifted, call->a.width, &place, m, n, 0.0);
}

/* Calls do_part for so many parts of each of a block's elements, the first of which has the number `first`. */
#define EWI_EACH_PART(do_part, parts)                                                                  \
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++)                                        \
        EWI_NO_UNROLL for (int x = ewi_thread(mine); x < (parts)*EWI_VOLUME_ROOM; x += EWI_CUDA_BLOCK) \
        {                                                                                              \
            int part = x / EWI_VOLUME_ROOM, lane = x % EWI_VOLUME_ROOM;                                \
            if (first + lane < count)                                                                  \
                EWI_K(do_part)(call, room, part, lane, of->element[first + lane]);                     \
        }                                                                                              \
    EWI_BARRIER;

EWI_DEVICE void EWI_K(divide)(const struct ewi_cuda_subcells *call, int64_t block)
{
    EWI_SHARED double room[EWI_DIVIDE_ROOM];
    const struct ewi_subcells *of = &call->a.subcells;
    int64_t count = ewi_cuda_enter(&call->head, block, 1) ? of->count[0] : 0;
    EWI_NO_UNROLL for (int64_t first = block * EWI_VOLUME_ROOM; first < count;
                       first += call->threads / EWI_CUDA_BLOCK * EWI_VOLUME_ROOM)
    {
        EWI_EACH_PART(average, EWI_NP)
        EWI_EACH_PART(slope, EWI_NP)
        EWI_EACH_PART(face_or_point, 3 * EWI_NE + EWI_FACES)
        EWI_EACH_PART(sum, EWI_NP)
    }
}
EWI_CROWDED_KERNEL(EWI_SUBCELLS_HELD, EWI_NAME(divide_elements), subcells, EWI_K(divide))

/* ---- the others ---- */

/* Given states by formulas are those of the stage's time. */
EWI_DEVICE void EWI_K(touched_point)(const struct ewi_cuda_subcells *call, int64_t slot, int e)
{
#if EWI_OVER_BED
    struct ewi_arguments now = call->a;
    const struct ewi_arguments *a = &now;
    now.parameter[EWI_STEP_PARAMETER] = call->head.clock->step;
#else
    const struct ewi_arguments *a = &call->a;
#endif
    double normal[3], left[1][EWI_TOUCHED_VALUES], right[1][EWI_TOUCHED_VALUES];
    int by_formula = slot < a->subcells.boundary_slots && call->given_now && call->head.program &&
                     call->head.program[slot / EWI_TILE].length > 0;
    EWI_K(gather_normal)(a, &slot, normal);
    EWI_K(touched_traces)(a, call->state, a->left, a->left_side, &slot, e, 1, left);
    EWI_K(touched_traces)(a, call->state, a->right, a->right_side, &slot, EWI_NE - 1 - e, 1, right);
    EWI_K(touched_flux)(a, by_formula ? call->given_now : a->given, call->state, &slot, e, normal, left[0], right[0]);
}

/* A warp has a point of some edges. */
EWI_DEVICE void EWI_K(touched)(const struct ewi_cuda_subcells *call, int64_t block)
{
    int64_t count = ewi_cuda_enter(&call->head, block, 1) ? call->a.subcells.count[1] : 0;
    int64_t points = (count + EWI_CUDA_LANES - 1) / EWI_CUDA_LANES * EWI_CUDA_LANES * EWI_NE;
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_BLOCK); mine++)
        EWI_NO_UNROLL for (int64_t x = block * EWI_CUDA_BLOCK + ewi_thread(mine); x < points; x += call->threads)
        {
            int64_t warp = x / EWI_CUDA_LANES, k = warp / EWI_NE * EWI_CUDA_LANES + x % EWI_CUDA_LANES;
            if (k < count)
                EWI_K(touched_point)(call, call->a.subcells.edge[k], (int)(warp % EWI_NE));
        }
}
EWI_CROWDED_KERNEL(EWI_SUBCELLS_HELD, EWI_NAME(touched_fluxes), subcells, EWI_K(touched))

/* Threads side by side have the variables of an element, whose fluxes lie side by side. */
EWI_DEVICE void EWI_K(lift_divided)(const struct ewi_cuda_subcells *call, int64_t block, int64_t i)
{
    int64_t count = ewi_cuda_enter(&call->head, block, 1) ? call->a.subcells.count[0] : 0;
    EWI_NO_UNROLL for (int64_t x = i; x < count * EWI_EVOLVING; x += call->threads)
    {
        int64_t element = call->a.subcells.element[x / EWI_EVOLVING];
        EWI_K(lift_variables)(&call->a, &element, (int)(x % EWI_EVOLVING), 1);
    }
}
EWI_THREAD_KERNEL(EWI_NAME(lift_volumes), subcells, EWI_K(lift_divided))

#undef EWI_EACH_PART
#undef EWI_MEANS_ROOM
#undef EWI_SLOPES_ROOM
#undef EWI_DIVIDE_ROOM
#undef EWI_SUBCELLS_HELD
#undef EWI_SENSE_HELD
#endif
