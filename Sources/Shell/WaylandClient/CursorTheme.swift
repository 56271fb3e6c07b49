import CWayland
import Glibc
import WaylandProtocol

/// The user's cursor theme, for compositors without the cursor-shape protocol.
///
/// Loading takes from 20 ms (size 24) to half a second (size 96), because libwayland-cursor loads
/// all cursors. So the theme is loaded only when a pointer is over a window that has a frame.
final class CursorTheme {
    /// One cursor at one size; the theme owns the buffer.
    struct Image {
        let buffer: OpaquePointer
        /// In buffer pixels.
        let hotspotX: Int32
        let hotspotY: Int32
        let width: Int32
        let height: Int32
    }

    /// Keeps the connection open while themes own buffers.
    private var shm: WlShm?
    /// The loaded themes, by size in pixels.
    private var themes: [Int32: OpaquePointer] = [:]

    deinit {
        for theme in themes.values { wl_cursor_theme_destroy(theme) }
    }

    /// The cursor of the first of `names` that the theme has, at an integer scale; nil if it has
    /// none.
    func image(_ names: [String], scale: Int32, shm: WlShm) -> Image? {
        guard let theme = theme(size: Self.size * scale, shm: shm) else { return nil }
        for name in names {
            guard let cursor = wl_cursor_theme_get_cursor(theme, name),
                cursor.pointee.image_count > 0, let image = cursor.pointee.images[0],
                let buffer = wl_cursor_image_get_buffer(image)
            else { continue }
            return Image(
                buffer: buffer, hotspotX: Int32(image.pointee.hotspot_x),
                hotspotY: Int32(image.pointee.hotspot_y), width: Int32(image.pointee.width),
                height: Int32(image.pointee.height))
        }
        return nil
    }

    private func theme(size: Int32, shm: WlShm) -> OpaquePointer? {
        if let theme = themes[size] { return theme }
        self.shm = shm
        let name = getenv("XCURSOR_THEME")
        guard let theme = wl_cursor_theme_load(name, size, shm.target) else { return nil }
        themes[size] = theme
        return theme
    }

    /// The cursor size of the session in logical pixels, limited to 8…256.
    private static var size: Int32 {
        let requested = getenv("XCURSOR_SIZE").flatMap { Int32(String(cString: $0)) } ?? 24
        return min(max(requested, 8), 256)
    }
}
