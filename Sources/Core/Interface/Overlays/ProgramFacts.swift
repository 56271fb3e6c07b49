/// What the program is, and from which libraries it is made.
package enum ProgramFacts {
    package static let version = "1.0.1"
    package static let homePage = "https://github.com/vitrine-viewer/vitrine"

    /// A library of other authors: its name, and its licence by SPDX.
    struct Library {
        var name: String
        var licence: String
    }

    /// The libraries that are linked, or opened where they are installed.
    static let libraries = [
        Library(name: "Swift", licence: "Apache-2.0"),
        Library(name: "Wayland", licence: "MIT"),
        Library(name: "xkbcommon", licence: "MIT"),
        Library(name: "cairo", licence: "LGPL-2.1, MPL-1.1"),
        Library(name: "Pango", licence: "LGPL-2.0"),
        Library(name: "GLib", licence: "LGPL-2.1"),
        Library(name: "zlib", licence: "Zlib"),
        Library(name: "libjpeg-turbo", licence: "IJG, BSD-3-Clause"),
        Library(name: "libspng", licence: "BSD-2-Clause"),
        Library(name: "giflib", licence: "MIT"),
        Library(name: "libtiff", licence: "libtiff"),
        Library(name: "libwebp", licence: "BSD-3-Clause"),
        Library(name: "libheif", licence: "LGPL-3.0"),
        Library(name: "libavif", licence: "BSD-2-Clause"),
        Library(name: "libjxl", licence: "BSD-3-Clause"),
        Library(name: "OpenJPEG", licence: "BSD-2-Clause"),
        Library(name: "OpenEXR", licence: "BSD-3-Clause"),
        Library(name: "LibRaw", licence: "LGPL-2.1, CDDL-1.0"),
        Library(name: "librsvg", licence: "LGPL-2.1"),
        Library(name: "Little CMS", licence: "MIT"),
        Library(name: "libexif", licence: "LGPL-2.1"),
        Library(name: "Mosquitto", licence: "EPL-2.0"),
    ]
}
