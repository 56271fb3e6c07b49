#compdef vitrine
# zsh completion for vitrine

_vitrine_messages() {
    local -a messages
    messages=(
        'open:shows other files and folders'
        'next:the next picture'
        'previous:the previous picture'
        'goto:the picture with this number; -1 is the last one'
        'zoom:zooms to this many logical pixels per picture pixel, or to a step'
        'rotate:rotates clockwise by a multiple of 90 degrees'
        'grid:shows the grid'
        'viewer:opens the focused picture of the grid'
        'slideshow:starts or ends the slideshow, or starts it with this interval'
        'reload:decodes the picture anew, and lists the folders again'
        'fullscreen:enters or leaves fullscreen'
        'screenshot:writes the last frame, in place of the file'
        'play:plays a gesture script, and answers at its end'
        'lock:ignores touch, keys and pointer, or heeds them again'
        'clean:ignores touches for 30 s in a kiosk, with a countdown'
        'screen:switches the screen of a kiosk; a touch switches it on'
        'do:does what a key does, by the table of commands'
        'set:changes a setting of the running viewer'
        'quit:ends the viewer'
        'hello:the version of the protocol and of the viewer'
        'state:the last frame, as a line of the trace'
        'outputs:the outputs, and which of them show a window'
        'watch:a line now, and one for each change of state'
        'ui:the interface as assistive technology sees it'
        'commands:the table of commands, for do'
        'settings:all settings with their values'
        'history:what was shown last, with times'
    )
    if ((CURRENT == 3)); then
        _describe message messages
        compadd -- --socket --pid --output --help
        return
    fi
    case ${words[CURRENT - 1]} in
        zoom) compadd -- fit fill 1:1 ;;
        rotate) compadd -- 90 180 -90 ;;
        slideshow) compadd -- on off ;;
        fullscreen) compadd -- on off ;;
        lock) compadd -- on off ;;
        screen) compadd -- on off ;;
        do) compadd -- left right up down next previous page-up page-down first last open select select-all zoom-in zoom-out fit default-columns one-to-one fill keep-zoom light rotate-clockwise rotate-anticlockwise play-pause next-frame information checkerboard open-files open-folder new-window fullscreen help settings focus-next focus-previous chrome menu grid slideshow undo redo delete delete-for-good flip-horizontally flip-vertically crop favourite rate favourites-only parent-folder previous-folder find rename copy-to move-to copy paste open-with show-in-files share print set-background run-command leave quit ;;
        set) compadd -- light viewer.enlarge viewer.dismiss viewer.dismiss_by_distance viewer.swipe_up viewer.scroll_dismisses viewer.wheel viewer.keep_zoom viewer.tap_sides viewer.checkerboard gestures.double_tap gestures.rotate gestures.pen gestures.long_press gestures.two_finger_tap gestures.pen_eraser gestures.pen_button gestures.pen_button_2 gestures.pen_button_3 slideshow.interval slideshow.transition slideshow.transition_time slideshow.resume slideshow.order slideshow.weights slideshow.caption slideshow.clock slideshow.progress slideshow.motion slideshow.margins slideshow.pairs grid.header grid.layout grid.columns grid.pinch peek.max peek.dim peek.release kiosk.allow kiosk.pin kiosk.attract kiosk.restart kiosk.dark kiosk.wake kiosk.folders kiosk.media kiosk.outputs kiosk.canvas kiosk.burn_in control.mpris files.save_turns collection.recursive collection.sort collection.descending collection.remote_interval collection.sections decode.max_megapixels decode.max_memory decode.memory decode.max_disk decode.parts_from_megapixels decode.sandbox decode.screen_profile frames.adaptive_resolution frames.hold_back frames.instructions frames.rest interface.colors interface.contrast interface.text_scale interface.motion commands.NAME command_keys.NAME keys.COMMAND ;;
        *) _files ;;
    esac
}

