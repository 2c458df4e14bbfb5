/* What `signorini check` tells of a job that was built.
 *
 *     check.c          the command
 *     check_print.c    the lines about model, scheme, steps, contacts
 *     check_laws.c     laws of contacts; overlap and contact time of springs in steps of one length
 *     check_warn.c     what a careful colleague would say
 *     check_unused.c   what is given and unused */
#ifndef SG_COMMANDS_CHECK_H
#define SG_COMMANDS_CHECK_H

#include "jobs/build.h"
#include "results/audit.h"

struct sg_check_figures {
    bool stepping; /* steps of one length: time-stepping */
    double low;    /* rad/s: lowest frequency; NaN if it can't be found */
    double
        high; /* rad/s: highest without contact; of the tangent at the start where elements are nonlinear */
    double step;                /* s */
    struct sg_step_sizes sizes; /* event-driven; of penalty omega_closed alone */
};

sg_status sg_check_figures_find(struct sg_check_figures *figures, const struct sg_job *job,
                                struct sg_error *err);

/* to stdout */
sg_status sg_check_print(const char *path, const struct sg_job *job, const struct sg_check_figures *figures,
                         struct sg_error *err);

/* what is given beside contacts and their laws, and says nothing */
void sg_check_warn_given(const struct sg_job *job, struct sg_diagnostics *diagnostics);

/* to the diagnostics */
void sg_check_warn(const struct sg_job *job, const struct sg_check_figures *figures,
                   struct sg_diagnostics *diagnostics);

/* what of it needs no frequencies: `run` says this too */
void sg_check_warn_at_once(const struct sg_job *job, struct sg_diagnostics *diagnostics);

/* one warning of all keywords of contacts and times that say nothing here */
void sg_check_warn_unused(const struct sg_job *job, struct sg_diagnostics *diagnostics);

/* the same as the finding `ignored_input`: doubtful where nothing acts in the place of what is ignored */
sg_status sg_check_find_ignored(const struct sg_job *job, struct sg_audit_list *findings,
                                struct sg_error *err);

/* lines of "name\tvalue" to stdout */
sg_status sg_check_print_lines(const struct sg_text *lines, struct sg_error *err);

/* some contact acts as a spring */
bool sg_check_has_springs(const struct sg_job *job);

/* whether time-stepping heeds coefficients of restitution */
bool sg_check_bounces(const struct sg_job *job);

/* Says what contact j does, by the law that acts. */
void sg_check_write_law(const struct sg_job *job, size_t j, struct sg_text *text);

/* strategy penalty: lines about overlaps; steps that are too long for the contacts */
bool sg_check_is_penalty(const struct sg_job *job);
sg_status sg_check_print_penalty(const struct sg_job *job, double step, struct sg_error *err);
sg_status sg_check_warn_penalty(const struct sg_job *job, double step, struct sg_diagnostics *diagnostics,
                                struct sg_error *err);

#endif
