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

int sg_command_run_deck(int argc, char **argv);
int sg_command_check(int argc, char **argv);
int sg_command_help(int argc, char **argv);
int sg_command_list(int argc, char **argv);
int sg_command_verify(int argc, char **argv);
int sg_command_schema(int argc, char **argv);
int sg_command_compare(int argc, char **argv);
int sg_command_export(int argc, char **argv);
int sg_command_plot(int argc, char **argv);
int sg_command_sweep(int argc, char **argv);
int sg_command_ground_motion(int argc, char **argv);

#endif
