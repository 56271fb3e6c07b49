import Geometry
import WaylandProtocol

/// The device pixels per logical pixel of one surface.
///
/// The value is the first one that is known of: the fractional scale; the preferred integer scale;
/// the largest scale of the screens that the surface is on; the scale of the screen that the window is
/// meant for, or else of the largest one.
final class SurfaceScale {
    private let surface: WlSurface
    private unowned let connection: Connection
    /// The screen that the window is meant for, if any.
    weak var target: Output?
    private let changed: () -> Void
    private let fractional: WpFractionalScaleV1?
    /// Made on first use: with a fractional scale, or for a buffer that is to be enlarged.
    private lazy var viewport = connection.globals.viewporter?.getViewport(surface: surface)
    private var hasViewport = false
    /// The fractional scale in 120ths.
    private var fractionalFactor: UInt32?
    private var preferredFactor: Int32?
    private var entered: [WlOutput] = []
    /// The values last sent to the surface, so that they are not sent again.
    private var appliedDestination: Size?
    private var appliedFactor: Int32 = 1

    init(
        surface: WlSurface, connection: Connection, target: Output?,
        changed: @escaping () -> Void
    ) {
        self.surface = surface
        self.target = target
        self.connection = connection
        self.changed = changed
        // A fractional scale can only be applied through a viewport.
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

    /// Destroys the objects that must not outlive the surface.
    func destroy() {
        fractional?.destroy()
        if hasViewport { viewport?.destroy() }
    }

    var value: Double { min(announced, largest) }

    /// The largest scale that is believed, for any screen and for a screen with very many pixels.
    private static let largestScales = 4.0...16.0
    /// The fewest logical pixels of a screen whose scale is above the lower one of these.
    private static let fewestPixels = Size(width: 320, height: 200)

    /// The largest scale that the screens can have.
    ///
    /// A frame for a larger one would have more pixels than the screen can show, and fill the memory.
    private var largest: Double {
        let guess = (target ?? connection.largestOutput).map { [$0] } ?? []
        let scales = (outputs.isEmpty ? guess : outputs).map(\.pixelSize.size).map {
            min($0.width / Self.fewestPixels.width, $0.height / Self.fewestPixels.height)
        }
        let limits = Self.largestScales
        return min(max(scales.max() ?? 0, limits.lowerBound), limits.upperBound)
    }

    private var announced: Double {
        if let fractionalFactor { return Double(fractionalFactor) / 120 }
        if let preferredFactor { return Double(preferredFactor) }
        let guess = target ?? connection.largestOutput
        return Double(outputs.map(\.scale).max() ?? guess?.scale ?? 1)
    }

    /// The screens that the surface is on, as reported by the compositor.
    var outputs: [Output] { entered.compactMap { connection.output($0) } }

    /// Whether the compositor can enlarge buffers that have fewer pixels than they cover.
    var canEnlarge: Bool { connection.globals.viewporter != nil }

    /// Sets how the surface shows a buffer that covers `size` logical pixels.
    ///
    /// The buffer is painted at `scale`, or has any size and is enlarged by the compositor.
    func apply(size: Size, scale: Double, isEnlarged: Bool) {
        let usesViewport = fractional != nil || isEnlarged
        setDestination(usesViewport ? size : nil)
        let factor = usesViewport ? 1 : Int32(clamping: scale)
        guard appliedFactor != factor else { return }
        appliedFactor = factor
        surface.setBufferScale(scale: factor)
    }

    private func setDestination(_ size: Size?) {
        guard appliedDestination != size else { return }
        appliedDestination = size
        hasViewport = true
        // −1 unsets the destination size; the size of the buffer applies again.
        viewport?.setDestination(
            width: size.map { Int32(clamping: $0.width) } ?? -1,
            height: size.map { Int32(clamping: $0.height) } ?? -1)
    }

    /// Handles screens that were added, removed or changed.
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
