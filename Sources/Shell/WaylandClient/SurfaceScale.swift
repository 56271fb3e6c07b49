import Geometry
import WaylandProtocol

/// How many device pixels a logical pixel of one surface has, by the best of what the compositor
/// says: the fractional scale, else the preferred whole one, else the largest of the screens that
/// the surface is on, and before any of these that of the largest screen there is.
final class SurfaceScale {
    private let surface: WlSurface
    private unowned let connection: Connection
    private let changed: () -> Void
    private let fractional: WpFractionalScaleV1?
    /// Made when it is first needed: with a fractional scale, or for a buffer that is to be enlarged.
    private lazy var viewport = connection.globals.viewporter?.getViewport(surface: surface)
    private var hasViewport = false
    /// In 120ths.
    private var fractionalFactor: UInt32?
    private var preferredFactor: Int32?
    private var entered: [WlOutput] = []
    /// What the surface was last told, so that it is not told again.
    private var appliedDestination: Size?
    private var appliedFactor: Int32 = 1

    init(surface: WlSurface, connection: Connection, changed: @escaping () -> Void) {
        self.surface = surface
        self.connection = connection
        self.changed = changed
        // Without a viewport a fractional scale cannot be answered.
        fractional =
            connection.globals.viewporter == nil
            ? nil : connection.globals.fractionalScale?.getFractionalScale(surface: surface)
        fractional?.onEvent = { [weak self] in
            guard case .preferredScale(let factor) = $0, factor > 0 else { return }
            self?.fractionalFactor = factor
            self?.changed()
        }
        surface.onEvent = { [weak self] in self?.receive($0) }
    }

    /// Ends the objects that must not outlive the surface.
    func destroy() {
        fractional?.destroy()
        if hasViewport { viewport?.destroy() }
    }

    var value: Double {
        if let fractionalFactor { return Double(fractionalFactor) / 120 }
        if let preferredFactor { return Double(preferredFactor) }
        return Double(outputs.map(\.scale).max() ?? connection.largestOutput?.scale ?? 1)
    }

    /// The screens that the surface is on, as far as the compositor has said.
    var outputs: [Output] { entered.compactMap { connection.output($0) } }

    /// Whether the compositor enlarges buffers that have fewer pixels than they cover.
    var canEnlarge: Bool { connection.globals.viewporter != nil }

    /// Tells the surface how to show a buffer that covers so many logical pixels: one painted for
    /// that scale, or one of any size, which is enlarged.
    func apply(size: Size, scale: Double, isEnlarged: Bool) {
        let stretches = fractional != nil || isEnlarged
        setDestination(stretches ? size : nil)
        let factor = stretches ? 1 : Int32(scale)
        guard appliedFactor != factor else { return }
        appliedFactor = factor
        surface.setBufferScale(scale: factor)
    }

    private func setDestination(_ size: Size?) {
        guard appliedDestination != size else { return }
        appliedDestination = size
        hasViewport = true
        // −1 lets the buffer speak for itself again.
        viewport?.setDestination(
            width: size.map { Int32($0.width) } ?? -1, height: size.map { Int32($0.height) } ?? -1)
    }

    /// Screens came, went or changed.
    func outputsChanged() {
        entered.removeAll { connection.output($0) == nil }
        changed()
    }

    private func receive(_ event: WlSurface.Event) {
        switch event {
        case .enter(let output):
            guard let output, !entered.contains(where: { $0 === output }) else { return }
            entered.append(output)
        case .leave(let output): entered.removeAll { $0 === output }
        case .preferredBufferScale(let factor):
            guard factor > 0 else { return }
            preferredFactor = factor
        case .preferredBufferTransform: return
        }
        changed()
    }
}
