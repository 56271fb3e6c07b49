import Geometry
import WaylandProtocol

/// What the events of a pen's tool say up to their `frame`, which together are one report of the device.
///
/// The order of the events within a frame has no meaning, but for the tip and the buttons among each other.
struct PenFrame {
    /// The surface that the pen has come above.
    struct Arrival {
        let serial: UInt32
        let surface: WlSurface?
        let tablet: ZwpTabletV2?
    }

    enum Act {
        case down(serial: UInt32)
        case up
        case button(UInt32, isDown: Bool, serial: UInt32)
    }

    var arrival: Arrival?
    var position: Point?
    private(set) var acts: [Act] = []
    /// The turn of a wheel on the tool: in degrees, and in clicks.
    private(set) var wheel = (degrees: 0.0, clicks: 0)
    var departs = false

    /// A frame with more acts, which no pen makes, is full.
    private static let most = 64
    /// A compositor may send clicks without end, and never a frame.
    private static let mostClicks = 1 << 32

    var isFull: Bool { acts.count >= Self.most }

    mutating func add(_ act: Act) { acts.append(act) }

    mutating func turn(_ degrees: Double, _ clicks: Int32) {
        wheel.degrees += degrees
        wheel.clicks = min(max(wheel.clicks + Int(clicks), -Self.mostClicks), Self.mostClicks)
    }
}
