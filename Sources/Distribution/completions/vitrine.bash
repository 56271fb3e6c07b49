# bash completion for vitrine
_vitrine() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    if [[ ${COMP_WORDS[1]} == msg ]] && ((COMP_CWORD > 1)); then
        local words=
        if ((COMP_CWORD == 2)); then words="--socket --pid --output --help open next previous goto zoom rotate grid viewer slideshow reload fullscreen screenshot play lock clean screen do set quit hello state outputs watch ui commands settings history"; fi
        case $previous in
            zoom) words="fit fill 1:1" ;;
            rotate) words="90 180 -90" ;;
            slideshow) words="on off" ;;
            fullscreen) words="on off" ;;
            lock) words="on off" ;;
            screen) words="on off" ;;
        do) words="left right up down next previous page-up page-down first last open select select-all zoom-in zoom-out fit default-columns one-to-one fill keep-zoom light rotate-clockwise rotate-anticlockwise play-pause next-frame information checkerboard open-files open-folder new-window fullscreen help settings focus-next focus-previous chrome menu grid slideshow undo redo delete delete-for-good flip-horizontally flip-vertically crop favourite rate favourites-only parent-folder previous-folder find rename copy-to move-to copy paste open-with show-in-files share print set-background run-command leave quit" ;;
        set) words="light viewer.enlarge viewer.dismiss viewer.dismiss_by_distance viewer.swipe_up viewer.scroll_dismisses viewer.wheel viewer.keep_zoom viewer.tap_sides viewer.checkerboard gestures.double_tap gestures.rotate gestures.pen gestures.long_press gestures.two_finger_tap gestures.pen_eraser gestures.pen_button gestures.pen_button_2 gestures.pen_button_3 slideshow.interval slideshow.transition slideshow.transition_time slideshow.resume slideshow.order slideshow.weights slideshow.caption slideshow.clock slideshow.progress slideshow.motion slideshow.margins slideshow.pairs grid.header grid.layout grid.columns grid.pinch peek.max peek.dim peek.release kiosk.allow kiosk.pin kiosk.attract kiosk.restart kiosk.dark kiosk.wake kiosk.folders kiosk.media kiosk.outputs kiosk.canvas kiosk.burn_in control.mpris files.save_turns collection.recursive collection.sort collection.descending collection.remote_interval collection.sections decode.max_megapixels decode.max_memory decode.memory decode.max_disk decode.parts_from_megapixels decode.sandbox decode.screen_profile frames.adaptive_resolution frames.hold_back frames.instructions frames.rest interface.colors interface.contrast interface.text_scale interface.motion commands.NAME command_keys.NAME keys.COMMAND" ;;
        esac
        if [[ $words ]]; then
            COMPREPLY=($(compgen -W "$words" -- "$current"))
        else
            compopt -o filenames
            COMPREPLY=($(compgen -f -- "$current"))
        fi
        return
    fi
    case $previous in
    --set)
        COMPREPLY=($(compgen -W "light= viewer.enlarge= viewer.dismiss= viewer.dismiss_by_distance= viewer.swipe_up= viewer.scroll_dismisses= viewer.wheel= viewer.keep_zoom= viewer.tap_sides= viewer.checkerboard= gestures.double_tap= gestures.rotate= gestures.pen= gestures.long_press= gestures.two_finger_tap= gestures.pen_eraser= gestures.pen_button= gestures.pen_button_2= gestures.pen_button_3= slideshow.interval= slideshow.transition= slideshow.transition_time= slideshow.resume= slideshow.order= slideshow.weights= slideshow.caption= slideshow.clock= slideshow.progress= slideshow.motion= slideshow.margins= slideshow.pairs= grid.header= grid.layout= grid.columns= grid.pinch= peek.max= peek.dim= peek.release= kiosk.allow= kiosk.pin= kiosk.attract= kiosk.restart= kiosk.dark= kiosk.wake= kiosk.folders= kiosk.media= kiosk.outputs= kiosk.canvas= kiosk.burn_in= control.mpris= files.save_turns= collection.recursive= collection.sort= collection.descending= collection.remote_interval= collection.sections= decode.max_megapixels= decode.max_memory= decode.memory= decode.max_disk= decode.parts_from_megapixels= decode.sandbox= decode.screen_profile= frames.adaptive_resolution= frames.hold_back= frames.instructions= frames.rest= interface.colors= interface.contrast= interface.text_scale= interface.motion= commands.NAME= command_keys.NAME= keys.COMMAND=" -- "$current"))
        return ;;
    --config)
        compopt -o filenames
        COMPREPLY=($(compgen -f -- "$current"))
        return ;;
    --log-level)
        COMPREPLY=($(compgen -W "error warning info debug" -- "$current"))
        return ;;
    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "--grid --viewer --fullscreen --windowed --size --kiosk --output --reconnect --slideshow --reduced-motion --config --set --headless --script --refresh --async-decode --shot --shot-at --shot-light --ui-at --ui --trace --timings --hud --record --socket --dbus-service --no-socket --log-level --verbose --print-config --version --help -h" -- "$current"))
    else
        compopt -o filenames
        COMPREPLY=($(compgen -f -- "$current"))
        if ((COMP_CWORD == 1)); then
            COMPREPLY+=($(compgen -W "msg formats" -- "$current"))
        fi
    fi
}
complete -F _vitrine vitrine
