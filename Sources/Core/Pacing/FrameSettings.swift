package import Settings

/// The user's settings of how frames are painted: `frames.*`.
package struct FrameSettings: Hashable, Sendable {
    /// Whether frames in motion have a lower resolution where the machine is too slow for the full
    /// one.
    package var adaptiveResolution = true
    /// How pictures are shown at rest.
    package enum Rest: String, CaseIterable, Hashable, Sendable {
        /// As in motion, without refinement.
        case plain
        /// Refined: resampled through a better filter, in encoded values.
        case sharp
        /// Refined like `sharp`, in linear light.
        case linear
    }

    package var rest = Rest.sharp
    /// The processor's instructions that paint pictures.
    ///
    /// All give the same pixels.
    package enum Instructions: String, CaseIterable, Hashable, Sendable {
        /// The fastest ones.
        case best
        /// Those for vectors of 16 bytes at most.
        case simd
        /// Those that every processor has.
        case portable
    }

    package var instructions = Instructions.best
    /// Whether frames begin as late as is safe, so that they show newer input.
    package var holdBack = true

    package init() {}

    /// The settings `frames.*`.
    package static let table: [SettingEntry<FrameSettings>] = [
        .flag(
            "frames.adaptive_resolution", \.adaptiveResolution,
            "Whether frames in motion have fewer pixels where the machine is too slow for all "
                + "pixels. At rest every pixel is painted."),
        .flag(
            "frames.hold_back", \.holdBack,
            "Whether frames begin as late as is safe, to show newer input. Needs a compositor "
                + "that reports presentation times."),
        .choice(
            "frames.instructions", \.instructions,
            "The processor's instructions that paint pictures: best is the fastest ones; simd is "
                + "those for vectors of 16 bytes, which tablets have; portable is those of every "
                + "processor. The pixels are the same. For measurements."
        ).atStart,
        .choice(
            "frames.rest", \.rest,
            "How a picture at rest is resampled: plain as in motion; sharp by a Lanczos filter "
                + "when reduced and by a cubic filter when enlarged; linear as sharp, in linear "
                + "light."
        ).atStart,
    ]
}
