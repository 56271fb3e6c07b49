package import Geometry
package import ImageTypes

extension ColorSource {
    /// Whether the colour space is an ICC profile of greys.
    package var isGrayProfile: Bool {
        guard case .profile(let profile) = self, profile.count >= 20 else { return false }
        // Source: ICC.1:2022, 7.2.8: the colour space of the data.
        return profile[16..<20].elementsEqual("GRAY".utf8)
    }
}

extension SampleLayout {
    /// Whether no visible pixel of a row has a colour.
    ///
    /// Red, green and blue of a grey differ at most by `tolerance`, in 1/255.
    package func isGray(
        _ row: UnsafeRawPointer, pixels: Int, within tolerance: Int = 0
    ) -> Bool {
        switch self {
        case .gray8, .gray16: true
        case .bgrx8, .premultipliedBGRA8, .rgb8, .rgba8, .rgbx8:
            isGray(row.assumingMemoryBound(to: UInt8.self), pixels, tolerance)
        case .rgb16, .rgba16, .rgbx16:
            isGray(row.assumingMemoryBound(to: UInt16.self), pixels, tolerance * 257)
        case .cmyk8, .rgbFloat, .rgbaFloat: false
        }
    }

    private func isGray<Sample: FixedWidthInteger & SIMDScalar>(
        _ samples: UnsafePointer<Sample>, _ pixels: Int, _ tolerance: Int
    ) -> Bool {
        let step = bytesPerPixel / MemoryLayout<Sample>.size
        return (0..<pixels).allSatisfy {
            let pixel = samples + $0 * step
            let colors = SIMD3(pixel[0], pixel[1], pixel[2])
            return Int(colors.max()) - Int(colors.min()) <= tolerance || hasAlpha && pixel[3] == 0
        }
    }

    /// Whether ICC profiles of greys and of RGB may describe such samples.
    fileprivate var mayHaveGrayProfile: Bool {
        switch self {
        case .bgrx8, .rgb8, .rgba8, .rgbx8, .rgb16, .rgba16, .rgbx16: true
        case .premultipliedBGRA8, .gray8, .gray16, .cmyk8, .rgbFloat, .rgbaFloat: false
        }
    }
}

extension RowSource {
    /// The most that lossy compression tints a grey, in 1/255.
    private static var tolerance: Int { 3 }

    /// Whether the profile applies only if all pixels are grey, which only the pixels tell.
    ///
    /// Some formats store greys as colours only, and some encoders store all pictures as colours.
    package var needsGrayCheck: Bool {
        color.isGrayProfile && !isGray && layout.mayHaveGrayProfile
    }

    /// Reads all rows, up to the first one with a colour; returns whether there is none.
    ///
    /// Rows beyond the end of the file have no colour.
    package func areAllGray() throws(DecodeFailure) -> Bool {
        try prepare(nil)
        let row = UnsafeMutableRawPointer.allocate(
            byteCount: max(size.width * layout.bytesPerPixel, 1), alignment: 16)
        defer { row.deallocate() }
        for _ in 0..<size.height {
            guard read([row]) == 1 else { return true }
            guard layout.isGray(row, pixels: size.width, within: Self.tolerance) else {
                return false
            }
        }
        return true
    }
}

/// Rows of red, green and blue whose pixels are known to be grey.
package final class GrayRows: PlacedRows {
    private let rows: any RowSource

    private init(_ rows: any RowSource) { self.rows = rows }

    /// Opens rows; where their pixels tell whether their profile applies, all of them are read before.
    ///
    /// Without that, rows with a profile of greys would be shown without the profile. Rows of colours
    /// are, because the profile says nothing about them.
    package static func checked(
        _ open: () throws(DecodeFailure) -> any RowSource
    ) throws(DecodeFailure) -> any RowSource {
        let rows = try open()
        guard rows.needsGrayCheck else { return rows }
        return try rows.areAllGray() ? GrayRows(try open()) : try open()
    }

    package var size: PixelSize { rows.size }
    package var layout: SampleLayout { rows.layout }
    package var color: ColorSource { rows.color }
    package let isGray = true
    package var peak: Float { rows.peak }
    package var isComplete: Bool { rows.isComplete }

    package func begin(_ place: RowPlace?) throws(DecodeFailure) { try rows.prepare(place) }

    package func read(_ targets: [UnsafeMutableRawPointer]) -> Int { rows.read(targets) }
}
