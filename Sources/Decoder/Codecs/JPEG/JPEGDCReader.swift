import CCodecs
import Containers
import Geometry
import ImageTypes

/// Reads the DC coefficients of a progressive JPEG.
///
/// The DC coefficients are a small share of the file and come first. libjpeg allocates the memory
/// of all coefficients before it reads any; this reader needs memory for the DC coefficients only.
/// Arithmetic coding, DC coefficients that a second scan refines, and truncated scans are not
/// supported. Source: ITU-T T.81, B.2 and G.1.2.1.
struct JPEGDCReader {
    private struct Component {
        let id: UInt8
        /// The number of the quantization table.
        let table: Int
        var isRead = false
    }

    private var image: JPEGDCImage?
    /// One for each plane.
    private var components: [Component] = []
    private let file: FileBytes
    /// The quantization step of DC coefficients, by quantization table.
    private var steps = [0, 0, 0, 0]
    /// The DC Huffman tables as stored in the file: 16 counts, and as many values.
    private var tables: [FileBytes?] = [nil, nil, nil, nil]
    /// MCUs between restart markers; 0 without restart markers.
    private var interval = 0

    private static let huffmanTables: UInt8 = 0xC4
    private static let progressiveFrame: UInt8 = 0xC2

    fileprivate init(_ bytes: UnsafeRawBufferPointer) { file = FileBytes(bytes) }

    fileprivate mutating func read() -> JPEGDCImage? {
        var offset = 2
        while components.isEmpty || components.contains(where: { !$0.isRead }) {
            while file[offset] == 0xFF, file[offset + 1] == 0xFF { offset += 1 }
            let length = file.big16(offset + 2)
            guard file[offset] == 0xFF, length >= 2, file.has(length + 2, at: offset) else {
                return nil
            }
            let segment = file.part(offset + 4, length - 2)
            offset += 2 + length
            switch file[offset - length - 1] {
            case Self.progressiveFrame: guard readFrame(segment) else { return nil }
            case Self.huffmanTables: guard readHuffmanTables(segment) else { return nil }
            case 0xDB: readSteps(segment)
            case 0xDD: interval = segment.big16(0)
            case 0xDA:
                guard let end = readScan(segment, from: offset) else { return nil }
                offset = end
            // Other types of frames, EOI, and markers without a length.
            case 0xC0...0xCF, 0xD0...0xD9: return nil
            default: break
            }
        }
        return image
    }

    /// Reads a frame header; false unless it is the first one and has 8-bit samples.
    private mutating func readFrame(_ segment: FileBytes) -> Bool {
        let count = Int(segment[5])
        let size = PixelSize(width: segment.big16(3), height: segment.big16(1))
        guard image == nil, segment[0] == 8, count == 1 || count == 3, !size.isEmpty,
            segment.has(6 + 3 * count, at: 0), !size.isLarger(than: PictureLimits.pixels)
        else { return false }
        let factors = (0..<count).map { segment[7 + 3 * $0] }
        guard factors.allSatisfy({ (1...4).contains($0 >> 4) && (1...4).contains($0 & 15) }) else {
            return false
        }
        // With a single component an MCU is one block, whatever the sampling factors.
        image = JPEGDCImage(
            size, count == 1 ? [(1, 1)] : factors.map { (Int($0 >> 4), Int($0 & 15)) })
        components = (0..<count).map {
            Component(id: segment[6 + 3 * $0], table: Int(segment[8 + 3 * $0] & 3))
        }
        return true
    }

    private mutating func readHuffmanTables(_ segment: FileBytes) -> Bool {
        var offset = 0
        while offset < segment.count {
            let kind = segment[offset]
            guard let table = Self.huffmanTable(segment, at: offset + 1) else { return false }
            // Parsed only when a scan uses it, as a hostile file may have millions of tables. AC
            // tables are skipped.
            if kind < 4 { tables[Int(kind)] = table }
            offset += 1 + table.count
        }
        return true
    }

    /// The bytes of a table; nil if it is incomplete, has no codes, or too many.
    ///
    /// Source: ITU-T T.81, B.2.4.2.
    private static func huffmanTable(_ segment: FileBytes, at offset: Int) -> FileBytes? {
        let count = (0..<16).reduce(0) { $0 + Int(segment[offset + $1]) }
        guard (1...256).contains(count), segment.has(16 + count, at: offset) else { return nil }
        return segment.part(offset, 16 + count)
    }

