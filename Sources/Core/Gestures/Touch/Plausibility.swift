import Geometry

extension Point {
    /// The largest coordinate that Wayland's fixed-point numbers can hold.
    static let farthest = 8_388_608.0

    /// Whether both coordinates are numbers that a compositor can send; false for NaN.
    var isPlausible: Bool { abs(x) <= Self.farthest && abs(y) <= Self.farthest }
}
