#compdef vitrine-mqtt
# zsh completion for vitrine-mqtt

_vitrine_mqtt() {
    _arguments \
        '--broker[the MQTT broker; the usual port is 1883, and 8883 with TLS]:HOST[\:PORT]: ' \
        '--socket[the control socket of the viewer; the default is that of the only viewer that runs]:FILE:_files' \
        '--credentials[a file that nobody else can read: the user name in the first line, the password in the second one]:FILE:_files' \
        '--tls[an encrypted connection, to a broker that the system’s certificates prove]' \
        '--ca[an encrypted connection, to a broker that these certificates prove]:FILE:_files' \
        '--name[the name of the viewer, at most 64 characters; the default is the name of the computer]:NAME: ' \
        '--prefix[what topics begin with; the default is vitrine]:TOPIC: ' \
        '--discovery-prefix[what topics of Home Assistant’s discovery begin with; the default is homeassistant]:TOPIC: ' \
        '--no-discovery[no discovery]' \
        '--allow-open[lets the broker open files and folders, and pictures by number]' \
        '--backlight[the screen whose brightness is set; the default is the only one below /sys/class/backlight]:FOLDER:_files' \
        '--version[prints the version]' \
        '--help[prints this text]'
}

_vitrine_mqtt "$@"
