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
        settingSources.fix(setting)
    }

    /// Takes over what a person has chosen by a command; returns the settings that are to be stored.
    ///
    /// A setting of the command line is for this run, so another choice is, too. Any other choice is kept
    /// until the settings files say something else than before: they get the choice a little later, or never
    /// if the file cannot be written, if another file decides, or if the choice is not stored.
    mutating func choose(_ chosen: [StoredSetting]) -> [StoredSetting] {
        chosen.filter { name, value in
            let (setting, former) = (Setting(name, value), values.value(of: name))
            do throws(SettingRefusal) { try values.set(setting) } catch { return false }
            guard !settingSources.fixed.contains(name) else {
                settingSources.override(setting)
                return false
            }
            settingSources.overrides.removeAll { $0.name == name }
            let filed = settingSources.keptChoices[name].map(\.filed) ?? former
            settingSources.keptChoices[name] = KeptChoice(value: value, filed: filed)
            return true
        }
    }

    /// Sets the kept choices anew after settings files were read, apart from those that the files have
    /// changed.
    mutating func restoreKeptChoices() {
        for (name, choice) in settingSources.keptChoices {
            if values.value(of: name) == choice.filed {
                try? values.set(Setting(name, choice.value))
            } else {
                settingSources.keptChoices[name] = nil
            }
        }
    }

    /// Takes over an order that a person has chosen; returns the settings that are to be stored.
    ///
    /// An order at random has another seed than the last one.
    mutating func sort(_ order: ListingOrder) -> [StoredSetting] {
        let former = values.collection.order
        var chosen: [StoredSetting] = []
        if order.key.name != former.key.name {
            chosen.append(("collection.sort", .string(order.key.name)))
        }
        if order.isReversed != former.isReversed {
            chosen.append(("collection.descending", .flag(order.isReversed)))
        }
        let stored = choose(chosen)
        values.collection.order = order
        return stored
    }
}
