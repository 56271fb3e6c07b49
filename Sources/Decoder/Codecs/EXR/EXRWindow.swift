import CCodecs
import Geometry

/// The data window of an OpenEXR file, and the display window, which is shown.
///
/// The data window may be larger or smaller than the display window, or overlap with it in part.
/// Source: "Technical Introduction to OpenEXR", "Display Window and Data Window".
struct EXRWindow: Hashable {
    /// The data window in pixels, relative to the top left corner of the shown area.
    let data: PixelRect
    /// The size of the shown area in pixels.
    let size: PixelSize

    init(_ info: ccodecs_exr_info) {
        let data = PixelRect(
            x: Int(info.data_x) - Int(info.display_x), y: Int(info.data_y) - Int(info.display_y),
            width: Int(info.data_width), height: Int(info.data_height))
        let size = PixelSize(width: Int(info.display_width), height: Int(info.display_height))
        let isVisible = !data.intersection(PixelRect(size)).isEmpty
        // If no data lies in the display window, the data window is shown instead.
        self.data = isVisible ? data : PixelRect(x: 0, y: 0, width: data.width, height: data.height)
        self.size = isVisible ? size : PixelSize(width: data.width, height: data.height)
    }

    var dataSize: PixelSize { PixelSize(width: data.width, height: data.height) }

    /// The window that shows all data of a level.
    init(all size: PixelSize) { (data, self.size) = (PixelRect(size), size) }

    /// Whether the shown area is exactly the data window.
    var isAllData: Bool { data == PixelRect(size) }
}
