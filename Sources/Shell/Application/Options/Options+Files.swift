import FileAccess
import Folders
import Glibc
import ImageTypes
import Interface
import Grid
import Localization
import Pacing
import Settings
import SystemCalls
import TOML
import Viewer

/// Settings from files.
extension Options {
    /// The folder of the user's settings: below $XDG_CONFIG_HOME if that is an absolute path, else below
    /// ~/.config; nil without a home folder.
    ///
    /// Source: XDG Base Directory Specification 0.8.
    static var userConfigFolder: FilePath? {
        func variable(_ name: String) -> FilePath? {
            guard let value = getenv(name), value.pointee == CChar(bitPattern: 0x2F) else {
                return nil
            }
            return FilePath(Array(String(cString: value).utf8))
        }
        let home = variable("HOME")?.appending(Array(".config".utf8))
        return (variable("XDG_CONFIG_HOME") ?? home)?.appending(Array("vitrine".utf8))
    }

    /// Reads the settings files and reports their errors; files of a folder that does not answer are
    /// applied once it does.
    mutating func readSettings() throws(UsageError) {
        completeForKiosk()
        let longest = headless == nil ? Self.longestWait : Self.longestHeadlessWait
        let found = settingsReader?.fetch(within: longest)
        guard found != nil || configInput != nil else { return }
        let files = found ?? []
        if let file = configInput ?? files.last, file.path == configFile,
            case .failed(let error) = file.content
        {
            throw UsageError(reason: "--config: \(file.path): \(error.settingsMessage)")
        }
        for problem in applySettings(files) { Diagnostics.warning(problem) }
    }

    /// How long the start waits for settings, in milliseconds.
    private static let longestWait: Int32 = 250
    /// The same without a window, where nobody waits: a busy computer changes no result.
    private static let longestHeadlessWait: Int32 = 15_000

    /// Sets all settings anew: the defaults, then those of the files, then those of the command line.
    ///
    /// Returns the errors of the files, a line each.
    mutating func applySettings(_ files: [SettingsFiles.File]) -> [String] {
        let formerOrder = collection.order.key
        resetSettings()
        settingOrigins = [:]
        var problems: [String] = []
        for file in files + [configInput].compactMap(\.self) {
            switch file.content {
            case .bytes(let bytes): problems += apply(TOMLDocument(bytes), of: file.path)
            case .failed(let error): problems.append("\(file.path): \(error.settingsMessage)")
            case .untrusted(let distrust): problems.append(distrust.text(of: "\(file.path)"))
            }
        }
        for setting in overrides { try? set(setting) }
        completeForKiosk()
        // An order at random stays as it is when settings are read again.
        if formerOrder.name == collection.order.key.name { collection.order.key = formerOrder }
        return problems
    }

    private mutating func apply(_ document: TOMLDocument, of path: FilePath) -> [String] {
        var problems = document.problems.map { problem in
            (problem.line, "\(problem.key.map { $0 + ": " } ?? "")\(problem.reason)")
        }
        for entry in document.entries {
            do throws(SettingRefusal) {
                try set(Setting(entry.name, entry.value))
                settingOrigins[entry.name] = path
            } catch { problems.append((entry.line, "\(error.name): \(error.problem)")) }
        }
        return problems.sorted { $0.0 < $1.0 }.prefix(TOMLDocument.mostProblems).map {
            "\(path):\($0.0): \($0.1)"
        }
    }

    /// A kiosk goes on showing pictures whose folder has vanished, and decodes none without a sandbox
    /// unless the settings say so: nobody reads a warning there.
    mutating func completeForKiosk() {
        guard isKiosk else { return }
        collection.keepsVanished = true
        if sandboxUse == nil { limits.requiresSandbox = true }
    }

    private mutating func resetSettings() {
        let defaults = Options()
        let (reducesMotion, seed) = (settings.reducedMotion, settings.slideshow.seed)
        settings = defaults.settings
        settings.reducedMotion = reducesMotion
        settings.slideshow.seed = seed
        gridSettings = defaults.gridSettings
        kiosk = defaults.kiosk
        frames = defaults.frames
        looks = defaults.looks
        commands = defaults.commands
        keys = defaults.keys
        collection = defaults.collection
        savesTurns = defaults.savesTurns
        sections = defaults.sections
        (limits, sandboxUse) = (defaults.limits, nil)
        memory = defaults.memory
        screenProfile = defaults.screenProfile
        offersMediaControls = defaults.offersMediaControls
    }
}

extension Options {
    /// The names of the settings that differ from those of other options.
    func changedSettings(from other: Options) -> [String] {
        zip(Self.descriptions(of: self), Self.descriptions(of: other)).filter {
            $0.value != $1.value
        }
        .map(\.0.name)
    }

    /// Whether a running viewer can change the setting.
    static func isLive(_ name: String) -> Bool {
        guard !["kiosk.media", "kiosk.canvas"].contains(name) else { return false }
        return ["viewer.", "gestures.", "interface.", "peek.", "slideshow.", "kiosk.", "keys."]
            .contains {
                name.hasPrefix($0)
            }
            || [
                "grid.pinch", "files.save_turns", "collection.sort", "collection.descending",
                "frames.adaptive_resolution", "frames.hold_back",
            ].contains(name)
    }
}

extension SystemError {
    fileprivate var settingsMessage: String {
        switch code {
        case EFBIG: localized("more than 1 MiB, so nothing of it is used")
        case ENXIO: localized("not a file, so it is not read")
        case EISDIR: localized("a folder, so it is not read")
        default: pathMessage
        }
    }
}

extension SettingsFiles {
    /// Starts reading the files that the options name; nil if there are none.
    static func start(for options: Options, _ files: FileClient?) -> SettingsFiles? {
        let file = options.configInput == nil ? options.configFile : nil
        guard options.configFolder != nil || file != nil, let files else { return nil }
        return SettingsFiles(
            folder: options.configFolder, extra: file,
            socket: files.connectFolders(), watches: options.headless == nil)
    }
}

extension Distrust {
    /// Why a settings file is not used, and what to do.
    fileprivate func text(of path: String) -> String {
        switch self {
        case .writable:
            localized("\(path): not used, because others can change it; see chmod go-w")
        case .foreign(let owner):
            localized(
                "\(path): not used, because it belongs to \(owner); take it over with chown, or start "
                    + "vitrine as its owner")
        case .unmapped:
            localized(
                "\(path): not used, because its owner is unknown in this user namespace; map the "
                    + "owner there, or name a file of your own with --config")
        }
    }
}
