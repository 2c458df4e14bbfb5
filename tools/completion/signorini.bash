# bash completion of signorini: commands, options, files, and keyword paths as `signorini help` tells them

# the words of $2... that begin with $1
_signorini_words()
{
    local current=$1
    shift
    mapfile -t COMPREPLY < <(compgen -W "$*" -- "$current")
}

# files that end as $2 says, and folders
_signorini_files()
{
    mapfile -t COMPREPLY < <(compgen -f -X "!*.$2" -- "$1"; compgen -d -S / -- "$1")
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
}

# Paths of the deck's keywords that begin with $1, followed by $2. Help on a group lists the paths below
# it; the items of a list are shown there as [i].
_signorini_paths()
{
    local current=$1 group=''
    [[ $current == *.* ]] && group=${current%.*}
    group=${group//.\[*([0-9i])\]/}
    local groups='title bodies supports contacts loads initial integrator strategy time analysis output'
    if [[ -z $group && $current != *.* ]] && [[ " $groups " != *" $current "* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$groups" -- "$current")
        compopt -o nospace 2>/dev/null
        return
    fi
    local paths
    paths=$(signorini help "${group:-$current}" 2>/dev/null |
        grep -oE '^[[:space:]]*[a-z_]+(\.(\[i?[0-9]*\]|[a-z_0-9-]+))+' | tr -d '[:blank:]' | sort -u)
    # what was typed says which item of a list is meant
    local index
    if [[ $current =~ \[([0-9]+)\] ]]; then
        index=${BASH_REMATCH[1]}
        paths=${paths//\[i\]/[$index]}
    fi
    mapfile -t COMPREPLY < <(compgen -W "$paths" -S "$2" -- "$current")
    [[ -n $2 ]] && compopt -o nospace 2>/dev/null
}

_signorini_options()
{
    case $2 in
    run)     _signorini_words "$1" -o --set --resume --modes --progress=auto --progress=always --progress=never --jobs --strict -q ;;
    sweep)   _signorini_words "$1" --jobs --list --case --slurm --collect -o --progress=auto --progress=always --progress=never -q ;;
    check)   _signorini_words "$1" --set --json ;;
    verify)  _signorini_words "$1" --junit --list --scale-limits ;;
    compare) _signorini_words "$1" --rtol --atol ;;
    audit)   _signorini_words "$1" --file --json --strict ;;
    plot)    _signorini_words "$1" -o --only --all --over --field --at --deform --orbit --beside ;;
    export)  _signorini_words "$1" --csv --vtk --at ;;
    ground-motion) _signorini_words "$1" -o --set --check -q ;;
    esac
}

_signorini()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous='' command=${COMP_WORDS[1]-}
    ((COMP_CWORD > 0)) && previous=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        _signorini_words "$current" run check help list verify compare plot export audit sweep ground-motion schema
        return
    fi
    case $previous in
    --set)
        _signorini_paths "$current" =
        return
        ;;
    --csv | --vtk | --modes)
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
        return
        ;;
    -o | --junit)
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
        ;;
    --only)
        _signorini_words "$current" gap force energy displacement
        return
        ;;
    --field)
        _signorini_words "$current" von_mises von_mises_node stress_xx stress_yy stress_xy displacement_x displacement_y
        return
        ;;
    --rtol | --atol | --scale-limits | --at | --deform | --jobs | --case)
        return
        ;;
    esac
    if [[ $current == -* ]]; then
        _signorini_options "$current" "$command"
        return
    fi
    case $command in
    run | check | sweep | ground-motion) _signorini_files "$current" cfg ;;
    compare | plot | export | audit) _signorini_files "$current" h5 ;;
    help)   _signorini_paths "$current" '' ;;
    list)   _signorini_words "$current" integrators strategies bodies elements contacts loads analyses results grid ;;
    schema) _signorini_words "$current" deck study ground-motion benchmark results ;;
    verify) _signorini_words "$current" "$(signorini verify --list 2>/dev/null | cut -d' ' -f1)" ;;
    esac
}

complete -F _signorini signorini
