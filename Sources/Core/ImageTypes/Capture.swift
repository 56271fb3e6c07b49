/// When and with what a picture was taken.
package struct Capture: Hashable, Sendable {
    /// Nil if unknown.
    package var time: CaptureTime?
    /// Maker and model of the camera; empty if unknown.
    package var camera: String

    package init(time: CaptureTime? = nil, camera: String = "") {
        (self.time, self.camera) = (time, camera)
    }

    /// Longer names of cameras are cut, in bytes of UTF-8.
    package static let longestCamera = 64
}
