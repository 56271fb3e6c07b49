import Folders
import Interface
import Localization
import SceneModel
import Settings
import TOML
import Viewer
import WaylandClient

/// The settings page, from the options and back.
extension Options {
    /// Where the changes of the page go.
    enum SettingsStorage: Equatable {
        /// Nowhere: they last until the program ends.
        case run
        /// To `config.toml` in this folder, which cannot be changed if there is an `obstacle`.
        case file(FilePath, obstacle: String?)
    }

    /// The page with the values of these options, and the luminance of the screen; nil if the compositor does not
    /// tell the luminance.
    func settingsPage(
        _ storage: SettingsStorage, screen: ScreenLight? = nil
    ) -> SettingsPage {
        let (now, standards) = (values.byName, SettingValues().byName)
        func section(
            _ section: (title: String, entries: [SettingsPage.Entry]),
            _ value: (SettingsPage.Entry) -> (now: TOMLValue, standard: TOMLValue)?
        ) -> SettingsPage.Section {
            SettingsPage.Section(
                section.title,
                section.entries.compactMap { entry in
                    guard let value = value(entry) else { return nil }
                    return SettingsPage.Row(
                        described(entry, screen), value: value.now, standard: value.standard,
                        obstacle: obstacle(to: entry.name, storage))
                })
        }
        return SettingsPage(
            SettingsPage.entries.map { entries in
                section(entries) { entry in
                    guard let value = now[entry.name], let standard = standards[entry.name]
                    else { return nil }
                    return (value, standard)
                }
            },
            keys: SettingsPage.keyEntries.map { entries in
                section(entries) { entry in
                    entry.command.map { (values.keys.value(of: $0), KeySettings.standard) }
                }
            }, ownCommands: values.commands.namesByKey,
            note: storage == .run ? localized("Changes last until the program ends.") : "")
    }

    /// The entry of the light with what the screen can do; any other entry as it is.
    private func described(
        _ entry: SettingsPage.Entry, _ screen: ScreenLight?
    ) -> SettingsPage.Entry {
        guard entry.name == "light", let screen, screen.isKnown else { return entry }
        let luminance = "\(Int(screen.brightest.rounded()))"
        let times = Translation.decimal("\((screen.headroom * 10).rounded() / 10)")
        return SettingsPage.Entry(
            entry.name, entry.title,
            localized("This screen: \(luminance) cd/m², \(times) × the light of white."),
            entry.control)
    }

    /// Why a setting cannot be changed on the page; nil if it can.
    private func obstacle(to name: String, _ storage: SettingsStorage) -> String? {
        if settingSources.fixed.contains(name) { return localized("Set on the command line.") }
        guard case .file(let folder, let obstacle) = storage else { return nil }
        if let obstacle { return obstacle }
        let own = folder.appending(SettingsFiles.ownName)
        guard let file = settingSources.origins[name], file != own else { return nil }
        return localized("Set in \(file.lastName.shortName.isolated), which has priority.")
    }

    /// Changes settings as a person has asked for on the page; returns them with their new values.
    ///
    /// With `lasts`, the settings stay when settings files are read again.
    mutating func change(_ change: SettingChange, lasts: Bool) -> [StoredSetting] {
        let changes: [StoredSetting]
        switch change {
        case .set(let name, let value): changes = [(name, value)]
        case .reset(let names):
            let standards = SettingValues().byName
            changes = names.compactMap { name in
                let standard = KeySettings.has(name) ? KeySettings.standard : standards[name]
                return standard.map { (name, $0) }
            }
        }
        return changes.filter { name, value in
            guard SettingValues.isLive(name), !settingSources.fixed.contains(name) else {
                return false
            }
            let setting = Setting(name, value)
            do throws(SettingRefusal) { try values.set(setting) } catch { return false }
            settingSources.overrides.removeAll { $0.name == name }
            if lasts { settingSources.override(setting) }
            return true
        }
    }
}

extension SettingValues {
    /// The values of the settings that have one, by their names.
    fileprivate var byName: [String: TOMLValue] {
        Dictionary(
            descriptions.compactMap { setting in setting.value.map { (setting.name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }
}

extension FilePath {
    /// The name of the file, as a text.
    fileprivate var lastName: String {
        String(decoding: bytes[parentPrefix.count...], as: UTF8.self)
    }
}
