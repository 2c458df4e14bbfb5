/* The commands of the program: one file a command, arguments in, exit code and words out. */
#ifndef SG_COMMANDS_COMMANDS_H
#define SG_COMMANDS_COMMANDS_H

struct sg_command {
    const char *name;                  /* "compare" */
    const char *synopsis;              /* "A.h5 B.h5 [--rtol R] [--atol A]" */
    const char *meaning;               /* one line, lower case, no full stop */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit code */
};

/* ends with a row without name */
extern const struct sg_command sg_commands[];

/* The commands, a line each: NAME of sg_command_NAME, name, synopsis, meaning. */
#define SG_COMMANDS(X)                                                                                       \
    X(run_deck, "run", "DECK [options]", "runs a deck")                                                      \
    X(check, "check", "DECK...", "checks decks without running them")                                        \
    X(help, "help", "[PATH or WORD]", "explains commands and keywords")                                      \
    X(list, "list", "WHAT", "lists integrators, strategies, bodies, ... and the grid")                       \
    X(verify, "verify", "[NAME...]", "runs the benchmarks against exact and published values")               \
    X(compare, "compare", "A.h5 B.h5", "compares two results files")                                         \
    X(plot, "plot", "FILE.h5", "draws a results file")                                                       \
    X(export, "export", "FILE.h5 --csv DIR | --vtk DIR [--at TIMES]",                                        \
      "writes histories as CSV, or fields for ParaView")                                                     \
    X(audit, "audit", "FILE.h5 [--file]", "judges a results file from itself alone")                         \
    X(sweep, "sweep", "STUDY [options]", "runs a parameter study, here or as a job array")                   \
    X(ground_motion, "ground-motion", "DECK", "makes records that fit a spectrum, and response spectra")     \
    X(schema, "schema", "[deck|study|ground-motion|results]", "prints the JSON Schema")

#define SG_DECLARE_COMMAND(function, ...) int sg_command_##function(int argc, char **argv);
SG_COMMANDS(SG_DECLARE_COMMAND)
#undef SG_DECLARE_COMMAND

#endif
