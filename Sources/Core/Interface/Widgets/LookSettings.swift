import Localization
package import SceneModel
package import Settings
import TOML

/// The user's settings of how the interface looks: `interface.*`.
///
/// By default the interface looks as the desktop is set.
package struct LookSettings: Hashable, Sendable {
    package enum Colors: String, CaseIterable, Hashable, Sendable { case desktop, dark, light }
    package enum Contrast: String, CaseIterable, Hashable, Sendable { case desktop, normal, high }

    package enum Motion: String, CaseIterable, Hashable, Sendable {
        case desktop, full
        /// No animation lasts longer than a frame, cross-fades excepted.
        case reduced
    }

    package var colors = Colors.desktop
    package var contrast = Contrast.desktop
    /// The factor of the text size; nil for the desktop's.
    package var textScale: Double?
    package var motion = Motion.desktop

    package init() {}

    /// The theme on a desktop with the settings of the arguments.
    package func theme(
        desktop scheme: Theme.Scheme, isHighContrast: Bool = false, accent: Color? = nil,
        textScale: Double = 1, isRightToLeft: Bool
    ) -> Theme {
        let scheme =
            switch colors {
            case .desktop: scheme
            case .dark: Theme.Scheme.dark
            case .light: Theme.Scheme.light
            }
        return Theme(
            scheme, isHighContrast: contrast == .desktop ? isHighContrast : contrast == .high,
            accent: accent, textScale: self.textScale ?? textScale, isRightToLeft: isRightToLeft)
    }

    /// Whether motions end within a frame, on a desktop that asks for that or does not.
    package func reducesMotion(desktop: Bool) -> Bool {
        motion == .desktop ? desktop : motion == .reduced
    }

    /// The settings `interface.*`.
    package static let table: [SettingEntry<LookSettings>] = [
        .choice("interface.colors", \.colors, "The colours of the interface."),
        .choice("interface.contrast", \.contrast, "The contrast of the interface."),
        SettingEntry(
            "interface.text_scale",
            values: "desktop|\(Theme.textScales.lowerBound)…\(Theme.textScales.upperBound)",
            "The factor by which texts of the interface are larger than usual.",
            value: { $0.textScale.map { .number($0) } ?? .string("desktop") }
        ) { (settings, setting) throws(SettingRefusal) in
            if setting.value == .string("desktop") {
                settings.textScale = nil
            } else if let scale = setting.number, Theme.textScales.contains(scale) {
                settings.textScale = scale
            } else {
                throw setting.refusal(
                    localized(
                        "desktop, or a number from \(Theme.textScales.lowerBound) to "
                            + "\(Theme.textScales.upperBound)"))
            }
        },
        .choice(
            "interface.motion", \.motion,
            "Whether animations are shown in full or reduced to cross-fades. By default as the desktop "
                + "asks for."),
    ]
}
