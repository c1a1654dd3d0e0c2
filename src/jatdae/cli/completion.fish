# Completion of jatdae for fish, written by `jatdae --install-completion`. Run that again after installing an evaluator.

# Words that further words or a value follow, each behind the commands before it: `run|text`, `run text|--pred`.
set -g __jatdae_commands @COMMANDS@
set -g __jatdae_valued @VALUED@

function __jatdae_at --description 'Whether the words before the cursor lead to these commands'
    set -l place
    set -l flag
    set -l given (commandline -opc)
    set -e given[1]
    for word in $given
        if test -n "$flag"
            set flag
        else if contains -- "$place|$word" $__jatdae_commands
            set -a place $word
        else if contains -- "$place|$word" $__jatdae_valued
            set flag $word
        end
    end
    test "$place" = "$argv"
end

@WORDS@
