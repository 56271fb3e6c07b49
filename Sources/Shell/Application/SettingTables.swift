import Folders
import Grid
import ImageTypes
import Interface
import Pacing
import Settings
import Viewer

/// The description of a setting for the help text and the man page.
struct SettingDescription {
    let name: String
    let values: String
    let documentation: String
    /// The default as a settings file writes it; empty if there is none.
    let text: String

    init<Root>(_ entry: SettingEntry<Root>, _ defaults: Root) {
        name = entry.name
        values = entry.values
        documentation = entry.documentation
        text = entry.text(defaults)
    }
}

extension Options {
    /// All settings, in the order of the documentation.
    static var settingDescriptions: [SettingDescription] {
        ViewerSettings.table.map { SettingDescription($0, ViewerSettings()) }
            + GridSettings.table.map { SettingDescription($0, GridSettings()) }
            + table.map { SettingDescription($0, Options()) }
            + FrameSettings.table.map { SettingDescription($0, FrameSettings()) }
            + LookSettings.table.map { SettingDescription($0, LookSettings()) }
    }

    /// Stores a setting written as KEY=VALUE in the structure that its name belongs to.
    mutating func set(_ text: String) throws(UsageError) {
        guard let equals = text.firstIndex(of: "=") else {
            throw UsageError(reason: "--set takes KEY=VALUE, not “\(text)”")
        }
        let (name, value) = (
            String(text[..<equals]), String(text[text.index(after: equals)...])
        )
        do throws(SettingRefusal) {
            switch name.prefix(while: { $0 != "." }) {
            case "grid", "peek": try gridSettings.set(name, to: value)
            case "frames": try frames.set(name, to: value)
            case "interface": try looks.set(name, to: value)
            case "collection", "decode": try Self.table.set(name, to: value, in: &self)
            default: try settings.set(name, to: value)
            }
        } catch { throw UsageError(reason: "--set: \(error.reason)") }
    }

    /// The settings `collection.*` and `decode.*`.
    static let table: [SettingEntry<Options>] = [
        .flag(
            "collection.recursive", \.collection.isRecursive,
            "Whether pictures in subfolders are listed."),
        SettingEntry(
            "collection.sort", values: "name|taken|modified|size|random",
            "The order of the pictures.", text: { $0.collection.order.key.name }
        ) { (options, setting) throws(SettingRefusal) in
            let keys: [ListingOrder.Key] = [
                .name, .taken, .modified, .size,
                .random(seed: UInt64.random(in: 0...UInt64.max)),
            ]
            guard let key = keys.first(where: { $0.name == setting.text }) else {
                throw setting.refusal("one of name, taken, modified, size, random")
            }
            options.collection.order.key = key
        },
        .flag(
            "collection.descending", \.collection.order.isReversed, "Whether the order is reversed."
        ),
        .integer(
            "collection.remote_interval", 1...3600, \.collection.remoteInterval,
            "How often, in seconds, a folder on a network share is looked at for changes, of which the "
                + "system does not tell. New files are shown when they no longer grow."),
        SettingEntry(
            "collection.sections", values: "none|folder|month",
            "The headings of the grid.", text: { $0.sections.rawValue }
        ) { (options, setting) throws(SettingRefusal) in
            options.sections = try setting.choice()
            options.collection.wantsDetails = options.sections == .month
        },
        megapixels(
            "decode.max_megapixels", \.limits.pixels,
            "Larger pictures are refused, unless they can be decoded in tiles or kept on the disk. "
                + "For OpenEXR the limit is a quarter."),
        mebibytes(
            "decode.max_memory", values: "MiB for a picture's pixels", text: { _ in "" },
            "Pictures whose pixels need more memory are refused."
        ) { options, bytes in options.limits.limit(bytes: bytes) },
        mebibytes(
            "decode.memory", values: "MiB for the pixels of all pictures", least: 16,
            text: { $0.memory.map { "\($0 >> 20)" } ?? "" },
            "Memory for the pixels of the shown picture, its neighbours, frames and tiles. Neighbours "
                + "beyond it are not decoded ahead; a picture beyond it is decoded in tiles, kept on "
                + "the disk, or refused. By default a quarter of the memory, at most 3072."
        ) { options, bytes in options.memory = bytes },
        mebibytes(
            "decode.max_disk", values: "MiB for a picture too large for memory",
            text: { "\($0.limits.disk >> 20)" },
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
                + "(required).",
            text: { $0.limits.requiresSandbox ? "required" : "wanted" }
        ) { (options, setting) throws(SettingRefusal) in
            let use: SandboxUse = try setting.choice()
            options.limits.requiresSandbox = use == .required
        },
        SettingEntry(
            "decode.screen_profile", values: "FILE",
            "The ICC profile of the screen. Without one, colours are converted to sRGB.",
            text: { $0.screenProfile?.description ?? "" }
        ) { (options, setting) in
            options.screenProfile = setting.text.isEmpty ? nil : FilePath(String(setting.text))
        },
    ]

    private static func megapixels(
        _ name: String, _ path: any WritableKeyPath<Options, Int> & Sendable,
        _ documentation: String
    ) -> SettingEntry<Options> {
        SettingEntry(
            name, values: "0…\(PictureLimits.pixels / 1_000_000)", documentation,
            text: { "\($0[keyPath: path] / 1_000_000)" }
        ) { (options, setting) throws(SettingRefusal) in
            options[keyPath: path] =
                try number(setting, upTo: PictureLimits.pixels / 1_000_000) * 1_000_000
        }
    }

    private static func mebibytes(
        _ name: String, values: String, least: Int = 0,
        text: @escaping @Sendable (Options) -> String, _ documentation: String,
        store: @escaping @Sendable (inout Options, Int) -> Void
    ) -> SettingEntry<Options> {
        SettingEntry(name, values: values, documentation, text: text) {
            (options, setting) throws(SettingRefusal) in
            store(&options, try number(setting, from: least, upTo: 1 << 24) << 20)
        }
    }

    private static func number(
        _ setting: Setting, from least: Int = 0, upTo most: Int
    ) throws(SettingRefusal) -> Int {
        guard let number = Int(setting.text), (least...most).contains(number) else {
            throw setting.refusal("a whole number from \(least) to \(most)")
        }
        return number
    }
}
