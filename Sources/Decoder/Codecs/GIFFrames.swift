import CCodecs
import Geometry
import ImageTypes

/// The frames of a GIF, decoded when they are asked for; none is kept but what a later one needs back.
///
/// Source: GIF89a (CompuServe, 1990), section 23 for what becomes of a frame; the place of one that
/// is to become the background is cleared, as browsers do.
final class GIFFrames: FrameSource {
    var size: PixelSize { outline.size }
    var layout: SampleLayout { outline.isOpaque ? .opaqueWords : .premultipliedWords }
    var color: ColorSource { .standard }
    var loops: Int { outline.loops }
    /// Whether all pixels of the last frame were there.
    private(set) var isComplete = true

    private let bytes: UnsafeRawBufferPointer
    private let outline: GIFOutline
    private var reader: GIFReader
    private var disposal = Disposal.none

    /// What is done before the next frame.
    private enum Disposal {
        case none
        case clear(GIFArea)
        case restore(GIFArea, [UInt32])
    }

    init(_ bytes: UnsafeRawBufferPointer, _ outline: GIFOutline) throws(DecodeFailure) {
        (self.bytes, self.outline) = (bytes, outline)
        reader = try GIFReader(bytes)
    }

    func rewind() {
        // What was read once is read again.
        guard let reader = try? GIFReader(bytes) else { return }
        self.reader = reader
        disposal = .none
    }

    func next(_ canvas: UnsafeMutableRawPointer) throws(DecodeFailure) -> Double? {
        guard let frame = reader.next() else { return nil }
        let canvas = GIFCanvas(
            words: UnsafeMutableBufferPointer(
                start: canvas.assumingMemoryBound(to: UInt32.self),
                count: size.width * size.height), width: size.width)
        switch disposal {
        case .none: break
        case .clear(let area): canvas.clear(area)
        case .restore(let area, let words): canvas.put(words, into: area)
        }
        let area = GIFArea(frame, within: size)
        switch frame.disposal {
        case 2: disposal = .clear(area)
        case 3: disposal = .restore(area, canvas.words(of: area))
        default: disposal = .none
        }
        isComplete = draw(frame, area, on: canvas)
        if !isComplete, outline.isOpaque { canvas.makeOpaque() }
        return Double(frame.delay) * 10
    }

    /// Decodes a frame onto the canvas; whether all of its rows were there.
    private func draw(
        _ frame: ccodecs_gif_frame, _ area: GIFArea, on canvas: GIFCanvas
    ) -> Bool {
        let palette = withUnsafeBytes(of: frame.palette) { Array($0.bindMemory(to: UInt32.self)) }
        var indices = [UInt8](repeating: 0, count: Int(frame.width))
        let order = GIFRowOrder(height: Int(frame.height), isInterlaced: frame.is_interlaced != 0)
        var isThere = [Bool](repeating: false, count: Int(frame.height))
        for row in order.rows {
            let isRead = indices.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { reader.read($0) } ?? false
            }
            guard isRead else {
                if frame.is_interlaced != 0 { fill(isThere, frame, area, canvas) }
                return false
            }
            isThere[row] = true
            let y = Int(frame.top) + row
            guard area.rows.contains(y) else { continue }
            for x in area.columns {
                let index = indices[x - Int(frame.left)]
                if Int32(index) != frame.transparent { canvas[x, y] = palette[Int(index)] }
            }
        }
        return true
    }

    /// Rows that never came look like the next one above that did.
    private func fill(
        _ isThere: [Bool], _ frame: ccodecs_gif_frame, _ area: GIFArea, _ canvas: GIFCanvas
    ) {
        var source: Int?
        for y in area.rows {
            if isThere[y - Int(frame.top)] {
                source = y
            } else if let source {
                for x in area.columns { canvas[x, y] = canvas[x, source] }
            }
        }
    }
}

/// The part of a frame that is on the canvas.
private struct GIFArea {
    let columns: Range<Int>
    let rows: Range<Int>

    init(_ frame: ccodecs_gif_frame, within size: PixelSize) {
        func part(_ start: Int32, _ length: Int32, _ limit: Int) -> Range<Int> {
            let start = min(max(Int(start), 0), limit)
            return start..<min(start + Int(length), limit)
        }
        columns = part(frame.left, frame.width, size.width)
        rows = part(frame.top, frame.height, size.height)
    }
}

/// The order in which a frame's rows are in the file; GIF89a, appendix E.
private struct GIFRowOrder {
    let rows: [Int]

    init(height: Int, isInterlaced: Bool) {
        let passes = isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
        rows = passes.flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
    }
}

/// A canvas of words; areas lie within it.
private struct GIFCanvas {
    let words: UnsafeMutableBufferPointer<UInt32>
    let width: Int

    subscript(x: Int, y: Int) -> UInt32 {
        get { words[y * width + x] }
        nonmutating set { words[y * width + x] = newValue }
    }

    func clear(_ area: GIFArea) {
        for y in area.rows { for x in area.columns { self[x, y] = 0 } }
    }

    func makeOpaque() {
        for index in words.indices { words[index] |= 0xFF00_0000 }
    }

    func words(of area: GIFArea) -> [UInt32] {
        area.rows.flatMap { y in area.columns.map { self[$0, y] } }
    }

    func put(_ words: [UInt32], into area: GIFArea) {
        var index = 0
        for y in area.rows {
            for x in area.columns {
                self[x, y] = words[index]
                index += 1
            }
        }
    }
}

/// The first frame as a picture that stands still.
final class GIFStillRows: RowSource {
    let size: PixelSize
    let layout: SampleLayout
    let color = ColorSource.standard
    let isComplete: Bool
    private let words: [UInt32]
    private var y = 0

    init(_ frames: GIFFrames) throws(DecodeFailure) {
        (size, layout) = (frames.size, frames.layout)
        _ = try PictureDecoders.firstExponent(for: frames.size)
        let blank: UInt32 = layout == .opaqueWords ? 0xFF00_0000 : 0
        var words = [UInt32](repeating: blank, count: size.width * size.height)
        do {
            try words.withUnsafeMutableBytes { canvas in
                guard let base = canvas.baseAddress, try frames.next(base) != nil else {
                    throw DecodeFailure.cutShort
                }
            }
        } catch {
            throw error as? DecodeFailure ?? .cutShort
        }
        self.words = words
        isComplete = frames.isComplete
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        words.withUnsafeBytes { bytes in
            let length = size.width * 4
            for row in rows {
                let line = bytes[(y * length)..<((y + 1) * length)]
                UnsafeMutableRawBufferPointer(start: row, count: length).copyBytes(from: line)
                y += 1
            }
        }
        return rows.count
    }
}
