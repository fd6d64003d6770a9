/*
 * Lenstra's algorithm (Integer programming with a fixed number of variables, 1983). The lattice has a point for each z:
 * the values of all terms and, last, their sum. Bounds and interval are a box, which is scaled to a cube; a lattice
 * point within it is a solution. The basis is reduced, so that few of the parallel hyperplanes on which all lattice
 * points lie, across the last orthogonalised vector, meet the cube. Each of these is the same problem with a vector
 * less, in a smaller box. If points are dense, one of the first hyperplanes has a solution.
 *
 * Points, basis and boxes are exact integers. Floating point decides which hyperplanes meet the cube and how they cut
 * it, with a margin (`tolerance`) far larger than its error in a reduced basis of SVI_LENSTRA_MAX_TERMS vectors.
 */
#include "overlap/lenstra.h"

#include <string.h>

#include "base/alloc.h"

enum {
    DIMENSIONS = SVI_LATTICE_MAX_DIMENSIONS, /* one for each term, and the last for their sum */
    REDUCTION_COST_STEPS = 20                /* what a reduction takes from the work limit */
};

static const double tolerance = 1.0 / (INT64_C(1) << 36);

struct box {
    svi_wide lower[DIMENSIONS], upper[DIMENSIONS];
};

/* The lattice points of a box that lie on all hyperplanes chosen so far. An array has one for each depth. */
struct subproblem {
    const struct svi_diophantine *e;
    int64_t *work;
    /* Each vector has the z of every term and, last, their sum. Scaled, the box is the cube of -1 to 1. */
    struct svi_lattice_basis basis;
    struct box box;
    double target[DIMENSIONS];       /* scaled: a point well within the cube, near which solutions are tried first */
    svi_wide point[DIMENSIONS];      /* the lattice point that the vectors are added to */
    svi_wide hyperplane[DIMENSIONS]; /* a lattice point on the hyperplane that is looked at */
    double position[DIMENSIONS];     /* scaled: of a lattice point */
    /* Of the hyperplanes chosen so far, from basis.count on; not scaled. */
    double normals[SVI_LENSTRA_MAX_TERMS][DIMENSIONS];
};

static sv_answer enumerate_hyperplanes(struct subproblem *l);

static svi_wide rounded_down(double a)
{
    svi_wide whole = (svi_wide)a;

    return whole - ((double)whole > a);
}

/* Whether the box has a lattice point of the line through point along the only vector. Exact. */
static bool line_meets_box(const struct subproblem *l, const svi_wide *point)
{
    svi_wide first = 0, last = 0;
    bool bounded = false;

    for (int32_t k = 0; k < l->basis.dimensions; k++) {
        svi_wide step = l->basis.vectors[0][k], low = l->box.lower[k] - point[k], high = l->box.upper[k] - point[k];
        svi_wide from, to;

        if (step == 0 && (low > 0 || high < 0))
            return false;
        if (step == 0)
            continue;
        from = step > 0 ? svi_ceil_divide(low, step) : svi_ceil_divide(-high, -step);
        to = step > 0 ? svi_floor_divide(high, step) : svi_floor_divide(-low, -step);
        first = bounded && first > from ? first : from;
        last = bounded && last < to ? last : to;
        bounded = true;
    }
    return first <= last;
}

/* Scales point so that the box is the cube. Returns the largest coordinate, in magnitude. */
static double scale_point(const struct subproblem *l, const svi_wide *point, double *out)
{
    double largest = 0;

    for (int32_t k = 0; k < l->basis.dimensions; k++) {
        out[k] = (double)(2 * point[k] - l->box.lower[k] - l->box.upper[k]) * l->basis.scale[k];
        if (svi_magnitude(out[k]) > largest)
            largest = svi_magnitude(out[k]);
    }
    return largest;
}

/* The largest dot product of a point of the cube and orthogonalised vector k. */
static double cube_width_along(const struct subproblem *l, int32_t k)
{
    double sum = 0;

    for (int32_t i = 0; i < l->basis.dimensions; i++)
        sum += svi_magnitude(l->basis.orthogonal[k][i]);
    return sum;
}

/* Babai's nearest-plane algorithm: moves point near to the target. It is repeated, since rounding makes the first
 * rounds inexact. False: out of range. */
static __attribute__((noinline)) bool move_to_nearest_plane(const struct subproblem *l, svi_wide *point)
{
    bool moved = true;

    for (int tries = 0; moved && tries < 20; tries++) {
        moved = false;
        for (int32_t k = l->basis.count - 1; k >= 0; k--) {
            double at[DIMENSIONS], distance;

            scale_point(l, point, at);
            distance = svi_lattice_dot(&l->basis, l->basis.orthogonal[k], l->target) -
                       svi_lattice_dot(&l->basis, l->basis.orthogonal[k], at);
            distance /= l->basis.squared_norm[k];
            if (!(svi_magnitude(distance) < SVI_LATTICE_TOO_LARGE))
                return false;
            if (svi_magnitude(distance) > 0.51) {
                svi_lattice_add_multiple(&l->basis, point, svi_nearest(distance), l->basis.vectors[k]);
                moved = true;
            }
        }
    }
    return true;
}

