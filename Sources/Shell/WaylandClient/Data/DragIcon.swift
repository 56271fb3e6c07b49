package import Geometry
import WaylandProtocol

/// The picture of dragged data, which moves with the pointer or the finger.
package struct DragIcon: Sendable {
    /// In device pixels.
    package let size: PixelSize
    /// Premultiplied ARGB, row by row.
    package let pixels: [UInt32]
    /// Device pixels per logical pixel; the sides of `size` are multiples of it.
    package let scale: Int
    /// The point of the picture that is under the pointer or the finger, in logical pixels.
    package let hotspot: Point

    /// Nil if the number of pixels or the scale does not fit the size, or for a picture of more than
    /// 1024 pixels a side.
    package init?(size: PixelSize, pixels: [UInt32], scale: Int = 1, hotspot: Point) {
        let sides = 1...1024
        guard sides.contains(size.width), sides.contains(size.height), (1...16).contains(scale),
            pixels.count == size.width * size.height, size.width % scale == 0,
            size.height % scale == 0
        else { return nil }
        self.size = size
        self.pixels = pixels
        self.scale = scale
        self.hotspot = hotspot
    }
}

/// The surface that shows the picture of a drag.
final class DragIconSurface {
    let surface: WlSurface
    private let slot: FrameSlot
    private let icon: DragIcon

    /// Paints the picture; throws without memory for it.
    init(_ icon: DragIcon, compositor: WlCompositor, shm: WlShm) throws(FrameError) {
        let stride = FrameSlot.stride(width: icon.size.width)
        let slot = try FrameSlot(capacity: stride * icon.size.height, shm: shm)
        slot.resize(to: icon.size, headroom: nil) { _ in }
        for row in 0..<icon.size.height {
            icon.pixels[row * icon.size.width..<(row + 1) * icon.size.width].withUnsafeBytes {
                (slot.memory.base + row * slot.stride).copyMemory(
                    from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count)
            }
        }
        self.icon = icon
        self.slot = slot
        surface = compositor.createSurface()
    }

    deinit { surface.destroy() }

    /// Shows the picture; the surface must be the icon of a drag by now.
    func show() {
        let x = Int32(clamping: (-icon.hotspot.x).rounded())
        let y = Int32(clamping: (-icon.hotspot.y).rounded())
        // Since version 5 the place has a request of its own, and `attach` must not give one.
        let hasOffset = surface.version >= 5
        if icon.scale > 1 { surface.setBufferScale(scale: Int32(icon.scale)) }
        surface.attach(buffer: slot.buffer, x: hasOffset ? 0 : x, y: hasOffset ? 0 : y)
        if hasOffset { surface.offset(x: x, y: y) }
        surface.damageBuffer(
            x: 0, y: 0, width: Int32(icon.size.width), height: Int32(icon.size.height))
        surface.commit()
    }
}
