import Geometry
import ImageTypes

/// Reads the DC coefficients of a progressive JPEG.
///
/// The DC coefficients are a small share of the file and come first. libjpeg allocates the memory
/// of all coefficients before it reads any; this reader needs memory for the DC coefficients only.
/// Arithmetic coding, DC coefficients that a second scan refines, and truncated scans are not
/// supported. Source: ITU-T T.81, B.2, F.2.2 and G.1.2.1.
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
    /// The DC Huffman tables, not yet parsed: a segment, and the table's offset in it.
    private var tables: [(FileBytes, Int)?] = [nil, nil, nil, nil]
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
            guard let length = HuffmanTable.length(segment, at: offset + 1) else { return false }
            // Parsed only when a scan uses it, as a hostile file may have millions of tables. AC
            // tables are skipped.
            if kind < 4 { tables[Int(kind)] = (segment, offset + 1) }
            offset += 1 + length
        }
        return true
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
        var selected: [(index: Int, table: HuffmanTable)] = []
        for index in 0..<count {
            let id = segment[1 + 2 * index]
            guard let component = components.firstIndex(where: { $0.id == id && !$0.isRead }),
                !selected.contains(where: { $0.index == component }),
                let (tables, offset) = tables[Int(segment[2 + 2 * index] >> 4 & 3)],
                let table = HuffmanTable(tables, at: offset)
            else { return nil }
            selected.append((component, table))
        }
        var scan = DCScan(
            reader: EntropyReader(file, from: start), shift: Int(segment[3 + 2 * count]),
            interval: interval)
        let isSingle = count == 1
        let size = isSingle ? image.blocks(image.planes[selected[0].index]) : image.mcus
        // The samples are moved out of the image for the scan, so that writing does not copy them.
        self.image = nil
        for entry in selected {
            let plane = image.planes[entry.index]
            scan.components.append(
                DCScan.Component(
                    table: entry.table, step: steps[components[entry.index].table],
                    columns: isSingle ? 1 : plane.columns, rows: isSingle ? 1 : plane.rows,
                    stride: plane.stride, samples: plane.means))
            image.planes[entry.index].means = []
        }
        guard scan.read(size) else { return nil }
        for (index, entry) in selected.enumerated() {
            image.planes[entry.index].means = scan.components[index].samples
            components[entry.index].isRead = true
        }
        self.image = image
        return scan.reader.end
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

/// A DC scan that is being read.
private struct DCScan {
    struct Component {
        let table: HuffmanTable
        let step: Int
        /// Blocks per MCU, horizontally and vertically.
        let columns: Int
        let rows: Int
        let stride: Int
        var samples: [UInt8]
        /// The previous DC coefficient, before dequantization.
        var last = 0
    }

    var reader: EntropyReader
    let shift: Int
    let interval: Int
    var components: [Component] = []

    /// Reads `mcus` MCUs in each direction; false if one is missing.
    mutating func read(_ mcus: PixelSize) -> Bool {
        var remaining = interval
        for y in 0..<mcus.height {
            for x in 0..<mcus.width {
                if interval > 0 {
                    if remaining == 0 {
                        guard reader.restart() else { return false }
                        for index in components.indices { components[index].last = 0 }
                        remaining = interval
                    }
                    remaining -= 1
                }
                for index in components.indices {
                    guard components[index].read(&reader, shift, x, y) else { return false }
                }
            }
        }
        return true
    }
}

extension DCScan.Component {
    /// Reads the component's blocks of the MCU in column `x` and row `y`; false if one is missing.
    fileprivate mutating func read(
        _ reader: inout EntropyReader, _ shift: Int, _ x: Int, _ y: Int
    ) -> Bool {
        for row in y * rows..<(y + 1) * rows {
            for column in x * columns..<(x + 1) * columns {
                guard let bits = reader.symbol(table), bits < 16,
                    let difference = reader.difference(Int(bits))
                else { return false }
                // Overflow wraps around as in libjpeg.
                last = Int(Int32(truncatingIfNeeded: last &+ difference))
                let coefficient = Int(Int16(truncatingIfNeeded: last << shift))
                samples[row * stride + column] = UInt8(
                    clamping: (coefficient * step + 4) >> 3 + 128)
            }
        }
        return true
    }
}
