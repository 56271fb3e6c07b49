import FileAccess
import Folders
import Settings
import TOML

/// A choice of a person that the settings files may not have.
struct KeptChoice: Equatable {
    var value: TOMLValue
    /// What the settings files said when the person chose; nil if the setting had no value.
    var filed: TOMLValue?
}

/// Where the values of the settings come from.
struct SettingSources {
    /// The settings of the command line, in their order.
    var overrides: [Setting] = []
    /// Choices that the settings files may not have, by the names of the settings.
    var keptChoices: [String: KeptChoice] = [:]
    /// The names of the settings of the command line, which a person cannot change meanwhile.
    private(set) var fixed: Set<String> = []
    /// The files that the settings were read from, by the names of the settings.
    var origins: [String: FilePath] = [:]
    /// Reads and watches the settings files; nil if there are none.
    private(set) var reader: SettingsFiles?
    /// The settings file of `--config`.
    var file: FilePath?
    /// What was read of a settings file that names a descriptor of this process.
    var input: SettingsFiles.File?
    /// The folder of the settings files of the user; nil if none are read.
    var folder: FilePath?

    /// The folder whose file keeps what a person chooses; nil for a run with settings of its own.
    var ownFolder: FilePath? { file == nil ? folder : nil }

    /// Gives a setting of the command line priority over settings files, and over the settings page.
    mutating func fix(_ setting: Setting) {
        override(setting)
        fixed.insert(setting.name)
    }

    /// Gives a setting priority over settings files.
    mutating func override(_ setting: Setting) {
        overrides.removeAll { $0.name == setting.name }
        overrides.append(setting)
    }

    /// Starts reading the settings files, and watching them if `watches`; does nothing if there are none.
    mutating func startReading(_ files: FileClient?, watches: Bool) {
        let file = input == nil ? file : nil
        guard folder != nil || file != nil, let files else { return }
        reader = SettingsFiles(
            folder: folder, extra: file, socket: files.connectFolders(), watches: watches)
    }
}
