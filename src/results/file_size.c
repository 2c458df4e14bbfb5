#include "results/file_size.h"

#include <math.h>
#include <string.h>

#include "results/selection.h"
#include "results/stream.h"

/* a dataset: header, index, and the heap of its texts */
enum { FIXED_BYTES = 64 * 1024, DATASET_BYTES = 2560, LABEL_BYTES = 48, TOTALS = 7 };

static double stream_bytes(size_t item, size_t width, double rows)
{
    double chunk = (double)sg_stream_chunk_rows(item, width);
    double row = (double)item * (double)(width == 0 ? 1 : width);
    return DATASET_BYTES + ceil(rows / chunk) * chunk * row;
}

/* events, one chunk of each column, and what is summed up of each contact */
static double table_bytes(size_t contacts)
{
    double bytes =
        3 * stream_bytes(sizeof(double), 0, 1) + 2 * stream_bytes(sizeof(int), 0, 1) + stream_bytes(1, 0, 1);
    return contacts == 0 ? bytes : bytes + TOTALS * stream_bytes(sizeof(double), 0, (double)contacts);
}

static double text_bytes(const char *text)
{
    return text == NULL ? 0 : (double)strlen(text);
}

double sg_results_predict_bytes(const struct sg_recorder_spec *spec)
{
    const struct sg_model_labels *m = spec->labels;
    double rows = spec->every > 0 ? ceil(spec->end / spec->every) + 1 : 0;
    double labels = (double)(m->dof_count + m->contact_count + m->body_count) * LABEL_BYTES +
                    (double)m->node_count * ((double)m->dim * 8 + 4) +
                    (double)m->element_count * (4 * (double)m->element_width + 1);
    double bytes = FIXED_BYTES + labels + text_bytes(spec->deck_source) + text_bytes(spec->deck_resolved);
    bytes += stream_bytes(sizeof(double), 0, rows) + table_bytes(m->contact_count);
    for (size_t i = 0; i < spec->quantities->count; i++) {
        const struct sg_quantity *quantity = &spec->quantities->items[i];
        if (sg_selection_asks(spec, quantity->name, quantity->on_request))
            bytes += stream_bytes(quantity->flags ? 1 : sizeof(double), quantity->width, rows);
    }
    if (sg_selection_has_impulses(spec) && sg_selection_asks(spec, "contact_impulse", false))
        bytes += stream_bytes(sizeof(double), m->contact_count, rows);
    return bytes;
}
