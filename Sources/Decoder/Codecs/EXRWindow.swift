import CCodecs
import Geometry

/// What of an OpenEXR file's pixels is seen: the display window, of which the data may be a part or
/// which may be a part of the data.
///
/// Source: "Technical Introduction to OpenEXR", "Display Window and Data Window".
struct EXRWindow: Hashable {
    /// All pixels that there are, with their place in what is seen.
    let data: PixelRect
    /// Of what is seen.
    let size: PixelSize

    init(_ info: ccodecs_exr_info) {
        let data = PixelRect(
            x: Int(info.data_x) - Int(info.display_x), y: Int(info.data_y) - Int(info.display_y),
            width: Int(info.data_width), height: Int(info.data_height))
        let size = PixelSize(width: Int(info.display_width), height: Int(info.display_height))
        let isSeen = !data.intersection(PixelRect(size)).isEmpty
        // Data that the display has nothing of are shown by themselves.
        self.data = isSeen ? data : PixelRect(x: 0, y: 0, width: data.width, height: data.height)
        self.size = isSeen ? size : PixelSize(width: data.width, height: data.height)
    }

    var dataSize: PixelSize { PixelSize(width: data.width, height: data.height) }

    /// Of all data, at a level.
    init(all size: PixelSize) { (data, self.size) = (PixelRect(size), size) }

    /// Whether neither is larger than the other.
    var isAllData: Bool { data == PixelRect(size) }
}
