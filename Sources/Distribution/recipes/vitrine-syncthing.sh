#!/bin/sh
# Lets Syncthing keep the pictures of this user in step with a folder of another device:
#   sh vitrine-syncthing.sh DEVICE-ID FOLDER-ID
#
# The first argument is the identifier of the other device, the second one that of its folder. Needs
# syncthing 1.19 or later and xdg-user-dirs. Syncthing must run: systemctl --user enable --now syncthing
# Prints the identifier of this device, which the other device has to add and to share the folder with.
# See Sources/Documentation/elsewhere.md of the source.

set -eu
device=${1:?the identifier of the other device is missing}
folder=${2:?the identifier of the folder is missing}
pictures=$(xdg-user-dir PICTURES)/elsewhere
mkdir -p "$pictures"
syncthing cli config devices add --device-id "$device"
syncthing cli config folders add --id "$folder" --path "$pictures" --type receiveonly
syncthing cli config folders "$folder" devices add --device-id "$device"
syncthing cli show system | sed -n 's/.*"myID": "\(.*\)".*/\1/p'
