package import Geometry
package import ImageTypes

/// The frames of an animation, each composed to the whole picture.
///
/// Conforming types blend frames over each other, and clear areas between them, by themselves.
package protocol FrameSource: AnyObject {
    /// The size of the whole picture in pixels, as stored (before orientation).
    var size: PixelSize { get }
    var layout: SampleLayout { get }
    var color: ColorSource { get }
    /// Whether all pixels of all frames are known to be grey.
    var isGray: Bool { get }
    /// How often all frames are shown; 0 means forever.
    var loops: Int { get }
    /// Composes the next frame in `canvas`; returns its duration, or nil after the last frame.
    ///
    /// `canvas` has tightly packed rows of `layout`, and holds the result of the previous call
    /// (zeros at first). The duration is the one of the file, in milliseconds.
    func next(_ canvas: UnsafeMutableRawPointer) throws(DecodeFailure) -> Double?
    /// Returns to the first frame; the caller clears the canvas to zeros before the next call.
    func rewind()
}

extension FrameSource {
    package var isGray: Bool { layout.isGray }
}
