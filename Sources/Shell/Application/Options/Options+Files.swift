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
        let longest = headless.viewport == nil ? Self.longestWait : Self.longestHeadlessWait
        let found = settingSources.reader?.fetch(within: longest)
        guard found != nil || settingSources.input != nil else { return }
        let files = found ?? []
        if let file = settingSources.input ?? files.last, file.path == settingSources.file,
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
        let formerOrder = values.collection.order.key
        values.reset()
        settingSources.origins = [:]
        var problems: [String] = []
        for file in files + [settingSources.input].compactMap(\.self) {
            switch file.content {
            case .bytes(let bytes): problems += apply(TOMLDocument(bytes), of: file.path)
            case .failed(let error): problems.append("\(file.path): \(error.settingsMessage)")
            case .untrusted(let distrust): problems.append(distrust.text(of: "\(file.path)"))
            }
        }
        restoreKeptChoices()
        for setting in settingSources.overrides { try? values.set(setting) }
        completeSettings()
        // An order at random stays as it is when settings are read again.
        if formerOrder.name == values.collection.order.key.name {
            values.collection.order.key = formerOrder
        }
        return problems
    }

    private mutating func apply(_ document: TOMLDocument, of path: FilePath) -> [String] {
        var problems = document.problems.map { problem in
            (problem.line, "\(problem.key.map { $0 + ": " } ?? "")\(problem.reason)")
        }
        for entry in document.entries {
            do throws(SettingRefusal) {
                try values.set(Setting(entry.name, entry.value))
                settingSources.origins[entry.name] = path
            } catch { problems.append((entry.line, "\(error.name): \(error.problem)")) }
        }
        return problems.sorted { $0.0 < $1.0 }.prefix(TOMLDocument.mostProblems).map {
            "\(path):\($0.0): \($0.1)"
        }
    }

    /// Sets what depends on the kind of the run, unless the settings say otherwise.
    ///
    /// A kiosk goes on showing pictures whose folder has vanished, and decodes none without a sandbox: nobody
    /// reads a warning there. A run without a window keeps turns in files only if the command line says so:
    /// a script that shows pictures is no reason to change them.
    mutating func completeSettings() {
        if isKiosk {
            values.collection.keepsVanished = true
            if values.sandboxUse == nil { values.limits.requiresSandbox = true }
        }
        if headless.viewport != nil,
            !settingSources.overrides.contains(where: { $0.name == "files.save_turns" })
        {
            values.savesTurns = false
        }
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
