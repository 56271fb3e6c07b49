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
    private let viewport: WpViewport?
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
        let manager = connection.globals.fractionalScale
        viewport =
            manager == nil
            ? nil : connection.globals.viewporter?.getViewport(surface: surface)
        fractional = viewport == nil ? nil : manager?.getFractionalScale(surface: surface)
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
        viewport?.destroy()
    }

    var value: Double {
        if let fractionalFactor { return Double(fractionalFactor) / 120 }
        if let preferredFactor { return Double(preferredFactor) }
        let scales = entered.compactMap { connection.output($0)?.scale }
        return Double(scales.max() ?? connection.largestOutput?.scale ?? 1)
    }

    /// Tells the surface how to show a buffer painted for that size and scale.
    func apply(size: Size, scale: Double) {
        if let viewport {
            guard appliedDestination != size else { return }
            appliedDestination = size
            viewport.setDestination(width: Int32(size.width), height: Int32(size.height))
        } else {
            let factor = Int32(scale)
            guard appliedFactor != factor else { return }
            appliedFactor = factor
            surface.setBufferScale(scale: factor)
        }
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
