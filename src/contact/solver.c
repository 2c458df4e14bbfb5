#include "contact/solver.h"
#include <math.h>
#include <string.h>
#include "support/memory.h"
sg_status sg_contact_solver_init(struct sg_contact_solver *s, size_t capacity, size_t tangents, struct sg_error *err)
{
    *s = (struct sg_contact_solver){.capacity = capacity, .tangents = tangents};
    TRY(SG_NEW(&s->work, capacity, err));
    return sg_lcp_init(&s->lcp, capacity, err);
}
void sg_contact_solver_release(struct sg_contact_solver *s)
{
    sg_lcp_release(&s->lcp);
    sg_free(s->work);
}
sg_status sg_contact_solve(struct sg_contact_solver *s, const struct sg_contact_problem *p, double *r,
                           struct sg_contact_report *report, struct sg_error *err)
{
    *report = (struct sg_contact_report){0};
    memset(s->work, 1, s->capacity * sizeof(double));
    double *full = r;
    if (p->count == s->lcp.q) return sg_lcp_solve(&s->lcp, p->h, p->b, (unsigned char *)s->work, full, err);
    struct sg_lcp lcp = s->lcp; lcp.q = p->count;
    return sg_lcp_solve(&lcp, p->h, p->b, (unsigned char *)s->work, full, err);
}
