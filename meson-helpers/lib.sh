# Functions for the scripts, which source this file. Changes to the folder of the package.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Packages that releases of Debian and Ubuntu name differently are alternatives.
build_packages=(
    pkg-config libwayland-dev wayland-protocols libxkbcommon-dev libcairo2-dev
    'libjpeg62-turbo-dev|libjpeg-turbo8-dev' libspng-dev zlib1g-dev
    # Libraries that are opened when a picture needs them.
    liblcms2-dev
    libgif-dev
    libtiff-dev
    libraw-dev
    # librsvg loads drawings inside drawings through gdk-pixbuf, whose SVG loader is librsvg2-common.
    librsvg2-2 librsvg2-common
    libwebp-dev
    libheif-dev libavif-dev
    libjxl-dev
    libopenjp2-7-dev
    libopenexr-dev
    libexif-dev
    # Text.
    libpangocairo-1.0-0 fonts-dejavu-core
    # Catalogues of translations.
    gettext python3
)

# Programs of libheif with the encoders of HEIC and AVIF, which libheif loads as plugins since Debian 13. Before, it
# linked libx265.
heif_packages=(
    libheif-examples 'libheif-plugin-x265|libx265-199' 'libheif-plugin-aomenc|libx265-199'
)

# What makes a Debian package, beside the programs.
deb_packages=(
    "${build_packages[@]}" libmosquitto1 libglib2.0-bin meson binutils dpkg-dev
)

# What checks an installation: meson-helpers/package check --short.
installation_packages=(
    meson desktop-file-utils appstream mandoc zsh fish xdg-utils binutils
)

say() { printf '%s\n' "$*" >&2; }

# The time of the last commit in seconds, or its name: source_commit time|name. A source archive has both in a
# file, so that a build from it needs no git.
source_commit() {
    local time name
    read -r time name <meson-helpers/source-commit
    if [ "${time:0:1}" = \$ ]; then
        read -r time name < <(git log -1 --format='%ct %H')
    fi
    case $1 in time) echo "$time" ;; name) echo "$name" ;; esac
}

require_swift() {
    # Common places of the toolchain, by its installer or from an archive.
    if ! command -v swift >/dev/null; then
        for folder in /opt/swift/usr/bin /usr/local/swift/usr/bin "$HOME/.local/share/swiftly/bin"; do
            [ -x "$folder/swift" ] && PATH="$folder:$PATH" && break
        done
    fi
    if ! command -v swift >/dev/null; then
        say "Swift is missing: install Swift 6.2 or later from https://www.swift.org/install/linux/"
        exit 1
    fi
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p')
    if [ "$(printf '%s\n6.2\n' "$version" | sort -V | head -n 1)" != 6.2 ]; then
        say "Swift $version is too old: install 6.2 or later from https://www.swift.org/install/linux/"
        exit 1
    fi
    complete_toolchain
}

# The folder of the libraries of Swift.
swift_resources() {
    swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p'
}

# The runner that SwiftPM writes for tests links this overlay, which the packages of Debian lack; no test uses it.
# The compiler looks for libraries in LIBRARY_PATH, too.
complete_toolchain() {
    local libraries overlay=$PWD/.build/overlay
    libraries=$(swift_resources)/linux
    if [ -d "$libraries" ] && ! compgen -G "$libraries/lib_Testing_Foundation.*" >/dev/null; then
        mkdir -p "$overlay"
        ar rc "$overlay/lib_Testing_Foundation.a"
        export LIBRARY_PATH=$overlay${LIBRARY_PATH:+:$LIBRARY_PATH}
    fi
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else
        say "This needs root: $*"
        exit 1
    fi
}