    private mutating func readSteps(_ segment: FileBytes) {
        var offset = 0
        while offset < segment.count {
            let isWide = segment[offset] >> 4 != 0
            // The DC step is the first one.
            steps[Int(segment[offset] & 3)] =
                isWide ? segment.big16(offset + 1) : Int(segment[offset + 1])
            offset += isWide ? 129 : 65
        }
    }

    /// Reads a scan whose entropy-coded data begins at `start`; returns the offset of its end.
    ///
    /// Nil if the scan is not the first DC scan of its components, or if it is truncated.
    private mutating func readScan(_ segment: FileBytes, from start: Int) -> Int? {
        let count = Int(segment[0])
        guard var image, (1...3).contains(count), segment.has(4 + 2 * count, at: 0),
            // Only DC coefficients, and no refinement.
            segment[1 + 2 * count] == 0, segment[2 + 2 * count] == 0, segment[3 + 2 * count] < 14
        else { return nil }
        var selected: [(index: Int, table: FileBytes)] = []
        for index in 0..<count {
            let id = segment[1 + 2 * index]
            guard let component = components.firstIndex(where: { $0.id == id && !$0.isRead }),
                !selected.contains(where: { $0.index == component }),
                let table = tables[Int(segment[2 + 2 * index] >> 4 & 3)]
            else { return nil }
            selected.append((component, table))
        }
        let planes = selected.map {
            DCScan.Plane(
                table: $0.table, step: steps[components[$0.index].table],
                blocks: image.planes[$0.index])
        }
        let scan = DCScan(
            planes: planes, mcus: count == 1 ? image.blocks(planes[0].blocks) : image.mcus,
            interval: interval, shift: Int(segment[3 + 2 * count]))
        guard let (means, end) = scan.read(file, from: start) else { return nil }
        for (index, entry) in selected.enumerated() {
            image.planes[entry.index].means = means[index]
            components[entry.index].isRead = true
        }
        self.image = image
        return end
    }
}

extension JPEGDCImage {
    /// Reads a progressive JPEG; nil if its DC coefficients cannot be read.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = JPEGDCReader(bytes)
        guard let image = reader.read() else { return nil }
        self = image
    }
}

/// A scan with the first bits of DC coefficients.
private struct DCScan {
    struct Plane {
        /// The Huffman table as stored in the file.
        let table: FileBytes
        /// The quantization step.
        let step: Int
        let blocks: JPEGDCImage.Plane
    }

    let planes: [Plane]
    /// The number of MCUs in each direction; with a single plane an MCU is one block.
    let mcus: PixelSize
    let interval: Int
    /// The number of low bits that later scans add.
    let shift: Int

    /// Reads the data that begins at `start`.
    ///
    /// Returns the block means of each plane and the offset of the next marker; nil if the data is
    /// damaged or truncated.
    func read(_ file: FileBytes, from start: Int) -> (means: [[UInt8]], end: Int)? {
        let targets = planes.map { plane in
            let target = UnsafeMutableBufferPointer<UInt8>.allocate(
                capacity: plane.blocks.means.count)
            _ = target.initialize(from: plane.blocks.means)
            return target
        }
        defer { for target in targets { target.deallocate() } }
        let components = zip(planes, targets).map { plane, target in
            ccodecs_jpeg_dc_component(
                table: plane.table.raw.bytes, step: Int32(plane.step),
                columns: planes.count == 1 ? 1 : Int32(plane.blocks.columns),
                rows: planes.count == 1 ? 1 : Int32(plane.blocks.rows),
                means: target.baseAddress, stride: plane.blocks.stride)
        }
        let end = components.withUnsafeBufferPointer { components in
            var scan = ccodecs_jpeg_dc_scan(
                components: components.baseAddress, count: Int32(components.count),
                width: Int32(mcus.width), height: Int32(mcus.height), interval: Int32(interval),
                shift: Int32(shift))
            return ccodecs_jpeg_read_dc_scan(file.raw.bytes, file.count, start, &scan)
        }
        guard end > 0 else { return nil }
        return (targets.map { Array($0) }, end)
    }
}
