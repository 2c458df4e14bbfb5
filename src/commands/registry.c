#include "commands/commands.h"

#include <stddef.h>

#define ROW(function, name, synopsis, meaning) {name, synopsis, meaning, sg_command_##function},
const struct sg_command sg_commands[] = {SG_COMMANDS(ROW){NULL, NULL, NULL, NULL}};
#undef ROW
