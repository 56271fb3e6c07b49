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

    /// The name of the connector, such as "HDMI-A-1"; nil before version 4 of wl_output.
    package private(set) var name: String?
    package private(set) var make = ""
    package private(set) var model = ""
    /// Whether the compositor has described the screen.
    package private(set) var isKnown = false
    /// By which name people know the screen: that of the connector, else make and model, and a number
    /// from the second of the same model on.
    package var label: String {
        guard let name else { return (ordinal ?? 1) > 1 ? "\(kind)-\(ordinal ?? 1)" : kind }
        return name
    }

    /// Make and model in one word.
    var kind: String { "\(make) \(model)".split(separator: " ").joined(separator: "-") }

    /// The number among the screens of the same kind; nil for a screen with a name.
    var ordinal: Int?

    let global: UInt32
    let raw: WlOutput
    private let changed: () -> Void
    private let turned: (Output) -> Void
    private var mode = PixelSize.zero
    private var transform = WlOutput.Transform.normal
    private var isTransposed: Bool {
        [._90, ._270, .flipped90, .flipped270].contains(transform)
    }
    /// Whether the screen has turned since the last batch of properties.
    private var hasTurned = false
    /// Plausible refresh periods, in milliseconds; frames cannot be planned by any other.
    private static let periods = 1.0...200

    init(
        global: UInt32, raw: WlOutput, turned: @escaping (Output) -> Void,
        changed: @escaping () -> Void
    ) {
        self.global = global
        self.turned = turned
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
        case .geometry(_, _, _, _, _, let make, let model, let transform):
            (self.make, self.model) = (Self.short(make), Self.short(model))
            if isKnown, transform != self.transform { hasTurned = true }
            self.transform = transform
        case .mode(let flags, let width, let height, let millihertz):
            guard flags.contains(.current) else { return }
            let period = 1_000_000 / Double(millihertz)
            refresh = Self.periods.contains(period) ? period : nil
            mode = PixelSize(width: max(0, Int(width)), height: max(0, Int(height)))
        case .scale(let factor): scale = max(1, Int(factor))
        case .done: return finish()
        case .name(let name):
            self.name = Self.short(name)
            return
        case .description: return
        }
        // Version 1 has no `done` event to end a batch.
        if raw.version < 2 { finish() }
    }

    private func finish() {
        isKnown = true
        if hasTurned { turned(self) }
        hasTurned = false
        changed()
    }

    /// A name of a length that is fit for messages.
    private static func short(_ text: String) -> String { String(text.prefix(128)) }
}