static void set_scale(struct subproblem *l)
{
    for (int32_t k = 0; k < l->basis.dimensions; k++) {
        double length = (double)(l->box.upper[k] - l->box.lower[k]);

        l->basis.scale[k] = length > 0 ? 1 / length : 1;
    }
}

/* Tightens the bounds of each term by the interval and the bounds of the others. False: the box is empty. */
static bool tighten_by_interval(const struct subproblem *l, struct box *box)
{
    svi_wide *lower = &box->lower[l->basis.dimensions - 1], *upper = &box->upper[l->basis.dimensions - 1], least = 0,
             most = 0;

    for (int32_t k = 0; k < l->basis.dimensions - 1; k++) {
        least += l->e->terms[k].stride * box->lower[k];
        most += l->e->terms[k].stride * box->upper[k];
    }
    *lower = *lower < least ? least : *lower;
    *upper = *upper > most ? most : *upper;
    for (int32_t k = 0; k < l->basis.dimensions - 1; k++) {
        svi_wide stride = l->e->terms[k].stride;
        svi_wide first = svi_ceil_divide(*lower - most + stride * box->upper[k], stride);
        svi_wide last = svi_floor_divide(*upper - least + stride * box->lower[k], stride);

        if (first > last)
            return false;
        if (first > box->lower[k]) {
            least += stride * (first - box->lower[k]);
            box->lower[k] = first;
        }
        if (last < box->upper[k]) {
            most -= stride * (box->upper[k] - last);
            box->upper[k] = last;
        }
        if (box->lower[k] > box->upper[k])
            return false;
    }
    return *lower <= *upper;
}

/* Tightens the box by a hyperplane through point, with a margin for rounding. False: it misses the box. */
static bool tighten_by_hyperplane(const struct subproblem *l, const double *normal, const svi_wide *point,
                                  struct box *box)
{
    double low[DIMENSIONS], high[DIMENSIONS], least = 0, most = 0, error = 0;

    for (int32_t k = 0; k < l->basis.dimensions; k++) {
        low[k] = (double)((normal[k] < 0 ? box->upper[k] : box->lower[k]) - point[k]) * normal[k];
        high[k] = (double)((normal[k] < 0 ? box->lower[k] : box->upper[k]) - point[k]) * normal[k];
        least += low[k];
        most += high[k];
        error += tolerance * (svi_magnitude(low[k]) + svi_magnitude(high[k]) + svi_magnitude(normal[k]));
    }
    if (least > error || most < -error)
        return false;
    for (int32_t k = 0; k < l->basis.dimensions; k++) {
        double from = high[k] - most - error, to = low[k] - least + error;
        svi_wide first, last;

        if (svi_magnitude(normal[k]) <= error || (from <= low[k] && to >= high[k]))
            continue;
        first = point[k] + rounded_down((normal[k] < 0 ? to : from) / normal[k]);
        last = point[k] + rounded_down((normal[k] < 0 ? from : to) / normal[k]) + 1;
        box->lower[k] = first > box->lower[k] ? first : box->lower[k];
        box->upper[k] = last < box->upper[k] ? last : box->upper[k];
        if (box->lower[k] > box->upper[k])
            return false;
    }
    return true;
}

/* Whether some side of a is less than half as long as that of b. */
static bool has_halved_side(const struct subproblem *l, const struct box *a, const struct box *b)
{
    for (int32_t k = 0; k < l->basis.dimensions; k++)
        if (a->upper[k] - a->lower[k] < (b->upper[k] - b->lower[k]) / 2)
            return true;
    return false;
}

/* Tightens the box by the interval and by all hyperplanes chosen so far, which point lies on. False: it is empty. */
static __attribute__((noinline)) bool tighten_box(struct subproblem *l, const svi_wide *point)
{
    struct box before;

    do {
        before = l->box;
        for (int32_t k = l->basis.count; k < l->basis.dimensions - 1; k++)
            if (!tighten_by_hyperplane(l, l->normals[k], point, &l->box))
                return false;
        if (!tighten_by_interval(l, &l->box))
            return false;
    } while (has_halved_side(l, &l->box, &before));
    return true;
}

/* Sets the target of inner: where the hyperplane, at height along normal, meets the diagonal of the box that is most
 * nearly parallel to normal. */
