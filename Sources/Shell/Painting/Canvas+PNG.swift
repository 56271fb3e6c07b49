import CCairo
import Geometry

extension Canvas {
    /// Writes the pixels as a PNG file; returns nil on success, else the error message of cairo.
    package func writePNG(to path: UnsafePointer<CChar>) -> String? {
        do throws(CairoError) {
            let surface = try ImageSurface(
                over: memory, format: CAIRO_FORMAT_ARGB32, size: size, stride: stride)
            let status = cairo_surface_write_to_png(surface.raw, path)
            return status == CAIRO_STATUS_SUCCESS ? nil : CairoError(status).reason
        } catch {
            return error.reason
        }
    }
}
