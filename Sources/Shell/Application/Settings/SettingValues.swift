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

/// The values of all settings: those of the settings files, of the command line, and of a person.
///
/// A new setting is a property of its part and a row in the table of the part. Everything else follows from
/// the rows: reading, documentation, the settings page, and whether a running viewer applies a change.
struct SettingValues: Hashable {
    var viewer = ViewerSettings()
    var grid = GridSettings()
    var kiosk = KioskSettings()
    var frames = FrameSettings()
    var looks = LookSettings()
    var commands = OwnCommandSettings()
    var keys = KeySettings()
    /// Which pictures are listed, and in which order.
    var collection = ListingOptions()
    var sections = SectionKind.folder
    /// Whether turns and flips are kept in the files.
    var savesTurns = true
    /// Whether a slideshow is a media player of the desktop.
    var offersMediaControls = true
    /// The largest pictures that are decoded.
    var limits = DecodeLimits.standard
    /// What `decode.sandbox` says; nil unless it is set.
    var sandboxUse: SandboxUse?
    /// The most memory for the pixels of all pictures, in bytes; nil for a share of the machine's.
    var memory: Int?
    /// The path of the display's ICC profile; nil means sRGB.
    var screenProfile: FilePath?
    var light = LightUse.full

    /// All settings with a name of their own, in the order of the documentation.
    static let table: [SettingEntry<SettingValues>] =
        ViewerSettings.table.map { $0.inside(\.viewer) }
        + GridSettings.table.map { $0.inside(\.grid) }
        + KioskSettings.table.map { $0.inside(\.kiosk) } + ownTable
        + FrameSettings.table.map { $0.inside(\.frames) }
        + LookSettings.table.map { $0.inside(\.looks) }

    private static let rows = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0) })

    /// Sets a setting; throws where no row has the name, or where the setting does not take the value.
    mutating func set(_ setting: Setting) throws(SettingRefusal) {
        if let row = Self.rows[setting.name] {
            try row.parse(setting, into: &self)
        } else if OwnCommandSettings.has(setting) {
            try commands.set(setting)
        } else if KeySettings.has(setting.name) {
            try keys.set(setting)
        } else {
            throw setting.unknown(Self.descriptions.map(\.name))
        }
    }

    /// The value of a setting; nil if there is none.
    func value(of name: String) -> TOMLValue? { Self.rows[name]?.value(self) }

    /// Whether a running viewer can change the setting.
    static func isLive(_ name: String) -> Bool {
        rows[name]?.isLive ?? KeySettings.has(name)
    }

    /// The names of the settings that differ from those of other values.
    func differences(from other: SettingValues) -> [String] {
        zip(descriptions, other.descriptions).filter { $0.value != $1.value }.map(\.0.name)
    }

    /// Sets all settings back to their defaults, apart from what no settings file says.
    mutating func reset() {
        let (reducesMotion, seed) = (viewer.reducedMotion, viewer.slideshow.seed)
        self = SettingValues()
        viewer.reducedMotion = reducesMotion
        viewer.slideshow.seed = seed
    }

    // MARK: Documentation

    /// All settings with their defaults, in the order of the documentation.
    static var descriptions: [SettingDescription] { SettingValues().descriptions }

    /// All settings with these values; those without a table come first, as a file has to have them.
    var descriptions: [SettingDescription] {
        let all =
            Self.table.map { SettingDescription($0, self) } + OwnCommandSettings.descriptions
            + KeySettings.descriptions
        let isAlone: (SettingDescription) -> Bool = { !$0.name.contains(".") }
        return all.filter(isAlone) + all.filter { !isAlone($0) }
    }
}

/// The description of a setting for the help text and the man page.
struct SettingDescription {
    let name: String
    let values: String
    let documentation: String
    /// The value, or the default; nil if there is none.
    let value: TOMLValue?

    init(_ entry: SettingEntry<SettingValues>, _ values: SettingValues) {
        name = entry.name
        self.values = entry.values
        documentation = entry.documentation
        value = entry.value(values)
    }

    /// A setting without a default.
    init(name: String, values: String, documentation: String) {
        (self.name, self.values, self.documentation, value) = (name, values, documentation, nil)
    }
}
