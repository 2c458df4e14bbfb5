#include "model/strip.h"

#include <math.h>

static const struct sg_aspect_ops strips_aspect = {.size = sizeof(struct sg_strips)};

static void copy_profile(struct sg_aspects *aspects, struct sg_profile *profile)
{
    struct sg_profile copy = {0};
    for (; copy.count < profile->count; copy.count++) {
        if (!sg_aspect_grow(aspects, &copy.pieces, copy.count, &copy.capacity, sizeof *copy.pieces)) return;
        copy.pieces[copy.count] = profile->pieces[copy.count];
    }
    *profile = copy;
}

void sg_strips_add(struct sg_aspects *aspects, const struct sg_strip *strip)
{
    struct sg_strips *list = sg_aspect_open(aspects, &strips_aspect);
    if (list == NULL ||
        !sg_aspect_grow(aspects, &list->items, list->count, &list->capacity, sizeof *list->items))
        return;
    struct sg_strip *own = &list->items[list->count++];
    *own = *strip;
    copy_profile(aspects, &own->area);
    copy_profile(aspects, &own->modulus);
    copy_profile(aspects, &own->density);
}

const struct sg_strips *sg_strips_of(const struct sg_aspects *aspects)
{
    static const struct sg_strips none;
    const struct sg_strips *list = sg_aspect_find(aspects, &strips_aspect);
    return list != NULL ? list : &none;
}

struct sg_strip_section sg_strip_section(const struct sg_strip *strip, double s)
{
    double area = sg_profile_value(&strip->area, s), modulus = sg_profile_value(&strip->modulus, s);
    double slope = area * sg_profile_slope(&strip->modulus, s) + modulus * sg_profile_slope(&strip->area, s);
    return (struct sg_strip_section){sg_profile_value(&strip->density, s) * area, modulus * area, slope};
}

bool sg_strip_is_uniform(const struct sg_strip *strip)
{
    return sg_profile_is_constant(&strip->area) && sg_profile_is_constant(&strip->modulus) &&
           sg_profile_is_constant(&strip->density);
}

/* Gauss points over the part of element k that begins at `from` (m, >= k size) and ends where a profile has a
 * break or the element its end; returns that end. Weights are lengths, m. */
static double set_points(const struct sg_strip *strip, size_t k, double from, struct sg_gauss *points)
{
    double end = (double)(k + 1) * strip->size;
    end = fmin(end, sg_profile_next(&strip->area, from));
    end = fmin(end, sg_profile_next(&strip->modulus, from));
    end = fmin(end, sg_profile_next(&strip->density, from));
    *points = sg_gauss_rule();
    for (int g = 0; g < SG_GAUSS_POINTS; g++) {
        points->point[g] = from + (end - from) * points->point[g];
        points->weight[g] *= end - from;
    }
    return end;
}

/* --- matrices ------------------------------------------------------------------------------------- */

static void add_point(const struct sg_strip *strip, const struct sg_lagrange *at,
                      const struct sg_strip_section *weighted, struct sg_strip_element *element)
{
    double stiffness = weighted->stiffness / (strip->size * strip->size);
    for (int i = 0; i <= strip->order; i++)
        for (int j = 0; j <= i; j++) {
            element->mass[i][j] += weighted->mass * at->value[i] * at->value[j];
            element->stiffness[i][j] += stiffness * at->slope[i] * at->slope[j];
        }
}

/* A translation costs no strain, not even by rounding. */
static void balance(struct sg_strip_element *element, int order)
{
    for (int i = 0; i <= order; i++) {
        double sum = 0;
        for (int j = 0; j <= order; j++)
            if (j != i) sum += i > j ? element->stiffness[i][j] : element->stiffness[j][i];
        element->stiffness[i][i] = -sum;
    }
}

/* Correct in the last digit too, so that equal bars in other places stay equal for long. */
static void integrate_linear(const struct sg_strip *strip, struct sg_strip_element *element)
{
    struct sg_strip_section section = sg_strip_section(strip, 0);
    double mass = section.mass * strip->size, stiffness = section.stiffness / strip->size;
    element->mass[0][0] = element->mass[1][1] = mass * (1.0 / 3);
    element->mass[1][0] = mass * (1.0 / 6);
    element->stiffness[0][0] = element->stiffness[1][1] = stiffness;
    element->stiffness[1][0] = -stiffness;
}

void sg_strip_integrate(const struct sg_strip *strip, size_t k, struct sg_strip_element *element)
{
    double start = (double)k * strip->size, end = (double)(k + 1) * strip->size;
    *element = (struct sg_strip_element){0};
    if (strip->order == 1 && sg_strip_is_uniform(strip)) {
        integrate_linear(strip, element);
        return;
    }
    for (double from = start; from < end;) {
        struct sg_gauss points;
        from = set_points(strip, k, from, &points);
        for (int g = 0; g < SG_GAUSS_POINTS; g++) {
            struct sg_strip_section section = sg_strip_section(strip, points.point[g]);
            struct sg_lagrange at = sg_lagrange_at(strip->order, (points.point[g] - start) / strip->size);
            section.mass *= points.weight[g];
            section.stiffness *= points.weight[g];
            add_point(strip, &at, &section, element);
        }
    }
    balance(element, strip->order);
}

/* --- residual ------------------------------------------------------------------------------------- */

static double residual_at(const struct sg_strip *strip, const struct sg_strip_motion *motion, size_t node,
                          double s)
{
    size_t k = (node - strip->first) / (size_t)strip->order;
    struct sg_strip_section section = sg_strip_section(strip, s);
    struct sg_lagrange at = sg_lagrange_at(strip->order, s / strip->size - (double)k);
    double inertia = 0, slope = 0, second = 0;
    for (int i = 0; i <= strip->order; i++) {
        size_t n = node + (size_t)i;
        double u = motion->u[n] + motion->beta * motion->v[n];
        inertia += at.value[i] * (motion->a[n] + motion->alpha * motion->v[n]);
        slope += at.slope[i] * u;
        second += at.second[i] * u;
    }
    double size = strip->size;
    return section.mass * inertia - section.slope * slope / size - section.stiffness * second / (size * size);
}

static double residual_of(const struct sg_strip *strip, const struct sg_strip_motion *motion)
{
    double sum = 0;
    for (size_t k = 0; k < strip->elements; k++) {
        double end = (double)(k + 1) * strip->size;
        for (double from = (double)k * strip->size; from < end;) {
            struct sg_gauss points;
            from = set_points(strip, k, from, &points);
            for (int g = 0; g < SG_GAUSS_POINTS; g++) {
                double r =
                    residual_at(strip, motion, strip->first + k * (size_t)strip->order, points.point[g]);
                sum += points.weight[g] * r * r;
            }
        }
    }
    return sum * pow(strip->size, 4);
}

double sg_strips_residual(const struct sg_strips *list, const struct sg_strip_motion *motion)
{
    double sum = 0;
    for (size_t k = 0; k < list->count; k++) sum += residual_of(&list->items[k], motion);
    return sum;
}
