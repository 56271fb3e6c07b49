extension PictureFormat {
    /// Raw sensor data of cameras, in the makers' own formats.
    ///
    /// Raw files that are ordinary TIFFs have no signature here; they are recognised by their tags.
    package static let raw = PictureFormat(
        name: "RAW",
        mimeTypes: [
            "image/x-adobe-dng", "image/x-canon-cr2", "image/x-canon-cr3", "image/x-canon-crw",
            "image/x-nikon-nef", "image/x-nikon-nrw", "image/x-sony-arw", "image/x-sony-srf",
            "image/x-sony-sr2", "image/x-fuji-raf", "image/x-olympus-orf", "image/x-panasonic-rw2",
            "image/x-pentax-pef", "image/x-samsung-srw", "image/x-sigma-x3f", "image/x-minolta-mrw",
            "image/x-kodak-dcr", "image/x-kodak-kdc",
        ],
        extensions: [
            "dng", "cr2", "cr3", "crw", "nef", "nrw", "arw", "srf", "sr2", "raf", "orf", "rw2",
            "rwl", "pef", "srw", "x3f", "mrw", "3fr", "fff", "iiq", "mef", "mos", "erf", "dcr",
            "kdc",
        ], canBeAnimated: false,
        signatures: [
            // Canon.
            Signature([0x49, 0x49, 42, 0]).and(.init("CR", at: 8)), .init("ftypcrx ", at: 4),
            Signature("II").and(.init("HEAPCCDR", at: 6)),
            // Fujifilm, Sigma, Minolta.
            .init("FUJIFILMCCD-RAW "), .init("FOVb"), .init([0, 0x4D, 0x52, 0x4D]),
            // Olympus, Panasonic, Phase One.
            .init("IIRO"), .init("IIRS"), .init("MMOR"), .init([0x49, 0x49, 0x55, 0]),
            Signature([0x49, 0x49, 42, 0]).and(.init("IIII", at: 8)),
            Signature([0x4D, 0x4D, 0, 42]).and(.init("MMMM", at: 8)),
        ])
}
