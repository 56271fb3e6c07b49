import Geometry
import ImageTypes

/// Reads the means of a progressive JPEG's blocks.
///
/// They are a small part of the file, and come before all else. libjpeg has the memory of all coefficients
/// ready before it reads them; this reads just these. Arithmetic coding, means that come in two steps and
/// scans that end early are not for it. Source: ITU-T T.81, B.2, F.2.2 and G.1.2.1.
struct JPEGDCReader {
    private struct Component {
        let id: UInt8
        /// The number of the table that has its steps.
        let table: Int
        var isThere = false
    }

    private var means: JPEGDCImage?
    /// As many as planes.
    private var components: [Component] = []
    private let file: FileBytes
    /// The steps in which means are stored, by table.
    private var steps = [0, 0, 0, 0]
    /// Where each of them is: a piece of the file, and the place in it.
    private var tables: [(FileBytes, Int)?] = [nil, nil, nil, nil]
    /// MCUs between restart markers; 0 where there are none.
    private var interval = 0

    private static let baselineTables: UInt8 = 0xC4
    private static let progressiveFrame: UInt8 = 0xC2

    fileprivate init(_ bytes: UnsafeRawBufferPointer) { file = FileBytes(bytes) }

    fileprivate mutating func read() -> JPEGDCImage? {
        var place = 2
        while components.isEmpty || components.contains(where: { !$0.isThere }) {
            while file[place] == 0xFF, file[place + 1] == 0xFF { place += 1 }
            let length = file.big16(place + 2)
            guard file[place] == 0xFF, length >= 2, file.has(length + 2, at: place) else {
                return nil
            }
            let segment = file.part(place + 4, length - 2)
            place += 2 + length
            switch file[place - length - 1] {
            case Self.progressiveFrame: guard readFrame(segment) else { return nil }
            case Self.baselineTables: guard readHuffmanTables(segment) else { return nil }
            case 0xDB: readSteps(segment)
            case 0xDD: interval = segment.big16(0)
            case 0xDA:
                guard let end = readScan(segment, from: place) else { return nil }
                place = end
            // Frames of another kind, the end, and what has no length.
            case 0xC0...0xCF, 0xD0...0xD9: return nil
            default: break
            }
        }
        return means
    }

    /// Whether it is a frame, the first, of bytes.
    private mutating func readFrame(_ segment: FileBytes) -> Bool {
        let count = Int(segment[5])
        let size = PixelSize(width: segment.big16(3), height: segment.big16(1))
        guard means == nil, segment[0] == 8, count == 1 || count == 3, !size.isEmpty,
            segment.has(6 + 3 * count, at: 0), !size.isLarger(than: PictureLimits.pixels)
        else { return false }
        let factors = (0..<count).map { segment[7 + 3 * $0] }
        guard factors.allSatisfy({ (1...4).contains($0 >> 4) && (1...4).contains($0 & 15) }) else {
            return false
        }
        // Of a single component a block is an MCU, whatever its factors.
        means = JPEGDCImage(
            size, count == 1 ? [(1, 1)] : factors.map { (Int($0 >> 4), Int($0 & 15)) })
        components = (0..<count).map {
            Component(id: segment[6 + 3 * $0], table: Int(segment[8 + 3 * $0] & 3))
        }
        return true
    }

    private mutating func readHuffmanTables(_ segment: FileBytes) -> Bool {
        var place = 0
        while place < segment.count {
            let kind = segment[place]
            guard let length = HuffmanTable.length(segment, at: place + 1) else { return false }
            // Made when a scan asks for it: a hostile file may have millions. Those for the other
            // coefficients are passed over.
            if kind < 4 { tables[Int(kind)] = (segment, place + 1) }
            place += 1 + length
        }
        return true
    }

    private mutating func readSteps(_ segment: FileBytes) {
        var place = 0
        while place < segment.count {
            let isWide = segment[place] >> 4 != 0
            // The mean's comes first.
            steps[Int(segment[place] & 3)] =
                isWide ? segment.big16(place + 1) : Int(segment[place + 1])
            place += isWide ? 129 : 65
        }
    }

