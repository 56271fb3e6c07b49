import Folders
import ImageTypes
import Localization
import Settings
import TOML

extension SettingValues {
    /// The settings `control.*`, `files.*`, `collection.*` and `decode.*`.
    static let ownTable: [SettingEntry<SettingValues>] = [
        .flag(
            "control.mpris", \.offersMediaControls,
            "Whether media keys, lock screens and programs such as playerctl control a slideshow, by "
                + "MPRIS on the session bus."
        ).atStart,
        .flag(
            "files.save_turns", \.savesTurns,
            "Whether turns and flips by keys and buttons are kept in the files; else they last as long as "
                + "the picture is shown. With --headless only where --set says so."),
        .flag(
            "collection.recursive", \.collection.isRecursive,
            "Whether pictures in subfolders are listed."
        ).atStart,
        SettingEntry(
            "collection.sort", values: "name|taken|modified|size|rating|random",
            "The order of the pictures.", value: { .string($0.collection.order.key.name) }
        ) { (values, setting) throws(SettingRefusal) in
            let keys: [ListingOrder.Key] = [
                .name, .taken, .modified, .size, .rating,
                .random(seed: UInt64.random(in: 0...UInt64.max)),
            ]
            let expected = localized("one of \(keys.map(\.name).joined(separator: ", "))")
            let name = try setting.text(expected)
            guard let key = keys.first(where: { $0.name == name }) else {
                throw setting.refusal(expected)
            }
            // The order at random stays when settings are read again.
            guard name != values.collection.order.key.name else { return }
            values.collection.order.key = key
        },
        .flag(
            "collection.descending", \.collection.order.isReversed, "Whether the order is reversed."
        ),
        .integer(
            "collection.remote_interval", 1...3600, \.collection.remoteInterval,
            "How often, in seconds, a folder is looked at if the system does not tell of its changes: "
                + "one on a network share, on FUSE or on an overlay, and any folder once the limits of "
                + "inotify are reached. New files are shown when they no longer grow."
        ).atStart,
        SettingEntry(
            "collection.sections", values: "none|folder|month",
            "The headings of the grid.", value: { .string($0.sections.rawValue) }
        ) { (values, setting) throws(SettingRefusal) in
            values.sections = try setting.choice()
            values.collection.wantsDetails = values.sections == .month
        }.atStart,
        megapixels(
            "decode.max_megapixels", \.limits.pixels,
            "Larger pictures are refused, unless they can be decoded in tiles or kept on the disk. "
                + "For OpenEXR the limit is a quarter."
        ).atStart,
        mebibytes(
            "decode.max_memory", values: "MiB for a picture's pixels", value: { _ in nil },
            "Pictures whose pixels need more memory are refused."
        ) { values, bytes in values.limits.limit(bytes: bytes) }.atStart,
        mebibytes(
            "decode.memory", values: "MiB for the pixels of all pictures", least: 16,
            value: { $0.memory.map { .integer($0 >> 20) } },
            "Memory for the pixels of the shown picture, its neighbours, frames and tiles. Neighbours "
                + "beyond it are not decoded ahead; a picture beyond it is decoded in tiles, kept on "
                + "the disk, or refused. By default a quarter of the memory, at most 3072."
        ) { values, bytes in values.memory = bytes }.atStart,
        mebibytes(
            "decode.max_disk", values: "MiB for a picture too large for memory",
            value: { .integer($0.limits.disk >> 20) },
            "Disk space that one picture may take while it is shown."
        ) { values, bytes in values.limits.disk = bytes }.atStart,
        megapixels(
            "decode.parts_from_megapixels", \.limits.wholePixels,
            "Larger JPEGs are decoded in tiles: an overview first, then the visible tiles. Larger "
                + "pictures of other formats are kept in a file on the disk while they are shown, "
                + "where the library of the format can decode row by row. Animations among them "
                + "stand still."
        ).atStart,
        SettingEntry(
            "decode.sandbox", values: "wanted|required",
            "Whether pictures are decoded, with a warning, where the system refuses a part of the "
                + "sandbox (wanted), or not at all without its limits, namespaces, Landlock and seccomp "
                + "(required). A kiosk has required unless this is set.",
            value: { .string($0.limits.requiresSandbox ? "required" : "wanted") }
        ) { (values, setting) throws(SettingRefusal) in
            let use: SandboxUse = try setting.choice()
            values.sandboxUse = use
            values.limits.requiresSandbox = use == .required
        }.atStart,
        .choice(
            "light", \.light,
            "How much brighter than white pictures may be, on screens that can show it: as much as the "
                + "screen can, at most twice as bright, or not at all."),
        SettingEntry(
            "decode.screen_profile", values: "FILE",
            "The ICC profile of the screen. Without one, colours are converted to sRGB.",
            value: { $0.screenProfile.map { .string($0.description) } }
        ) { (values, setting) throws(SettingRefusal) in
            let path = try setting.text(localized("the path of a file"))
            values.screenProfile = path.isEmpty ? nil : FilePath(path)
        }.atStart,
    ]

    private static func megapixels(
        _ name: String, _ path: any WritableKeyPath<SettingValues, Int> & Sendable,
        _ documentation: String
    ) -> SettingEntry<SettingValues> {
        SettingEntry(
            name, values: "0…\(PictureLimits.pixels / 1_000_000)", documentation,
            value: { .integer($0[keyPath: path] / 1_000_000) }
        ) { (values, setting) throws(SettingRefusal) in
            values[keyPath: path] =
                try number(setting, upTo: PictureLimits.pixels / 1_000_000) * 1_000_000
        }
    }

    private static func mebibytes(
        _ name: String, values: String, least: Int = 0,
        value: @escaping @Sendable (SettingValues) -> TOMLValue?, _ documentation: String,
        store: @escaping @Sendable (inout SettingValues, Int) -> Void
    ) -> SettingEntry<SettingValues> {
        SettingEntry(name, values: values, documentation, value: value) {
            (values, setting) throws(SettingRefusal) in
            store(&values, try number(setting, from: least, upTo: 1 << 24) << 20)
        }
    }

    private static func number(
        _ setting: Setting, from least: Int = 0, upTo most: Int
    ) throws(SettingRefusal) -> Int {
        guard let number = setting.integer, (least...most).contains(number) else {
            throw setting.refusal(localized("a whole number from \(least) to \(most)"))
        }
        return number
    }
}
