/* The mass that a contact's dashpot is for, where several contacts of one body are closed together.
 *
 * Alone a contact feels 1 / (w . M^-1 w). Feet of one rigid body share its mass: with dashpots for the mass
 * that each feels alone, ten feet lose what ten bodies would. Contacts at the same nodes that push the same
 * way are one group, and those of it that are closed move with one overlap, the flat landing; the frequency
 * of this motion is Rayleigh's quotient of the springs K = diag(kappa) and the Delassus operator H = W^T M^-1
 * W,
 *
 *     omega^2 = (K 1) . H (K 1) / (1 . K 1),       m_j = kappa_j / omega^2:
 *
 * all have one damping ratio then, and with N equal feet about the centre m_j = m / N. Of a contact that is
 * closed alone it is the mass from above, bit by bit. H is that of the first configuration, as the mass alone
 * is. */
#include <string.h>

#include "contact/gaps/gap.h"
#include "strategies/penalty/penalty.h"
#include "support/memory.h"

sg_status sg_penalty_effective_mass(struct sg_effective *op, const struct sg_contact_set *set, size_t j,
                                    double *scratch, double *mass, struct sg_error *err)
{
    size_t slot = 0;
    TRY(sg_effective_prepare(op, 1.0, 0.0, 0.0, &slot, err));
    memset(scratch, 0, set->w.n * sizeof *scratch);
    sg_columns_add(&set->w, j, 1.0, scratch);
    sg_effective_solve(op, slot, scratch);
    *mass = 1.0 / sg_columns_dot(&set->w, j, scratch);
    return SG_OK;
}

/* displacements of the first node that the contact's push goes along */
struct push {
    double along[SG_GAP_AXES];
};

static bool is_of_one_group(const struct sg_contact_set *set, const struct push *push, size_t j, size_t l)
{
    const struct sg_gap *a = &set->gaps[j], *b = &set->gaps[l];
    if (j == l || a->node_count == 0 || a->node_count != b->node_count) return false;
    for (size_t k = 0; k < a->node_count; k++)
        if (a->node[k].ref.full_dof != b->node[k].ref.full_dof) return false;
    return sg_gap_dot(a->dim, push[j].along, push[l].along) > 0.0;
}

static void find_pushes(const struct sg_contact_set *set, const double *u, struct push *push)
{
    for (size_t j = 0; j < set->q; j++) {
        struct sg_gap_value value;
        if (set->gaps[j].node_count == 0) continue;
        sg_gap_at(&set->gaps[j], u, &value);
        for (size_t d = 0; d < set->gaps[j].dim; d++) push[j].along[d] = value.weight[0] * value.normal[d];
    }
}

static sg_status list_partners(struct sg_time_stepping *ts, struct sg_penalty *p, const struct push *push,
                               struct sg_error *err)
{
    const struct sg_contact_set *set = ts->run.contacts;
    struct sg_penalty_sharing *of = &p->sharing;
    for (int pass = 0; pass < 2; pass++) {
        size_t next = 0;
        for (size_t j = 0; j < ts->q; j++) {
            of->start[j] = next;
            for (size_t l = 0; l < ts->q && p->kappa[j] > 0.0; l++) {
                if (!(p->kappa[l] > 0.0) || !is_of_one_group(set, push, j, l)) continue;
                if (pass == 1) of->partner[next] = l;
                next++;
            }
        }
        of->start[ts->q] = next;
        if (pass == 0) TRY(SG_NEW(&of->partner, next, err));
        if (pass == 0) TRY(SG_NEW(&of->coupling, next, err));
    }
    return SG_OK;
}

static sg_status take_couplings(struct sg_time_stepping *ts, struct sg_penalty *p, struct sg_error *err)
{
    const struct sg_contact_set *set = ts->run.contacts;
    struct sg_penalty_sharing *of = &p->sharing;
    for (size_t j = 0; j < ts->q; j++) {
        if (of->start[j] == of->start[j + 1] && !sg_law_has_dashpot(&set->laws[j])) continue;
        TRY(sg_penalty_effective_mass(ts->run.op, set, j, ts->scratch_u, &of->alone[j], err));
        for (size_t e = of->start[j]; e < of->start[j + 1]; e++)
            of->coupling[e] = sg_columns_dot(&set->w, of->partner[e], ts->scratch_u);
        of->mass[j] = of->alone[j];
    }
    return SG_OK;
}

sg_status sg_penalty_share_masses(struct sg_time_stepping *ts, struct sg_penalty *p, struct sg_error *err)
{
    struct push *push = NULL;
    struct sg_penalty_sharing *of = &p->sharing;
    size_t q = ts->q;
    TRY(SG_NEW(&of->start, q + 1, err));
    TRY(SG_NEW(&of->alone, q, err));
    TRY(SG_NEW(&of->mass, q, err));
    TRY(SG_NEW(&of->pull, q, err));
    TRY(SG_NEW(&of->closed, q, err));
    TRY(SG_NEW(&push, q, err));
    find_pushes(ts->run.contacts, ts->run.system->u0, push);
    sg_status status = list_partners(ts, p, push, err);
    if (status == SG_OK) status = take_couplings(ts, p, err);
    sg_free(push);
    return status;
}

void sg_penalty_sharing_release(struct sg_penalty_sharing *of)
{
    sg_free(of->start);
    sg_free(of->partner);
    sg_free(of->coupling);
    sg_free(of->alone);
    sg_free(of->mass);
    sg_free(of->pull);
    sg_free(of->closed);
}

/* kg: of contact j, by the pulls of its group */
static double mass_of(const struct sg_penalty *p, size_t j)
{
    const struct sg_penalty_sharing *of = &p->sharing;
    double stiffness = p->kappa[j], square = p->kappa[j] * of->pull[j];
    bool alone = true;
    for (size_t e = of->start[j]; e < of->start[j + 1]; e++) {
        size_t l = of->partner[e];
        if (!of->closed[l]) continue;
        alone = false;
        stiffness += p->kappa[l];
        square += p->kappa[l] * of->pull[l];
    }
    return alone || !(square > 0.0) ? of->alone[j] : p->kappa[j] * stiffness / square;
}

void sg_penalty_set_masses(struct sg_penalty *p, size_t q, bool changed)
{
    struct sg_penalty_sharing *of = &p->sharing;
    if (!changed || of->start[q] == 0) return;
    for (size_t j = 0; j < q; j++) {
        if (!of->closed[j] || of->start[j] == of->start[j + 1]) continue;
        of->pull[j] = p->kappa[j] / of->alone[j];
        for (size_t e = of->start[j]; e < of->start[j + 1]; e++)
            if (of->closed[of->partner[e]]) of->pull[j] += of->coupling[e] * p->kappa[of->partner[e]];
    }
    for (size_t j = 0; j < q; j++) {
        if (!of->closed[j] || p->c[j] == 0.0 || of->start[j] == of->start[j + 1]) continue;
        double mass = mass_of(p, j);
        if (mass != of->mass[j]) p->c[j] = p->laws[j].ops->dashpot(&p->laws[j], mass);
        of->mass[j] = mass;
    }
}
