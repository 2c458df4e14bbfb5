#!/bin/sh
# embed_templates.sh FILE.gp...: prints C source with the templates of figures (see src/drawing/template.h), a table
# of blocks a file.
set -eu

printf '#include "drawing/template.h"\n'
for file in "$@"; do
    awk -v name="$(basename "$file" .gp)" '
        BEGIN { printf "\nconst struct sg_template sg_template_%s[] = {\n", name }
        /^#--- / { if (open) printf "\"},\n"; printf "    {\"%s\", \"", substr($0, 6); open = 1; first = 1; next }
        open {
            gsub(/\\/, "\\\\"); gsub(/"/, "\\\"")
            printf "%s%s", first ? "" : "\\n\"\n     \"", $0
            first = 0
        }
        END { if (open) printf "\"},\n"; printf "    {0, 0}};\n" }' "$file"
done