_vitrine() {
    if ((CURRENT > 2)) && [[ ${words[2]} == msg ]]; then
        _vitrine_messages
        return
    fi
    _arguments \
        '*--grid[start with the grid (the default for a folder)]' \
        '*--viewer[start with one picture (the default for a file)]' \
        '*--fullscreen[start in fullscreen]' \
        '*--windowed[start in a window (the default)]' \
        '*--size[size of the window in logical pixels, where the compositor leaves the choice]:WxH: ' \
        '*--kiosk[fullscreen for everybody: only what the settings kiosk.* allow, no way out but the exit gesture]' \
        '*--output[the output of a kiosk, instead of every output; several with commas, or repeated]:NAME: ' \
        '*--reconnect[when the compositor goes, wait for it and go on with the same picture]' \
        '*--slideshow[start a slideshow that shows each picture for that time]:SECONDS: ' \
        '*--reduced-motion[no animation lasts longer than one frame]' \
        '*--config[a settings file, read after those of the user, see Files]:FILE:_files' \
        '*--set[a setting for this run, see Settings]:KEY=VALUE:{compadd -S "" -- light= viewer.enlarge= viewer.dismiss= viewer.dismiss_by_distance= viewer.swipe_up= viewer.scroll_dismisses= viewer.wheel= viewer.keep_zoom= viewer.tap_sides= viewer.checkerboard= gestures.double_tap= gestures.rotate= gestures.pen= gestures.long_press= gestures.two_finger_tap= gestures.pen_eraser= gestures.pen_button= gestures.pen_button_2= gestures.pen_button_3= slideshow.interval= slideshow.transition= slideshow.transition_time= slideshow.resume= slideshow.order= slideshow.weights= slideshow.caption= slideshow.clock= slideshow.progress= slideshow.motion= slideshow.margins= slideshow.pairs= grid.header= grid.layout= grid.columns= grid.pinch= peek.max= peek.dim= peek.release= kiosk.allow= kiosk.pin= kiosk.attract= kiosk.restart= kiosk.dark= kiosk.wake= kiosk.folders= kiosk.media= kiosk.outputs= kiosk.canvas= kiosk.burn_in= control.mpris= files.save_turns= collection.recursive= collection.sort= collection.descending= collection.remote_interval= collection.sections= decode.max_megapixels= decode.max_memory= decode.memory= decode.max_disk= decode.parts_from_megapixels= decode.sandbox= decode.screen_profile= frames.adaptive_resolution= frames.hold_back= frames.instructions= frames.rest= interface.colors= interface.contrast= interface.text_scale= interface.motion= commands.NAME= command_keys.NAME= keys.COMMAND=}' \
        '*--headless[no compositor: the same viewer paints into memory]:WxH[@SCALE]: ' \
        '*--script[headless: plays a gesture script on a virtual clock]:FILE:_files' \
        '*--refresh[headless: frames per second of the virtual clock; the default is 60]:HZ: ' \
        '*--async-decode[headless: does not wait for pictures]' \
        '*--shot[headless: writes the last frame]:FILE.png:_files' \
        '*--shot-at[headless: writes the frame at a time in milliseconds; repeatable]:MS\:FILE.png:_files' \
        '*--shot-light[headless: writes the last frame as a screen with this many times the light of white gets it; repeatable]:HEADROOM\:FILE.png:_files' \
        '*--ui-at[headless: writes the interface as assistive technology sees it at a time in milliseconds; repeatable]:MS\:FILE.json:_files' \
        '*--ui[writes the interface as --ui-at does, one line whenever it changes; - is standard output]:FILE:_files' \
        '*--trace[writes one JSON object per frame; - is standard output]:FILE:_files' \
        '*--timings[headless: measured times in the trace, too]' \
        '*--hud[a graph over the frames of a window: paint time, age of the input, late frames, resolution]' \
        '*--record[writes the input of a session as a gesture script]:FILE:_files' \
        '*--socket[the control socket; the default is $XDG_RUNTIME_DIR/vitrine-PID.sock]:FILE:_files' \
        '*--dbus-service[wait for what the desktop wants opened, and open later files, too]' \
        '*--no-socket[no control socket]' \
        '*--log-level[error, warning, info, debug; the default is warning]:LEVEL:{compadd -S "" -- error warning info debug}' \
        '*--verbose[as --log-level info; with --version, which sandbox measures are active]' \
        '*--print-config[prints all settings with their defaults, as a settings file]' \
        '*--version[prints the version]' \
        '*--help[prints this text]' \
        '*-h[prints this text]' \
        '1: :_alternative "subcommands:subcommand:(msg formats)" "files:picture:_files"' \
        '*:picture:_files'
}

_vitrine "$@"