static void set_target(struct subproblem *inner, const struct subproblem *l, const double *normal, double height)
{
    double middle = 0, reach = 0, share;

    for (int32_t k = 0; k < l->basis.dimensions; k++) {
        svi_wide apart = inner->box.lower[k] + inner->box.upper[k] - l->box.lower[k] - l->box.upper[k];

        middle += normal[k] * (double)apart * l->basis.scale[k];
        reach += svi_magnitude(normal[k]) * l->basis.scale[k] * (double)(inner->box.upper[k] - inner->box.lower[k]);
    }
    share = reach > 0 ? (height - middle) / reach : 0;
    share = share > 1 ? 1 : share < -1 ? -1 : share;
    for (int32_t k = 0; k < l->basis.dimensions; k++)
        inner->target[k] = normal[k] > 0 ? share : normal[k] < 0 ? -share : 0;
}

/* Solves the subproblem of the hyperplane through l->hyperplane, across the last orthogonalised vector. */
static sv_answer solve_hyperplane(struct subproblem *l)
{
    const double *normal = l->basis.orthogonal[l->basis.count - 1];
    struct subproblem *inner = l + 1;

    if (--*l->work < 0)
        return SV_MAYBE;
    *inner = *l;
    inner->basis.count--;
    for (int32_t k = 0; k < l->basis.dimensions; k++)
        inner->normals[inner->basis.count][k] = normal[k] * l->basis.scale[k];
    if (!tighten_box(inner, l->hyperplane))
        return SV_NO;
    for (int32_t k = 0; k < l->basis.dimensions; k++)
        inner->point[k] = l->hyperplane[k];
    scale_point(l, l->hyperplane, inner->position);
    if (has_halved_side(l, &inner->box, &l->box)) {
        set_scale(inner);
        *l->work -= REDUCTION_COST_STEPS;
        if (!svi_lattice_basis_reduce(&inner->basis))
            return SV_MAYBE;
    } else {
        inner->box = l->box;
    }
    set_target(inner, l, normal, svi_lattice_dot(&l->basis, normal, inner->position));
    return enumerate_hyperplanes(inner);
}

/* Solves the subproblem of each hyperplane that meets the cube, the nearest to the target first. */
static sv_answer enumerate_hyperplanes(struct subproblem *l)
{
    const double *normal = l->basis.orthogonal[l->basis.count - 1], norm = l->basis.squared_norm[l->basis.count - 1];
    double half, height, target;
    svi_wide first, last, down, up;

    if (l->basis.count == 1)
        return line_meets_box(l, l->point) ? SV_YES : SV_NO;
    if (!move_to_nearest_plane(l, l->point))
        return SV_MAYBE;
    half = cube_width_along(l, l->basis.count - 1) / norm * (1.01 + tolerance * scale_point(l, l->point, l->position));
    height = svi_lattice_dot(&l->basis, normal, l->position) / norm;
    target = svi_lattice_dot(&l->basis, normal, l->target) / norm - height;
    if (!(half + svi_magnitude(height) + svi_magnitude(target) < SVI_LATTICE_TOO_LARGE))
        return SV_MAYBE;
    first = rounded_down(-half - height) + 1;
    last = rounded_down(half - height);
    down = rounded_down(target);
    down = down < first ? first - 1 : down > last ? last : down;
    up = down + 1;
    while (down >= first || up <= last) {
        bool upwards = down < first || (up <= last && (double)up - target < target - (double)down);
        sv_answer answer;

        for (int32_t k = 0; k < l->basis.dimensions; k++)
            l->hyperplane[k] = l->point[k];
        svi_lattice_add_multiple(&l->basis, l->hyperplane, upwards ? up++ : down--,
                                 l->basis.vectors[l->basis.count - 1]);
        answer = solve_hyperplane(l);
        if (answer != SV_NO)
            return answer;
    }
    return SV_NO;
}

static void begin_subproblem(struct subproblem *l, const struct svi_diophantine *e, int64_t *work)
{
    svi_wide reach = 0;

    memset(l, 0, sizeof *l);
    l->e = e;
    l->work = work;
    l->basis.count = e->count;
    l->basis.dimensions = e->count + 1;
    for (int32_t k = 0; k < e->count; k++) {
        l->basis.vectors[k][k] = 1;
        l->basis.vectors[k][e->count] = e->terms[k].stride;
        l->box.upper[k] = e->terms[k].bound;
        reach += e->terms[k].stride * e->terms[k].bound;
    }
    l->box.lower[e->count] = e->low;
    l->box.upper[e->count] = e->high;
    for (int32_t k = 0; k < e->count; k++)
        l->target[k] = (double)(e->low + e->high) / (double)reach - 1;
    set_scale(l);
}

sv_answer svi_lenstra_solve(const struct svi_diophantine *e, int64_t *work)
{
    struct subproblem *l = svi_malloc((size_t)e->count * sizeof *l);
    sv_answer answer;

    if (l == NULL)
        return SVI_ANSWER_NO_MEMORY;
    begin_subproblem(l, e, work);
    answer = svi_lattice_basis_reduce(&l->basis) ? enumerate_hyperplanes(l) : SV_MAYBE;
    svi_free(l);
    return answer;
}
