package import Settings

extension Array {
    /// Stores a setting.
    ///
    /// Throws where no row has the name, or where the setting does not take the value.
    package func set<Root>(
        _ setting: Setting, in root: inout Root
    ) throws(SettingRefusal) where Element == SettingEntry<Root> {
        guard let entry = first(where: { $0.name == setting.name }) else {
            throw setting.unknown(map(\.name))
        }
        try entry.parse(setting, into: &root)
    }
}
