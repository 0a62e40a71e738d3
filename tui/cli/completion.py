"""`memdesk completion SHELL`: what teaches a shell to complete memdesk's words. The scripts know nothing themselves: at each
Tab they ask `completing`, and hand its words to the shell as data.
"""

from __future__ import annotations

from memdesk.tui.cli.output import result

BASH = """\
# memdesk: completions for bash. In ~/.bashrc: source <(memdesk completion bash)
_memdesk() {
    local -a answer
    COMPREPLY=()
    mapfile -t answer < <(
        command memdesk completion -- bash "$COMP_WORDBREAKS" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null </dev/null
    )
    case ${answer[0]-} in
    files) compopt -o default ;;
    folders) compopt -o dirnames ;;
    nospace) compopt -o nospace ;;
    esac
    COMPREPLY=("${answer[@]:1}")
}
complete -F _memdesk memdesk
"""

ZSH = """\
#compdef memdesk
# memdesk: completions for zsh. In ~/.zshrc, after compinit: source <(memdesk completion zsh)
_memdesk() {
    local -a answer values shown more
    local line
    answer=("${(@f)$(
        command memdesk completion -- words "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null </dev/null
    )}")
    case $answer[1] in
    files) compset -P '--*='; _files; return ;;
    folders) compset -P '--*='; _files -/; return ;;
    nospace) more=(-S '') ;;
    esac
    for line in "${(@)answer[2,-1]}"; do
        values+=("${line%%$'\\t'*}")
        shown+=("${line/$'\\t'/  -- }")
    done
    (( $#values )) && compadd -l -d shown $more -a values
}
if [[ $funcstack[1] = _memdesk ]]; then
    _memdesk "$@"
else
    compdef _memdesk memdesk
fi
"""

FISH = """\
# memdesk: completions for fish. Once: memdesk completion fish > ~/.config/fish/completions/memdesk.fish
function __memdesk_complete
    set -l before (commandline -opc)
    set -e before[1]
    set -l current (commandline -ct)
    set -l answer (command memdesk completion -- words $before "$current" 2>/dev/null </dev/null)
    set -l mode $answer[1]
    set -e answer[1]
    switch "$mode"
        case files folders
            set -l option (string match -r -- '^--[^=]+=' "$current")
            set current (string replace -r -- '^--[^=]+=' '' "$current")
            if test "$mode" = files
                set answer (__fish_complete_path "$current")
            else
                set answer (__fish_complete_directories "$current" '')
            end
            for path in $answer
                printf '%s\\n' "$option$path"
            end
        case '*'
            printf '%s\\n' $answer
    end
end
complete -c memdesk -f -a '(__memdesk_complete)'
"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def run(shell: str) -> int:
    """Prints the script of a shell."""
    result(SCRIPTS[shell])
    return 0
