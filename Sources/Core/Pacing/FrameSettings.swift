package import Settings

/// What a person may choose of how frames are painted, by the names of the settings file.
package struct FrameSettings: Hashable, Sendable {
    /// Whether frames in motion have fewer pixels where the machine is too slow for all of them.
    package var adaptiveResolution = true
    /// How pictures are shown at rest.
    package enum Rest: String, CaseIterable, Hashable, Sendable {
        /// As in motion.
        case plain
        /// Through a better filter.
        case sharp
        /// The same, averaging light.
        case linear
    }

    package var rest = Rest.sharp
    /// Whether frames are begun as late as is safe, so that they show newer input.
    package var holdBack = true

    package init() {}

    /// Every setting's name with the values it takes.
    package static let names: [(name: String, values: String)] = [
        ("frames.adaptive_resolution", "true|false"),
        ("frames.hold_back", "true|false"),
        ("frames.rest", "plain|sharp|linear"),
    ]

    /// Takes `value`, as written in a settings file or after `--set KEY=`; quotes are allowed.
    package mutating func set(_ name: String, to value: String) throws(SettingRefusal) {
        let setting = Setting(name, value)
        switch name {
        case "frames.adaptive_resolution": adaptiveResolution = try setting.flag()
        case "frames.hold_back": holdBack = try setting.flag()
        case "frames.rest": rest = try setting.choice()
        default: throw setting.unknown(Self.names)
        }
    }
}
