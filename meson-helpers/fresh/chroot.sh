# Functions that make minimal Debian systems in folders and run commands in them, for the scripts that source
# this file. The functions need root on Debian or Ubuntu, and the network.
#
#   make_root SUITE FOLDER [PACKAGE…]  makes a minimal system: bookworm, trixie, forky or sid
#   add_toolchain FOLDER               prepares the system for the Swift of this machine
#   enter_root FOLDER COMMAND…         runs a command in the system
#   remove_root FOLDER                 removes the system
#
# Inside, only the network settings of this machine are visible and, after add_toolchain, its Swift, read-only.
# All mounts end with the command of enter_root. VITRINE_MIRROR is the archive of Debian,
# by default http://deb.debian.org/debian.

# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

debian_mirror=${VITRINE_MIRROR:-http://deb.debian.org/debian}
debian_keyring=/usr/share/keyrings/debian-archive-keyring.gpg

make_root() {
    local suite=$1 root=$2 file
    shift 2
    [ "$(id -u)" = 0 ] || { say "a system of Debian $suite in a folder needs root" && return 1; }
    [ ! -e "$root/etc" ] || { say "$root has a system already" && return 1; }
    require_packages mmdebstrap debian-archive-keyring
    # A mirror may be older than the clock of this machine. The system is thrown away, so nothing waits for
    # the disk.
    mmdebstrap --variant=minbase --mode=root --include="$(IFS=,; echo "ca-certificates,$*")" \
        --keyring="$debian_keyring" --aptopt='Acquire::Check-Valid-Until "false"' \
        --aptopt='Acquire::Languages "none"' --dpkgopt=force-unsafe-io "$suite" "$root" "$debian_mirror" || return
    for file in /etc/resolv.conf /etc/hosts /etc/environment; do
        [ ! -e $file ] || cat $file >"$root$file"
    done
    cp -a /etc/ssl/certs/. "$root/etc/ssl/certs/"
    mkdir -p "$root/usr/local/share/ca-certificates"
    cp -a /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/"
}

# The folder that contains usr/bin/swift of this machine.
toolchain_folder() {
    require_swift
    dirname "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")"
}

# The packages are those that swift.org requires on Debian 12, without the versions in their names. Swift of
# swift.org needs libxml2.so.2, which Debian has until release 13; later releases take the package of Debian 13.
add_toolchain() {
    local root=$1
    toolchain_folder >/dev/null
    mkdir -p "$root/opt/swift"
    # shellcheck disable=SC2016
    enter_root "$root" bash -e -c '
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends binutils-gold g++ git libcurl4-openssl-dev libedit-dev \
            libicu-dev libncurses-dev libpython3-dev libsqlite3-dev libxml2-dev pkg-config tzdata uuid-dev
        if ! ldconfig -p | grep -q "libxml2\.so\.2 "; then
            list=/etc/apt/sources.list.d/libxml2.list
            echo "deb $1 trixie main" >$list
            printf "%s\n" "Package: *" "Pin: release n=trixie" "Pin-Priority: -1" "" \
                "Package: libxml2" "Pin: release n=trixie" "Pin-Priority: 500" >/etc/apt/preferences.d/libxml2
            apt-get update -qq
            apt-get install -y -qq --no-install-recommends libxml2
            rm $list
        fi' bash "$debian_mirror"
}

# The command gets a new environment, namespaces of mounts and processes, and the input of the caller. All its
# processes end with it. pivot_root(2), because the kernel refuses user namespaces to a process in a
# mere chroot(2), and the sandbox of the decoder needs them.
enter_root() {
    local root=$1 toolchain=
    shift
    # Debian 12 and 13 have pivot_root in util-linux, which every system has; later releases in util-linux-extra.
    command -v pivot_root >/dev/null || require_packages util-linux-extra >&2
    [ ! -d "$root/opt/swift" ] || toolchain=$(toolchain_folder)
    # shellcheck disable=SC2016
    unshare --mount --propagation private --pid --fork --kill-child sh -e -c '
        root=$1 toolchain=$2
        shift 2
        mount --rbind "$root" "$root"
        mount -t proc proc "$root/proc"
        mount --rbind /sys "$root/sys"
        mount --rbind /dev "$root/dev"
        if [ -n "$toolchain" ]; then
            mount --bind "$toolchain" "$root/opt/swift"
            mount -o remount,bind,ro "$root/opt/swift"
        fi
        cd "$root"
        pivot_root . .
        umount -l .
        cd /
        # Not the first process of its namespace, which signals do not end.
        code=0
        "$@" || code=$?
        exit $code' sh "$(realpath "$root")" "$toolchain" \
        /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive \
        PATH="${toolchain:+/opt/swift/usr/bin:}/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@"
}

remove_root() {
    local root
    root=$(realpath "$1")
    if grep -q " $root/" /proc/mounts; then
        say "$root still has mounts; it is not removed"
        return 1
    fi
    rm -rf --one-file-system "$root"
}
