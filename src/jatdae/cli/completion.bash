# Completion of jatdae for bash, written by `jatdae --install-completion`. Run that again after installing an evaluator.

# Words that may follow some commands, a line for each: the word | what follows it | what it means.
# What follows: nothing; `>` further words (it is a command); `=` a value, with its choices, or without any a file.
_jatdae_words() {
    case $1 in
@WORDS@
    esac
}

_jatdae() {
    local cur=${COMP_WORDS[COMP_CWORD]} place= flag= newline=$'\n' known word follows i
    _jatdae_words ""
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word == "=" ]]; then
            continue # bash cuts --flag=value into three words
        elif [[ -n $flag ]]; then
            flag=
        elif [[ $known == *"$newline$word|>"* ]]; then
            place+=${place:+ }$word
            _jatdae_words "$place"
        elif [[ $known == *"$newline$word|="* ]]; then
            flag=$word
        fi
    done
    [[ $cur == "=" ]] && cur=
    COMPREPLY=() # nothing found: bash completes file names, see `-o default`
    while IFS="|" read -r word follows _; do
        if [[ -n $flag && $word == "$flag" ]]; then
            COMPREPLY=($(compgen -W "${follows#=}" -- "$cur"))
        elif [[ -z $flag && -n $word && $word == "$cur"* && ($word != -* || $cur == -*) ]]; then
            COMPREPLY+=("$word")
        fi
    done <<<"$known"
}

complete -o default -F _jatdae jatdae
