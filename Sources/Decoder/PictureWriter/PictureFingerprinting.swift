import Codecs
import Edits
import Geometry
import ImageTypes
package import ImageWire
import Metadata

/// Makes fingerprints of what files show.
package enum PictureFingerprinting {
    /// The fingerprint of a file, as if the edit of the request had been made; `progress` is called
    /// often.
    package static func fingerprint(
        of bytes: UnsafeRawBufferPointer, _ request: FingerprintRequest,
        _ progress: @escaping () -> Void
    ) throws(EditFailure) -> PictureFingerprint {
        let picture = try decoding { () throws(DecodeFailure) in try NativePicture(bytes) }
        let geometry = try EditGeometry(
            request.edit, stored: picture.size, picture.orientation)
        if request.ofCoefficients {
            return try JPEGCoefficients.fingerprint(
                of: bytes, request, picture.orientation, progress)
        }
        let pixels = try decoding { () throws(DecodeFailure) in
            try EditedPixels(picture, geometry, progress)
        }
        let (hash, colors) = Self.hash(pixels, progress)
        return PictureFingerprint(
            format: picture.format.name, size: geometry.size, pixels: hash, colors: colors,
            metadata: MetadataFingerprint.hashes(of: bytes, pixels.color))
    }

    /// The hash of all rows, and the mean colours of a grid.
    private static func hash(
        _ pixels: EditedPixels, _ progress: () -> Void
    ) -> (hash: [UInt8], colors: [UInt8]) {
        var hash = SHA256()
        hash.update([pixels.kind.rawValue])
        var grid = ColorGrid(pixels.geometry.size)
        var row = [UInt8](repeating: 0, count: pixels.rowLength)
        for y in 0..<pixels.geometry.size.height {
            row.withUnsafeMutableBytes { row in
                guard let base = row.baseAddress else { return }
                pixels.copyRow(y, to: base)
                hash.update(UnsafeRawBufferPointer(row))
                grid.add(UnsafeRawBufferPointer(row), y, pixels.kind)
            }
            if y % 64 == 0 { progress() }
        }
        return (hash.finished(), grid.colors)
    }
}

/// The mean colours of a picture in the cells of a grid.
struct ColorGrid {
    private static let side = PictureFingerprint.side
    private let size: PixelSize
    private var sums = [UInt64](repeating: 0, count: side * side * 3)
    private var counts = [UInt64](repeating: 0, count: side * side)

    init(_ size: PixelSize) { self.size = size }

    /// Adds row `y`.
    mutating func add(_ row: UnsafeRawBufferPointer, _ y: Int, _ kind: PixelKind) {
        let line = y * Self.side / size.height * Self.side
        for column in 0..<Self.side {
            // The pixels whose place times the side is in the column.
            let first = (column * size.width + Self.side - 1) / Self.side
            let end = ((column + 1) * size.width + Self.side - 1) / Self.side
            let cell = line + column
            for x in first..<min(end, size.width) { add(row, x, kind, to: cell) }
            counts[cell] += UInt64(max(0, min(end, size.width) - first))
        }
    }

    private mutating func add(
        _ row: UnsafeRawBufferPointer, _ x: Int, _ kind: PixelKind, to cell: Int
    ) {
        let start = x * kind.bytesPerPixel
        for channel in 0..<3 {
            let value: UInt64
            switch kind {
            case .rgba8: value = UInt64(row[start + channel]) * UInt64(row[start + 3]) / 255
            case .cmyk8:
                let ink = UInt64(row[start + channel]) + UInt64(row[start + 3])
                value = 255 - min(ink, 255)
            case .rgba16:
                // The more significant bytes of little-endian samples.
                value = UInt64(row[start + channel * 2 + 1]) * UInt64(row[start + 7]) / 255
            case .rgbaFloat:
                let sample = row.loadUnaligned(fromByteOffset: start + channel * 4, as: Float.self)
                value = sample.isFinite ? UInt64(min(max(sample, 0), 1) * 255) : 0
            }
            sums[cell * 3 + channel] += value
        }
    }

    var colors: [UInt8] {
        sums.indices.map { UInt8(clamping: sums[$0] / max(counts[$0 / 3], 1)) }
    }
}
