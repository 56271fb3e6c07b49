import CCairo
package import Geometry
package import ImageTypes

/// A sheet of paper, in points (1/72 inch).
package struct Paper: Hashable, Sendable {
    package var size: Size
    /// The part that is printed on, from the top left corner of the sheet.
    package var printable: Rect

    package init(size: Size, printable: Rect) {
        self.size = size
        self.printable = printable
    }

    /// A sheet with margins of its own, all in millimetres; nil where they make no sense.
    package init?(
        width: Double, height: Double, top: Double, bottom: Double, left: Double, right: Double
    ) {
        let sides = 20.0...5000.0
        // A comparison with a number that is none is false.
        guard sides.contains(width), sides.contains(height),
            [top, bottom, left, right].allSatisfy({ $0 >= 0 }),
            left + right <= width - 10, top + bottom <= height - 10
        else { return nil }
        let point = 72 / 25.4
        size = Size(width: width * point, height: height * point)
        printable = Rect(
            x: left * point, y: top * point, width: (width - left - right) * point,
            height: (height - top - bottom) * point)
    }

    /// ISO A4 with margins of 10 mm.
    package static func a4(isLandscape: Bool) -> Paper {
        let point = 72 / 25.4
        let (short, long, margin) = (210 * point, 297 * point, 10 * point)
        let (width, height) = isLandscape ? (long, short) : (short, long)
        return Paper(
            size: Size(width: width, height: height),
            printable: Rect(
                x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin))
    }

    /// Where a picture lies: as large as possible, in the middle of the printable part.
    package func placement(of picture: PixelSize) -> Rect {
        let (width, height) = (Double(max(1, picture.width)), Double(max(1, picture.height)))
        let scale = min(printable.width / width, printable.height / height)
        return Rect(
            x: printable.x + (printable.width - width * scale) / 2,
            y: printable.y + (printable.height - height * scale) / 2,
            width: width * scale, height: height * scale)
    }
}

/// A page with one picture, as a PDF document.
package enum PrintedPage {
    /// The most pixels per inch that are printed.
    private static let resolution = 600.0

    private final class Output {
        let write: (UnsafeRawBufferPointer) -> Bool
        init(_ write: @escaping (UnsafeRawBufferPointer) -> Bool) { self.write = write }
    }

    /// Passes the document to `write`, in pieces; `write` returns false to end with an error.
    ///
    /// The picture is on white.
    package static func write(
        _ bitmap: Bitmap, on paper: Paper, write: @escaping (UnsafeRawBufferPointer) -> Bool
    ) throws(CairoError) {
        let output = Output(write)
        try withExtendedLifetime(output) { () throws(CairoError) in
            let surface = cairo_pdf_surface_create_for_stream(
                { context, bytes, count in
                    guard let context else { return CAIRO_STATUS_WRITE_ERROR }
                    let output = Unmanaged<Output>.fromOpaque(context).takeUnretainedValue()
                    let piece = UnsafeRawBufferPointer(start: bytes, count: Int(count))
                    return output.write(piece) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR
                }, Unmanaged.passUnretained(output).toOpaque(), paper.size.width,
                paper.size.height)
            guard let surface else { throw CairoError(CAIRO_STATUS_NO_MEMORY) }
            defer { cairo_surface_destroy(surface) }
            try paint(bitmap, on: surface, paper)
            cairo_surface_finish(surface)
            let status = cairo_surface_status(surface)
            guard status == CAIRO_STATUS_SUCCESS else { throw CairoError(status) }
        }
    }

    private static func paint(
        _ bitmap: Bitmap, on surface: OpaquePointer, _ paper: Paper
    ) throws(CairoError) {
        let place = paper.placement(of: bitmap.size)
        let level = bitmap.level(
            for: place.width * resolution / 72 / Double(bitmap.size.width))
        guard let (bitmap, level) = bitmap.pixels(of: level),
            let memory = bitmap.memory.bytes.baseAddress
        else { throw CairoError(CAIRO_STATUS_NO_MEMORY) }
        // cairo only reads from a surface that is a source.
        let picture = try ImageSurface(
            over: UnsafeMutableRawPointer(mutating: memory + level.offset),
            format: bitmap.format == .argb32 ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24,
            size: level.size, stride: level.stride)
        guard let context = cairo_create(surface) else { throw CairoError(CAIRO_STATUS_NO_MEMORY) }
        defer { cairo_destroy(context) }
        cairo_translate(context, place.x, place.y)
        cairo_scale(
            context, place.width / Double(level.size.width),
            place.height / Double(level.size.height))
        cairo_set_source_surface(context, picture.raw, 0, 0)
        cairo_rectangle(
            context, 0, 0, Double(level.size.width), Double(level.size.height))
        cairo_fill(context)
        cairo_show_page(context)
        let status = cairo_status(context)
        guard status == CAIRO_STATUS_SUCCESS else { throw CairoError(status) }
    }
}