    /// Reads the means of a scan whose bytes begin at `start`; where they end, or nil where it has
    /// something else, or not all of them.
    private mutating func readScan(_ segment: FileBytes, from start: Int) -> Int? {
        let count = Int(segment[0])
        guard var means, (1...3).contains(count), segment.has(4 + 2 * count, at: 0),
            // Nothing but means, for the first time.
            segment[1 + 2 * count] == 0, segment[2 + 2 * count] == 0, segment[3 + 2 * count] < 14
        else { return nil }
        var parts: [(index: Int, table: HuffmanTable)] = []
        for index in 0..<count {
            let id = segment[1 + 2 * index]
            guard let part = components.firstIndex(where: { $0.id == id && !$0.isThere }),
                !parts.contains(where: { $0.index == part }),
                let (tables, place) = tables[Int(segment[2 + 2 * index] >> 4 & 3)],
                let table = HuffmanTable(tables, at: place)
            else { return nil }
            parts.append((part, table))
        }
        var scan = DCScan(
            reader: EntropyReader(file, from: start), shift: Int(segment[3 + 2 * count]),
            interval: interval)
        let isSingle = count == 1
        let size = isSingle ? means.blocks(means.planes[parts[0].index]) : means.mcus
        // They are taken out meanwhile, so as not to be copied.
        self.means = nil
        for part in parts {
            let plane = means.planes[part.index]
            scan.parts.append(
                DCScan.Part(
                    table: part.table, step: steps[components[part.index].table],
                    columns: isSingle ? 1 : plane.columns, rows: isSingle ? 1 : plane.rows,
                    stride: plane.stride, means: plane.means))
            means.planes[part.index].means = []
        }
        guard scan.read(size) else { return nil }
        for (index, part) in parts.enumerated() {
            means.planes[part.index].means = scan.parts[index].means
            components[part.index].isThere = true
        }
        self.means = means
        return scan.reader.end
    }
}

extension JPEGDCImage {
    /// Of a progressive one; nil where the file has none that can be read.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = JPEGDCReader(bytes)
        guard let means = reader.read() else { return nil }
        self = means
    }
}

/// A scan of means while it is read.
private struct DCScan {
    struct Part {
        let table: HuffmanTable
        let step: Int
        /// Blocks of an MCU.
        let columns: Int
        let rows: Int
        let stride: Int
        var means: [UInt8]
        /// The last one, before it is multiplied.
        var last = 0
    }

    var reader: EntropyReader
    let shift: Int
    let interval: Int
    var parts: [Part] = []

    /// Reads so many MCUs in each direction; false where one is missing.
    mutating func read(_ mcus: PixelSize) -> Bool {
        var left = interval
        for y in 0..<mcus.height {
            for x in 0..<mcus.width {
                if interval > 0 {
                    if left == 0 {
                        guard reader.restart() else { return false }
                        for index in parts.indices { parts[index].last = 0 }
                        left = interval
                    }
                    left -= 1
                }
                for index in parts.indices {
                    guard parts[index].read(&reader, shift, x, y) else { return false }
                }
            }
        }
        return true
    }
}

extension DCScan.Part {
    /// Reads its blocks of an MCU; whether they were there.
    fileprivate mutating func read(
        _ reader: inout EntropyReader, _ shift: Int, _ x: Int, _ y: Int
    ) -> Bool {
        for row in y * rows..<(y + 1) * rows {
            for column in x * columns..<(x + 1) * columns {
                guard let bits = reader.symbol(table), bits < 16,
                    let difference = reader.difference(Int(bits))
                else { return false }
                // It wraps around where libjpeg's does.
                last = Int(Int32(truncatingIfNeeded: last &+ difference))
                let coefficient = Int(Int16(truncatingIfNeeded: last << shift))
                means[row * stride + column] = UInt8(clamping: (coefficient * step + 4) >> 3 + 128)
            }
        }
        return true
    }
}
