import Folders
import Grid
import ImageTypes
import Interface
import Kiosk
import Localization
import Pacing
import Settings
import TOML
import Viewer

/// The description of a setting for the help text and the man page.
struct SettingDescription {
    let name: String
    let values: String
    let documentation: String
    /// The value, or the default; nil if there is none.
    let value: TOMLValue?

    init<Root>(_ entry: SettingEntry<Root>, _ defaults: Root) {
        name = entry.name
        values = entry.values
        documentation = entry.documentation
        value = entry.value(defaults)
    }

    /// A setting without a default.
    init(name: String, values: String, documentation: String) {
        (self.name, self.values, self.documentation, value) = (name, values, documentation, nil)
    }
}

extension Array {
    fileprivate func has<Root>(_ setting: Setting) -> Bool where Element == SettingEntry<Root> {
        contains { $0.name == setting.name }
    }
}

extension Options {
    /// All settings, in the order of the documentation.
    static var settingDescriptions: [SettingDescription] { descriptions(of: Options()) }

    /// All settings with the values of these options.
    static func descriptions(of options: Options) -> [SettingDescription] {
        ViewerSettings.table.map { SettingDescription($0, options.settings) }
            + GridSettings.table.map { SettingDescription($0, options.gridSettings) }
            + KioskSettings.table.map { SettingDescription($0, options.kiosk) }
            + table.map { SettingDescription($0, options) }
            + FrameSettings.table.map { SettingDescription($0, options.frames) }
            + LookSettings.table.map { SettingDescription($0, options.looks) }
            + OwnCommandSettings.descriptions + KeySettings.descriptions
    }

    /// Stores a setting written as KEY=VALUE, which has priority over settings files.
    mutating func set(_ text: String) throws(UsageError) {
        guard let equals = text.firstIndex(of: "=") else {
            throw UsageError(reason: localized("--set takes KEY=VALUE, not “\(text)”"))
        }
        let setting = Setting(
            String(text[..<equals]), written: String(text[text.index(after: equals)...]))
        do throws(SettingRefusal) {
            try set(setting)
        } catch { throw UsageError(reason: "--set: \(error.reason)") }
        fix(setting)
    }

    /// Gives a setting of the command line priority over settings files, and over the settings page.
    mutating func fix(_ setting: Setting) {
        override(setting)
        fixedSettings.insert(setting.name)
    }

    /// Gives a setting priority over settings files.
    mutating func override(_ setting: Setting) {
        overrides.removeAll { $0.name == setting.name }
        overrides.append(setting)
    }

    /// Stores a setting in the structure that its name belongs to.
    mutating func set(_ setting: Setting) throws(SettingRefusal) {
        if GridSettings.table.has(setting) {
            try gridSettings.set(setting)
        } else if KioskSettings.table.has(setting) {
            try kiosk.set(setting)
        } else if FrameSettings.table.has(setting) {
            try frames.set(setting)
        } else if LookSettings.table.has(setting) {
            try looks.set(setting)
        } else if Self.table.has(setting) {
            try Self.table.set(setting, in: &self)
        } else if ViewerSettings.table.has(setting) {
            try settings.set(setting)
        } else if OwnCommandSettings.has(setting) {
            try commands.set(setting)
        } else if KeySettings.has(setting.name) {
            try keys.set(setting)
        } else {
            throw setting.unknown(Self.settingDescriptions.map(\.name))
        }
    }

