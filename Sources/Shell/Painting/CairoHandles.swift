import CCairo
import Geometry

/// A failure of a cairo call, with the message of cairo.
package struct CairoError: Error, Hashable {
    package var reason: String

    init(_ status: cairo_status_t) {
        reason = String(cString: cairo_status_to_string(status))
    }
}

/// A cairo image surface over memory that the caller owns and keeps alive.
struct ImageSurface: ~Copyable {
    let raw: OpaquePointer

    /// Makes a surface of `size` pixels over `memory`, with rows `stride` bytes apart.
    init(
        over memory: UnsafeMutableRawPointer, format: cairo_format_t, size: PixelSize, stride: Int
    ) throws(CairoError) {
        guard
            let surface = cairo_image_surface_create_for_data(
                memory.assumingMemoryBound(to: UInt8.self), format, Int32(clamping: size.width),
                Int32(clamping: size.height), Int32(clamping: stride))
        else { throw CairoError(CAIRO_STATUS_NO_MEMORY) }
        let status = cairo_surface_status(surface)
        guard status == CAIRO_STATUS_SUCCESS else {
            cairo_surface_destroy(surface)
            throw CairoError(status)
        }
        raw = surface
    }

    deinit {
        cairo_surface_finish(raw)
        cairo_surface_destroy(raw)
    }
}

/// A cairo drawing context on a surface.
struct DrawingContext: ~Copyable {
    let raw: OpaquePointer

    /// Does not throw: instead of failing, cairo returns a context that draws nothing.
    init(_ surface: borrowing ImageSurface) {
        raw = cairo_create(surface.raw)
    }

    deinit { cairo_destroy(raw) }
}

/// A pattern that paints from a surface.
struct SurfacePattern: ~Copyable {
    let raw: OpaquePointer

    init(_ surface: borrowing ImageSurface) {
        raw = cairo_pattern_create_for_surface(surface.raw)
    }

    deinit { cairo_pattern_destroy(raw) }
}
