#include "formats/record.h"
#include "model/signals/signals.h"

static sg_status create(struct sg_arena *arena, const struct sg_setting *node, const struct sg_deck *deck,
                        struct sg_signal *signal, struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_table table = {0};
    struct sg_record_start start;
    struct sg_table_source source = {.deck = deck, .group = node, .arena = arena};
    TRY(sg_record_read(&source, &table, &start, diagnostics, err));
    TRY(sg_polyline_create(arena, &table, SG_OUTSIDE_ZERO, signal, err));
    sg_polyline_begin(signal, start.velocity, start.displacement);
    return SG_OK;
}

const struct sg_signal_ops sg_signal_record = {
    .kind = {.name = "record",
             .meaning =
                 "an acceleration (m/s^2) recorded in a file: two columns, one with dt, or PEER's .AT2",
             .rows = sg_record_rows},
    .create = create,
    .at = sg_polyline_at,
    .next_break = sg_polyline_next_break,
};
