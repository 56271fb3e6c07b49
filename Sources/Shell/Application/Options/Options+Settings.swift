import Folders
import Localization
import Settings
import TOML

/// Settings of the command line and of a person, which have priority over settings files.
extension Options {
    /// Stores a setting written as KEY=VALUE, which has priority over settings files.
    mutating func set(_ text: String) throws(UsageError) {
        guard let equals = text.firstIndex(of: "=") else {
            throw UsageError(reason: localized("--set takes KEY=VALUE, not “\(text)”"))
        }
        let setting = Setting(
            String(text[..<equals]), written: String(text[text.index(after: equals)...]))
        do throws(SettingRefusal) {
            try values.set(setting)
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

    /// Takes over what a person has chosen by a command; returns the settings that are to be stored.
    ///
    /// A setting of the command line is for this run, so another choice is, too. With `lasts`, all choices
    /// stay when settings files are read again.
    mutating func choose(_ chosen: [StoredSetting], lasts: Bool) -> [StoredSetting] {
        chosen.filter { name, value in
            let setting = Setting(name, value)
            do throws(SettingRefusal) { try values.set(setting) } catch { return false }
            let isFixed = fixedSettings.contains(name)
            if lasts || isFixed { override(setting) }
            return !isFixed
        }
    }

    /// Takes over an order that a person has chosen; returns the settings that are to be stored.
    ///
    /// An order at random has another seed than the last one.
    mutating func sort(_ order: ListingOrder, lasts: Bool) -> [StoredSetting] {
        let former = values.collection.order
        var chosen: [StoredSetting] = []
        if order.key.name != former.key.name {
            chosen.append(("collection.sort", .string(order.key.name)))
        }
        if order.isReversed != former.isReversed {
            chosen.append(("collection.descending", .flag(order.isReversed)))
        }
        let stored = choose(chosen, lasts: lasts)
        values.collection.order = order
        return stored
    }
}
