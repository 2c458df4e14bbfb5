/* Switching at step ends. The trapezoidal rule on u' = v, v' = a(u, v), whose a is that of the inactive or of
 * the active phase: the phase at the start of the step gives a_0, the phase that the end lies in a_1,
 *
 *     u_1 = u_0 + h/2 (v_0 + v_1),     v_1 = v_0 + h/2 (a_0 + a_1).
 *
 * Where both are the same it is the integrator's own step, and that step tells which phase the end lies in:
 * the Crank-Nicolson step of eq. (60). The first half is explicit in the old phase, the second implicit in
 * the new one; u_o and v_o are those of the nodes, since modes differ. */
#include "linalg/vector.h"
#include "strategies/nbm/nbm.h"

/* Leaves by the old phase, in nodal dofs: r = v_0 + h/2 a_0, y = u_0 + h/2 v_0. */
static sg_status leave(struct sg_nbm *nbm, const struct sg_event_driven *ed, double h, double *r, double *y,
                       struct sg_error *err)
{
    struct sg_nbm_phase *phase = &nbm->phases[nbm->now];
    size_t m = nbm->boundary->m;
    double *a = nbm->scratch[2], *x = nbm->scratch[3];
    TRY(sg_phase_acceleration(&phase->smooth, ed->t, ed->from.x.u, ed->from.x.v, a, err));
    sg_nbm_to_nodal(nbm, nbm->now, ed->from.x.v, r);
    sg_nbm_to_nodal(nbm, nbm->now, ed->from.x.u, y);
    sg_axpy(m, 0.5 * h, r, y);
    sg_nbm_to_nodal(nbm, nbm->now, a, x);
    sg_axpy(m, 0.5 * h, x, r);
    return SG_OK;
}

/* Arrives by the other phase: r and y become v_1 and u_1. With u_1 = y + h/2 v_1 in v_1 = r + h/2 a_1,
 *
 *     (M + h/2 C + h^2/4 K) v_1 = M r + h/2 (f_1 - K y). */
static sg_status arrive(struct sg_nbm *nbm, double t1, double h, double *r, double *y, struct sg_error *err)
{
    enum sg_nodal_phase to = nbm->now == SG_INACTIVE ? SG_ACTIVE : SG_INACTIVE;
    struct sg_nbm_phase *phase = &nbm->phases[to];
    size_t m = nbm->boundary->m, slot = 0;
    double *b = nbm->scratch[2], *z = nbm->scratch[3];
    TRY(sg_effective_prepare(phase->op, 1.0, 0.5 * h, 0.25 * h * h, &slot, err));
    sg_nbm_from_nodal(nbm, to, y, z);
    sg_effective_restoring(phase->op, z, b);
    const double *f = sg_phase_load_before(&phase->smooth, t1);
    for (size_t i = 0; i < m; i++) b[i] = 0.5 * h * (f[i] - b[i]);
    sg_nbm_from_nodal(nbm, to, r, z);
    sg_matrix_multiply_add(&phase->system->M, 1.0, z, b);
    sg_effective_solve(phase->op, slot, b);
    sg_nbm_to_nodal(nbm, to, b, r);
    sg_axpy(m, 0.5 * h, r, y);
    return SG_OK;
}

sg_status sg_nbm_cross(void *self, struct sg_event_driven *ed, double h, struct sg_error *err)
{
    struct sg_nbm *nbm = self;
    double *r = nbm->scratch[0], *y = nbm->scratch[1];
    TRY(sg_event_trial(ed, h, &ed->to, err));
    double s = ed->to.gap[0];
    if (nbm->now == SG_INACTIVE ? s >= 0.0 : s <= 0.0) return SG_OK;
    ed->crossing[0] = 1;
    TRY(leave(nbm, ed, h, r, y, err));
    TRY(arrive(nbm, ed->t + h, h, r, y, err));
    sg_nbm_from_nodal(nbm, nbm->now, r, ed->to.x.v);
    sg_nbm_from_nodal(nbm, nbm->now, y, ed->to.x.u);
    sg_contact_set_gaps(ed->run.contacts, ed->to.x.u, ed->to.x.v, ed->to.gap, ed->to.rate);
    return SG_OK;
}
