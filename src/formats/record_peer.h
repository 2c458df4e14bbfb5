/* Files of PEER's data bases, with their header (formats/record.h). */
#ifndef SG_FORMATS_RECORD_PEER_H
#define SG_FORMATS_RECORD_PEER_H

#include <stddef.h>

#include "deck/deck.h"
#include "formats/table.h"
#include "support/status.h"

/* The header of a file of PEER says this. */
struct sg_record_header {
    size_t count; /* NPTS */
    double dt;    /* s */
    int unit;     /* index, -1: it names none that is known */
    int quantity; /* enum sg_record_quantity, -1: it names none */
};

/* Reads header and values (raw, in the file's unit). SG_BAD_DECK with a finding that names the line. */
sg_status sg_record_parse_peer(const struct sg_table_source *source, const struct sg_table_lines *lines,
                               struct sg_record_header *header, struct sg_table *table,
                               struct sg_diagnostics *diagnostics, struct sg_error *err);

#endif
