import Geometry

extension Point {
    /// The farthest coordinate that can come from a compositor: its fixed-point numbers end here.
    static let farthest = 8_388_608.0

    /// Whether it can be a place on or near a surface, and is a number at all.
    var isPlausible: Bool { abs(x) <= Self.farthest && abs(y) <= Self.farthest }
}
