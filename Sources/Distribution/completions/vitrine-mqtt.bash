# bash completion for vitrine-mqtt
_vitrine_mqtt() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    case $previous in
    --socket | --credentials | --ca | --backlight)
        compopt -o filenames
        COMPREPLY=($(compgen -f -- "$current"))
        return ;;
    esac
    COMPREPLY=($(compgen -W "--broker --socket --credentials --tls --ca --name --prefix --discovery-prefix --no-discovery --allow-open --backlight --version --help" -- "$current"))
}
complete -F _vitrine_mqtt vitrine-mqtt
