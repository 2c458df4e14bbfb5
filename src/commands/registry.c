#include "commands/commands.h"

#include <stddef.h>

const struct sg_command sg_commands[] = {
    {"run", "DECK [options]", "runs a deck", sg_command_run_deck},
    {"check", "DECK...", "checks decks without running them", sg_command_check},
    {"help", "[PATH or WORD]", "explains commands and keywords", sg_command_help},
    {"list", "WHAT", "lists integrators, strategies, bodies, ... and the grid", sg_command_list},
    {"verify", "[NAME...]", "runs the benchmarks against exact and published values", sg_command_verify},
    {"compare", "A.h5 B.h5", "compares two results files", sg_command_compare},
    {"plot", "FILE.h5", "draws a results file", sg_command_plot},
    {"export", "FILE.h5 --csv DIR | --vtk DIR [--at TIMES]",
     "writes histories as CSV, or fields for ParaView", sg_command_export},
    {"sweep", "STUDY [options]", "runs a parameter study, here or as a job array", sg_command_sweep},
    {"ground-motion", "DECK", "makes records that fit a spectrum, and response spectra",
     sg_command_ground_motion},
    {"schema", "[deck|study|ground-motion|results]", "prints the JSON Schema", sg_command_schema},
    {NULL, NULL, NULL, NULL}};
