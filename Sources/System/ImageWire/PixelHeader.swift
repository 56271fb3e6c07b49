package import Geometry
package import ImageTypes

/// The header in the first page of the memfd with pixels: it describes the contents of the memfd.
package struct PixelHeader: Hashable, Sendable {
    /// Bytes before the first row of pixels.
    package static let length = 4096
    /// The largest memfd in bytes: all mip levels of the largest picture.
    package static let longestMemory = PictureLimits.pixels * 6
    /// The letters VtP1.
    private static let magic: UInt32 = 0x3150_7456
    static let mostLevels = 24

    /// The size of the whole upright picture in pixels.
    package var size: PixelSize
    /// The orientation in the file; the pixels are upright already.
    package var orientation: Orientation
    package var format: PixelFormat
    /// How planes are sampled; nil for other formats.
    package var chroma: ChromaFormat?
    /// The mip levels, the finest first.
    package var levels: [Bitmap.Level]
    /// The finest level once more, in sRGB, if the request wants that; nil otherwise.
    package var sRGBCopy: Bitmap.Level?

    package init(
        size: PixelSize, orientation: Orientation, format: PixelFormat,
        chroma: ChromaFormat? = nil, levels: [Bitmap.Level], sRGBCopy: Bitmap.Level? = nil
    ) {
        self.size = size
        self.orientation = orientation
        self.format = format
        self.chroma = chroma
        self.levels = levels
        self.sRGBCopy = sRGBCopy
    }

    package var bytes: [UInt8] {
        var writer = WireWriter()
        writer.add(Self.magic)
        writer.add(UInt64(size.width))
        writer.add(UInt64(size.height))
        writer.add(orientation.rawValue)
        writer.add(format.rawValue)
        if let chroma { Self.add(chroma, to: &writer) }
        writer.add(UInt64(levels.count))
        for level in levels {
            for number in [
                level.mipLevel, level.size.width, level.size.height, level.stride, level.offset,
            ] {
                writer.add(UInt64(number))
            }
            guard let chroma = level.chroma else { continue }
            for number in [chroma.size.width, chroma.size.height, chroma.stride, chroma.offset] {
                writer.add(UInt64(number))
            }
        }
        // A stride of 0 means that there is no copy.
        writer.add(UInt64(sRGBCopy?.stride ?? 0))
        writer.add(UInt64(sRGBCopy?.offset ?? 0))
        return writer.bytes
    }

    /// Parses and validates the header of an untrusted memfd of `memoryLength` bytes.
    ///
    /// Every mip level must have the size that follows from its mip level. It must lie inside the memfd,
    /// after the finer levels, and the copy in sRGB after all levels. At most one page of the memfd
    /// may be unused.
    package init(checking bytes: [UInt8], memoryLength: Int) throws(WireError) {
        var reader = WireReader(bytes)
        guard try reader.number(UInt32.self) == Self.magic else { throw WireError() }
        let sides = 1...PictureLimits.tiledPixels
        let width = try reader.number(sides)
        size = PixelSize(width: width, height: try reader.number(sides))
        guard size.width <= PictureLimits.tiledPixels / size.height,
            let orientation = Orientation(rawValue: try reader.number(UInt8.self)),
            let format = PixelFormat(rawValue: try reader.number(UInt32.self))
        else { throw WireError() }
        self.orientation = orientation
        self.format = format
        chroma = format == .planes ? try Self.chroma(&reader) : nil
        guard memoryLength >= Self.length else { throw WireError() }
        levels = []
        for _ in 0..<(try reader.number(1...Self.mostLevels)) {
            var level = try Self.level(&reader, of: size, format, after: levels, memoryLength)
            if let chroma {
                level.chroma = try Self.plane(
                    &reader, of: size, chroma, level, levels, memoryLength)
            }
            levels.append(level)
        }
        let levelsEnd = PixelLayout.end(of: levels)
        sRGBCopy = try Self.sRGBCopy(&reader, of: size, format, after: levelsEnd, memoryLength)
        guard memoryLength - (sRGBCopy?.end ?? levelsEnd) <= Self.length else {
            throw WireError()
        }
    }

    private static func add(_ chroma: ChromaFormat, to writer: inout WireWriter) {
        writer.add(chroma.matrix.rawValue)
        writer.add(UInt8(chroma.isFullRange ? 1 : 0))
        // Edges may be negative.
        for number in [
            chroma.columnShift, chroma.rowShift, chroma.left - ChromaFormat.edges.lowerBound,
            chroma.top - ChromaFormat.edges.lowerBound,
        ] {
            writer.add(UInt64(number))
        }
    }

    private static func chroma(_ reader: inout WireReader) throws(WireError) -> ChromaFormat {
        guard let matrix = ChromaFormat.Matrix(rawValue: try reader.number(UInt8.self)) else {
            throw WireError()
        }
        let range = try reader.number(UInt8.self)
        guard range <= 1 else { throw WireError() }
        let columnShift = try reader.number(ChromaFormat.shifts)
        let rowShift = try reader.number(ChromaFormat.shifts)
        let edges = ChromaFormat.edges
        let left = try reader.number(0...edges.count - 1) + edges.lowerBound
        let top = try reader.number(0...edges.count - 1) + edges.lowerBound
        return ChromaFormat(
            matrix: matrix, isFullRange: range == 1, columnShift: columnShift, rowShift: rowShift,
            left: left, top: top)
    }

    private static func sRGBCopy(
        _ reader: inout WireReader, of size: PixelSize, _ format: PixelFormat,
        after levelsEnd: Int, _ memoryLength: Int
    ) throws(WireError) -> Bitmap.Level? {
        let stride = try reader.number(0...PictureLimits.side * 8)
        let offset = try reader.number(0...memoryLength)
        if stride == 0, offset == 0 { return nil }
        guard format != .planes, size.longestSide <= PictureLimits.side,
            offset >= levelsEnd,
            stride >= size.width * 4, stride.isMultiple(of: 4), offset.isMultiple(of: 4),
            stride * size.height <= memoryLength - offset
        else { throw WireError() }
        return Bitmap.Level(mipLevel: 0, size: size, stride: stride, offset: offset)
    }

    private static func level(
        _ reader: inout WireReader, of size: PixelSize, _ format: PixelFormat,
        after finer: [Bitmap.Level], _ memoryLength: Int
    ) throws(WireError) -> Bitmap.Level {
        let mipLevel = try reader.number(0...mostLevels)
        let width = try reader.number(1...PictureLimits.side)
        let height = try reader.number(1...PictureLimits.side)
        let stride = try reader.number(width * format.bytesPerPixel...PictureLimits.side * 8)
        // Mip levels must not overlap.
        let earliest = max(PixelLayout.end(of: finer), length)
        guard earliest <= memoryLength else { throw WireError() }
        let offset = try reader.number(earliest...memoryLength)
        let claimed = PixelSize(width: width, height: height)
        guard claimed == size.reduced(by: mipLevel), offset.isMultiple(of: 4),
            stride.isMultiple(of: format == .planes ? 64 : 4),
            stride * height <= memoryLength - offset,
            finer.last.map({ $0.mipLevel < mipLevel }) ?? true
        else { throw WireError() }
        return Bitmap.Level(mipLevel: mipLevel, size: claimed, stride: stride, offset: offset)
    }

    /// The chroma plane of `level`: behind the luma, or that of the last finer level.
    private static func plane(
        _ reader: inout WireReader, of size: PixelSize, _ format: ChromaFormat,
        _ level: Bitmap.Level, _ finer: [Bitmap.Level], _ memoryLength: Int
    ) throws(WireError) -> Bitmap.ChromaPlane {
        let width = try reader.number(1...PictureLimits.side)
        let height = try reader.number(1...PictureLimits.side)
        let stride = try reader.number(width * 2...PictureLimits.side * 8)
        let offset = try reader.number(length...memoryLength)
        let plane = Bitmap.ChromaPlane(
            size: PixelSize(width: width, height: height), stride: stride, offset: offset)
        guard plane.size == format.samples(of: size, at: level.mipLevel),
            stride.isMultiple(of: 64), offset.isMultiple(of: 4),
            stride * height <= memoryLength - offset,
            plane == finer.last?.chroma || offset >= level.end
        else { throw WireError() }
        return plane
    }
}
