package import Geometry
import WaylandProtocol

/// The properties of a screen that a window needs.
package final class Output {
    /// Device pixels per logical pixel, an integer.
    package private(set) var scale = 1
    /// The size in device pixels, after the rotation of the screen; zero while unknown.
    package var pixelSize: PixelSize { isTransposed ? mode.transposed : mode }
    /// The size in logical pixels at the integer scale.
    package var logicalSize: Size { pixelSize.size * (1 / Double(scale)) }

    /// The refresh period of the current mode, in milliseconds; nil while unknown.
    private(set) var refresh: Double?

    let name: UInt32
    let raw: WlOutput
    private let changed: () -> Void
    private var mode = PixelSize.zero
    private var isTransposed = false
    /// Plausible refresh periods, in milliseconds; frames cannot be planned by any other.
    private static let periods = 1.0...200

    init(name: UInt32, raw: WlOutput, changed: @escaping () -> Void) {
        self.name = name
        self.raw = raw
        self.changed = changed
        raw.onEvent = { [weak self] in self?.receive($0) }
    }

    deinit {
        // Version 3 added the release request; older objects are only destroyed on this side.
        raw.release()
    }

    private func receive(_ event: WlOutput.Event) {
        switch event {
        case .geometry(_, _, _, _, _, _, _, let transform):
            isTransposed = [._90, ._270, .flipped90, .flipped270].contains(transform)
        case .mode(let flags, let width, let height, let millihertz):
            guard flags.contains(.current) else { return }
            let period = 1_000_000 / Double(millihertz)
            refresh = Self.periods.contains(period) ? period : nil
            mode = PixelSize(width: max(0, Int(width)), height: max(0, Int(height)))
        case .scale(let factor): scale = max(1, Int(factor))
        case .done: return changed()
        case .name, .description: return
        }
        // Version 1 has no `done` event to end a batch.
        if raw.version < 2 { changed() }
    }
}
