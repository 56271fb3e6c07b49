/// The resolution of frames in motion: what cross-fades cost is learned apart from all other frames.
///
/// A frame of a cross-fade paints two whole pictures, so the first frames of each fade would be late
/// at the resolution of the frames before, and the resolution would have to rise again after each fade.
package struct FrameGovernors: Hashable, Sendable {
    private var usual: ResolutionGovernor
    private var fades: ResolutionGovernor

    package init(for upscaler: Upscaler) {
        usual = ResolutionGovernor(for: upscaler)
        fades = usual
    }

    /// The resolution of the next frame in motion: samples per device pixel, along each side.
    package func resolution(inFade: Bool) -> Double {
        inFade ? fades.resolution : usual.resolution
    }

    /// Records a frame in motion, as `ResolutionGovernor` does.
    package mutating func painted(
        in duration: Double, budget: Double, at resolution: Double, isWhole: Bool, inFade: Bool
    ) {
        if inFade {
            fades.painted(in: duration, budget: budget, at: resolution, isWhole: isWhole)
        } else {
            usual.painted(in: duration, budget: budget, at: resolution, isWhole: isWhole)
        }
    }
}
