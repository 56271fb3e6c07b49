import SceneModel
import Settings
import WaylandClient

/// Frames that are brighter than white, on screens that can show them.
extension WindowController {
    /// Decodes gain planes where the screen has headroom, or may have.
    func followLight() {
        guard let window else { return }
        let use = session.options.values.light
        window.limitHeadroom(to: use.headroom)
        let mayHaveHeadroom = window.mayHaveLight && !window.knowsLight
        session.setWantsGains(use != .off && (mayHaveHeadroom || window.headroom != nil))
        frames.headroom = window.headroom
        if frames.isBright { frames.repaint() }
    }

    /// The headroom of the deep pixels of a frame; nil for a frame of 8 bits.
    ///
    /// Deep pixels are opaque, so a frame that shows what is behind the window has none.
    func headroom(for scene: Scene) -> Double? {
        guard let window, canvas == nil, scene.isLit, scene.backdrop >= 1 else { return nil }
        return window.headroom
    }
}
