#compdef jatdae
# Completion of jatdae for zsh, written by `jatdae --install-completion`. Run that again after installing an evaluator.

# Words that may follow some commands, a line for each: the word | what follows it | what it means.
# What follows: nothing; `>` further words (it is a command); `=` a value, with its choices, or without any a file.
_jatdae_words() {
    case $1 in
@WORDS@
    esac
}

_jatdae() {
    local place= flag= known word row newline=$'\n'
    local -a parts offered choices
    _jatdae_words ""
    for word in "${(@)words[2,CURRENT-1]}"; do
        if [[ -n $flag ]]; then
            flag=
        elif [[ $known == *"$newline$word|>"* ]]; then
            place+=${place:+ }$word
            _jatdae_words "$place"
        elif [[ $known == *"$newline$word|="* ]]; then
            flag=$word
        fi
    done
    if [[ -z $flag && $PREFIX == --*=* ]]; then
        flag=${PREFIX%%=*}
        compset -P 1 '*='
    fi
    for row in "${(@f)known}"; do
        parts=("${(@s:|:)row}")
        if [[ -n $flag && $parts[1] == "$flag" ]]; then
            choices=(${=parts[2]#=})
        elif [[ -z $flag && -n $parts[1] && ($parts[1] != -* || $PREFIX == -*) ]]; then
            offered+=("$parts[1]:${(j:|:)parts[3,-1]}")
        fi
    done
    if (( $#choices )); then
        compadd -a choices
    elif [[ -n $flag ]]; then
        _files || { compset -P '*=' && _files } # NAME=PATH
    else
        (( $#offered )) && _describe jatdae offered || _files
    fi
}

if [[ -n ${compstate[context]-} ]]; then
    _jatdae "$@" # loaded by compinit, to complete right now
else
    fpath=(${${(%):-%x}:A:h} $fpath) # a compinit after this one forgets compdef, and finds this file there
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
    compdef _jatdae jatdae
fi