    /// The settings `control.*`, `files.*`, `collection.*` and `decode.*`.
    static let table: [SettingEntry<Options>] = [
        .flag(
            "control.mpris", \.offersMediaControls,
            "Whether media keys, lock screens and programs such as playerctl control a slideshow, by "
                + "MPRIS on the session bus."),
        .flag(
            "files.save_turns", \.savesTurns,
            "Whether turns and flips by keys and buttons are kept in the files; else they last as long as "
                + "the picture is shown. With --headless only where --set says so."),
        .flag(
            "collection.recursive", \.collection.isRecursive,
            "Whether pictures in subfolders are listed."),
        SettingEntry(
            "collection.sort", values: "name|taken|modified|size|rating|random",
            "The order of the pictures.", value: { .string($0.collection.order.key.name) }
        ) { (options, setting) throws(SettingRefusal) in
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
            guard name != options.collection.order.key.name else { return }
            options.collection.order.key = key
        },
        .flag(
            "collection.descending", \.collection.order.isReversed, "Whether the order is reversed."
        ),
        .integer(
            "collection.remote_interval", 1...3600, \.collection.remoteInterval,
            "How often, in seconds, a folder is looked at if the system does not tell of its changes: "
                + "one on a network share, on FUSE or on an overlay, and any folder once the limits of "
                + "inotify are reached. New files are shown when they no longer grow."),
        SettingEntry(
            "collection.sections", values: "none|folder|month",
            "The headings of the grid.", value: { .string($0.sections.rawValue) }
        ) { (options, setting) throws(SettingRefusal) in
            options.sections = try setting.choice()
            options.collection.wantsDetails = options.sections == .month
        },
        megapixels(
            "decode.max_megapixels", \.limits.pixels,
            "Larger pictures are refused, unless they can be decoded in tiles or kept on the disk. "
                + "For OpenEXR the limit is a quarter."),
        mebibytes(
            "decode.max_memory", values: "MiB for a picture's pixels", value: { _ in nil },
            "Pictures whose pixels need more memory are refused."
        ) { options, bytes in options.limits.limit(bytes: bytes) },
        mebibytes(
            "decode.memory", values: "MiB for the pixels of all pictures", least: 16,
            value: { $0.memory.map { .integer($0 >> 20) } },
            "Memory for the pixels of the shown picture, its neighbours, frames and tiles. Neighbours "
                + "beyond it are not decoded ahead; a picture beyond it is decoded in tiles, kept on "
                + "the disk, or refused. By default a quarter of the memory, at most 3072."
        ) { options, bytes in options.memory = bytes },
        mebibytes(
            "decode.max_disk", values: "MiB for a picture too large for memory",
            value: { .integer($0.limits.disk >> 20) },
            "Disk space that one picture may take while it is shown."
        ) { options, bytes in options.limits.disk = bytes },
        megapixels(
            "decode.parts_from_megapixels", \.limits.wholePixels,
            "Larger JPEGs are decoded in tiles: an overview first, then the visible tiles. Larger "
                + "pictures of other formats are kept in a file on the disk while they are shown, "
                + "where the library of the format can decode row by row. Animations among them "
                + "stand still."),
        SettingEntry(
            "decode.sandbox", values: "wanted|required",
            "Whether pictures are decoded, with a warning, where the system refuses a part of the "
                + "sandbox (wanted), or not at all without its limits, namespaces, Landlock and seccomp "
                + "(required). A kiosk has required unless this is set.",
            value: { .string($0.limits.requiresSandbox ? "required" : "wanted") }
        ) { (options, setting) throws(SettingRefusal) in
            let use: SandboxUse = try setting.choice()
            options.sandboxUse = use
            options.limits.requiresSandbox = use == .required
        },
        SettingEntry(
            "decode.screen_profile", values: "FILE",
            "The ICC profile of the screen. Without one, colours are converted to sRGB.",
            value: { $0.screenProfile.map { .string($0.description) } }
        ) { (options, setting) throws(SettingRefusal) in
            let path = try setting.text(localized("the path of a file"))
            options.screenProfile = path.isEmpty ? nil : FilePath(path)
        },
    ]

    private static func megapixels(
        _ name: String, _ path: any WritableKeyPath<Options, Int> & Sendable,
        _ documentation: String
    ) -> SettingEntry<Options> {
        SettingEntry(
            name, values: "0…\(PictureLimits.pixels / 1_000_000)", documentation,
            value: { .integer($0[keyPath: path] / 1_000_000) }
        ) { (options, setting) throws(SettingRefusal) in
            options[keyPath: path] =
                try number(setting, upTo: PictureLimits.pixels / 1_000_000) * 1_000_000
        }
    }

    private static func mebibytes(
        _ name: String, values: String, least: Int = 0,
        value: @escaping @Sendable (Options) -> TOMLValue?, _ documentation: String,
        store: @escaping @Sendable (inout Options, Int) -> Void
    ) -> SettingEntry<Options> {
        SettingEntry(name, values: values, documentation, value: value) {
            (options, setting) throws(SettingRefusal) in
            store(&options, try number(setting, from: least, upTo: 1 << 24) << 20)
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
