#include "model/profile.h"

#include <math.h>

#include "support/bisect.h"

sg_status sg_profile_add(const struct sg_profile_source *source, struct sg_profile *profile,
                         const struct sg_profile_piece *piece)
{
    TRY(sg_arena_grow(source->arena, &profile->pieces, profile->count, &profile->capacity,
                      sizeof *profile->pieces, source->err));
    profile->pieces[profile->count++] = *piece;
    return SG_OK;
}

/* the last piece that starts at s or before */
static const struct sg_profile_piece *piece_at(const struct sg_profile *profile, double s)
{
    size_t after = 1;
    SG_BISECT(after, profile->count, middle, profile->pieces[middle].start <= s);
    return &profile->pieces[after - 1];
}

static double value_in(const struct sg_profile_piece *piece, double s)
{
    double d = s - piece->start;
    return piece->c[0] + d * (piece->c[1] + d * piece->c[2]);
}

double sg_profile_value(const struct sg_profile *profile, double s)
{
    return value_in(piece_at(profile, s), s);
}

double sg_profile_slope(const struct sg_profile *profile, double s)
{
    const struct sg_profile_piece *piece = piece_at(profile, s);
    return piece->c[1] + 2 * piece->c[2] * (s - piece->start);
}

double sg_profile_next(const struct sg_profile *profile, double s)
{
    size_t next = (size_t)(piece_at(profile, s) - profile->pieces) + 1;
    return next < profile->count ? profile->pieces[next].start : HUGE_VAL;
}

bool sg_profile_is_constant(const struct sg_profile *profile)
{
    for (size_t k = 0; k < profile->count; k++) {
        const struct sg_profile_piece *piece = &profile->pieces[k];
        if (piece->c[1] != 0 || piece->c[2] != 0 || piece->c[0] != profile->pieces[0].c[0]) return false;
    }
    return true;
}

/* Finds where a piece that ends at `end` is least. */
static double lowest_place(const struct sg_profile_piece *piece, double end)
{
    double best = value_in(piece, piece->start) <= value_in(piece, end) ? piece->start : end;
    double turn = piece->start - piece->c[1] / (2 * piece->c[2]);
    return piece->c[2] > 0 && turn > piece->start && turn < end ? turn : best;
}

static sg_status check_positive(const struct sg_profile_source *source, const struct sg_profile *profile)
{
    for (size_t k = 0; k < profile->count; k++) {
        const struct sg_profile_piece *piece = &profile->pieces[k];
        double end = k + 1 < profile->count ? piece[1].start : source->length;
        double place = lowest_place(piece, end), least = value_in(piece, place);
        if (least > 0) continue;
        sg_complain_about(source->diagnostics, SG_ERROR, source->body, source->keyword,
                          "falls to %g at %g m from node 0: it must be above 0 everywhere", least, place);
        return SG_BAD_DECK;
    }
    return SG_OK;
}

sg_status sg_profile_init(const struct sg_profile_source *source, struct sg_profile *profile)
{
    const struct sg_setting *node = sg_setting_child(source->body, source->keyword);
    *profile = (struct sg_profile){0};
    if (!isnan(source->number))
        return sg_profile_add(source, profile, &(struct sg_profile_piece){.c = {source->number}});
    /* each kind is the first member of its ops */
    const struct sg_profile_ops *ops = (const struct sg_profile_ops *)(const void *)sg_setting_kind(node);
    TRY(ops->create(source, node, profile));
    return check_positive(source, profile);
}