# Whether one of the alternatives of a package, as in "a|b", is installed.
is_installed() {
    local name
    for name in ${1//|/ }; do
        dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' && return
    done
    return 1
}

# The first alternative of a package that this release has; the last one where it has none.
available_package() {
    local name
    for name in ${1//|/ }; do
        [ -n "$(apt-cache madison "$name" 2>/dev/null)" ] && break
    done
    printf '%s' "$name"
}

# Installs the given Debian packages that are missing; on other systems prints what to install.
require_packages() {
    if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
        local missing=() name place
        for name in "$@"; do is_installed "$name" || missing+=("$name"); done
        [ ${#missing[@]} = 0 ] && return
        as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
        for place in "${!missing[@]}"; do
            missing[place]=$(available_package "${missing[place]}")
        done
        say "Installing: ${missing[*]}"
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
            "${missing[@]}" >/dev/null
        return
    fi
    pkg-config --exists wayland-client wayland-protocols xkbcommon cairo libjpeg spng zlib 2>/dev/null &&
        return
    say "Some libraries are missing. Install them with:"
    if command -v dnf >/dev/null; then
        say "  sudo dnf install pkgconf wayland-devel wayland-protocols-devel libxkbcommon-devel" \
            "cairo-devel libjpeg-turbo-devel libspng-devel lcms2-devel" \
            "giflib-devel" \
            "libtiff-devel zlib-devel librsvg2 LibRaw-devel" \
            "libwebp-devel libheif-devel libavif-devel libjxl-devel openjpeg2-devel libexif-devel" \
            "openexr-devel gettext python3"
    elif command -v pacman >/dev/null; then
        say "  sudo pacman -S --needed pkgconf wayland wayland-protocols libxkbcommon cairo" \
            "libjpeg-turbo libspng lcms2" \
            "giflib" \
            "libtiff zlib librsvg libraw" \
            "libwebp libheif libavif libjxl openjpeg2 libexif" \
            "openexr gettext python"
    elif command -v apk >/dev/null; then
        say "  sudo apk add pkgconf wayland-dev wayland-protocols libxkbcommon-dev cairo-dev" \
            "libjpeg-turbo-dev libspng-dev lcms2-dev" \
            "giflib-dev" \
            "tiff-dev zlib-dev librsvg libraw-dev" \
            "libwebp-dev libheif-dev libavif-dev libjxl-dev openjpeg-dev libexif-dev" \
            "openexr-dev gettext python3"
    else
        say "  libwayland, wayland-protocols, libxkbcommon, cairo, libjpeg-turbo, libspng and zlib, with headers"
    fi
    exit 1
}

# The path of libFuzzer without a main function.
fuzzer_library() {
    printf '%s' "$(swift_resources)/clang/lib/linux/libclang_rt.fuzzer_no_main-$(uname -m).a"
}

# Compiles the catalogues to share/locale beside $1, the folder of the programs, where programs look for them.
# Without msgfmt texts stay in English.
build_catalogues() {
    if ! command -v msgfmt >/dev/null || ! command -v python3 >/dev/null; then
        say "Texts are in English: install gettext and python3 for other languages."
        return
    fi
    meson-helpers/install/translations build "$(dirname "$(readlink -f "$1")")/share/locale"
}

# The programs of a release.
release_programs=(vitrine vitrine-decode vitrine-mqtt vitrine-thumbnailer)

build_release() {
    local name
    for name in "${release_programs[@]}"; do
        swift build -c release --product "$name" >&2
    done
    build_catalogues .build/release
}

# The folder of the tests, and of the programs that they and meson-helpers/run start.
tests=$PWD/.build/tests/release

# Builds what the arguments select, optimised as in a release; without information for debuggers, which takes a tenth of
# the time. meson-helpers/run and meson-helpers/test share the build.
build_for_tests() {
    swift build -c release --scratch-path .build/tests -Xswiftc -enable-testing -debug-info-format none \
        --explicit-target-dependency-import-check error "$@" >&2
}

# Builds the programs.
build_programs() {
    local name
    for name in "${release_programs[@]}"; do build_for_tests --product "$name"; done
    build_catalogues "$tests"
}

# Builds the tests and all programs.
build_tests() {
    build_for_tests --build-tests
    build_catalogues "$tests"
}
