import CCodecs
import Geometry
import ImageTypes
import RasterPipeline

/// The frames of a GIF, decoded on request; only pixels that a later frame restores are kept.
///
/// Source: GIF89a (CompuServe, 1990), section 23 for the disposal of frames. As in browsers, an
/// area that is restored to the background colour becomes transparent.
final class GIFFrames: FrameSource {
    var size: PixelSize { outline.size }
    var layout: SampleLayout { outline.isOpaque ? .bgrx8 : .premultipliedBGRA8 }
    var color: ColorSource { .standard }
    var loops: Int { outline.loops }
    /// Whether no pixel of the last frame was missing.
    private(set) var isComplete = true

    private let bytes: UnsafeRawBufferPointer
    private let outline: GIFOutline
    private var reader: GIFReader
    private var disposal = Disposal.none

    /// How the frame's area is disposed of before the next frame is drawn.
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
        // The same bytes were opened before, so a failure is not expected.
        guard let reader = try? GIFReader(bytes) else { return }
        self.reader = reader
        disposal = .none
    }

    func next(_ canvas: UnsafeMutableRawPointer) throws(DecodeFailure) -> Double? {
        guard let frame = reader.next() else { return nil }
        let canvas = GIFCanvas(
            pixels: UnsafeMutableBufferPointer(
                start: canvas.assumingMemoryBound(to: UInt32.self),
                count: size.width * size.height), width: size.width)
        switch disposal {
        case .none: break
        case .clear(let area): canvas.clear(area)
        case .restore(let area, let pixels): canvas.put(pixels, into: area)
        }
        let area = GIFArea(frame, within: size)
        switch frame.disposal {
        case 2: disposal = .clear(area)
        case 3: disposal = .restore(area, canvas.pixels(of: area))
        default: disposal = .none
        }
        isComplete = draw(frame, area, on: canvas)
        if !isComplete, outline.isOpaque { canvas.makeOpaque() }
        return Double(frame.delay) * 10
    }

    /// Decodes a frame onto the canvas; returns whether no row was missing.
    private func draw(
        _ frame: ccodecs_gif_frame, _ area: GIFArea, on canvas: GIFCanvas
    ) -> Bool {
        let palette = withUnsafeBytes(of: frame.palette) { Array($0.bindMemory(to: UInt32.self)) }
        var indices = [UInt8](repeating: 0, count: Int(frame.width))
        let order = GIFRowOrder(height: Int(frame.height), isInterlaced: frame.is_interlaced != 0)
        var isDecoded = [Bool](repeating: false, count: Int(frame.height))
        for row in order.rows {
            let isRead = indices.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { reader.read($0) } ?? false
            }
            guard isRead else {
                if frame.is_interlaced != 0 { fill(isDecoded, frame, area, canvas) }
                return false
            }
            isDecoded[row] = true
            let y = Int(frame.top) + row
            guard area.rows.contains(y) else { continue }
            for x in area.columns {
                let index = indices[x - Int(frame.left)]
                if Int32(index) != frame.transparent { canvas[x, y] = palette[Int(index)] }
            }
        }
        return true
    }

    /// Fills missing rows with copies of the nearest decoded row above.
    private func fill(
        _ isDecoded: [Bool], _ frame: ccodecs_gif_frame, _ area: GIFArea, _ canvas: GIFCanvas
    ) {
        var source: Int?
        for y in area.rows {
            if isDecoded[y - Int(frame.top)] {
                source = y
            } else if let source {
                for x in area.columns { canvas[x, y] = canvas[x, source] }
            }
        }
    }
}

/// The area of a frame that lies on the canvas, in canvas pixels.
private struct GIFArea {
    let columns: Range<Int>
    let rows: Range<Int>

    init(_ frame: ccodecs_gif_frame, within size: PixelSize) {
        func clipped(_ start: Int32, _ length: Int32, _ limit: Int) -> Range<Int> {
            let start = min(max(Int(start), 0), limit)
            return start..<min(start + Int(length), limit)
        }
        columns = clipped(frame.left, frame.width, size.width)
        rows = clipped(frame.top, frame.height, size.height)
    }
}

/// The order of a frame's rows in the file.
///
/// Source: GIF89a, appendix E.
private struct GIFRowOrder {
    let rows: [Int]

    init(height: Int, isInterlaced: Bool) {
        let passes = isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
        rows = passes.flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
    }
}

/// A canvas of pixels 0xAARRGGBB; areas must lie within the canvas.
private struct GIFCanvas {
    let pixels: UnsafeMutableBufferPointer<UInt32>
    let width: Int

    subscript(x: Int, y: Int) -> UInt32 {
        get { pixels[y * width + x] }
        nonmutating set { pixels[y * width + x] = newValue }
    }

    func clear(_ area: GIFArea) {
        for y in area.rows { for x in area.columns { self[x, y] = 0 } }
    }

    func makeOpaque() {
        for index in pixels.indices { pixels[index] |= 0xFF00_0000 }
    }

    func pixels(of area: GIFArea) -> [UInt32] {
        area.rows.flatMap { y in area.columns.map { self[$0, y] } }
    }

    func put(_ pixels: [UInt32], into area: GIFArea) {
        var index = 0
        for y in area.rows {
            for x in area.columns {
                self[x, y] = pixels[index]
                index += 1
            }
        }
    }
}

/// The first frame as a still picture.
final class GIFStillRows: RowSource {
    let size: PixelSize
    let layout: SampleLayout
    let color = ColorSource.standard
    let isComplete: Bool
    private let pixels: [UInt32]
    private var y = 0

    init(_ frames: GIFFrames) throws(DecodeFailure) {
        (size, layout) = (frames.size, frames.layout)
        _ = try DecodeSettings.finestMipLevel(for: frames.size)
        let blank: UInt32 = layout == .bgrx8 ? 0xFF00_0000 : 0
        var pixels = [UInt32](repeating: blank, count: size.width * size.height)
        do {
            try pixels.withUnsafeMutableBytes { canvas in
                guard let base = canvas.baseAddress, try frames.next(base) != nil else {
                    throw DecodeFailure.cutShort
                }
            }
        } catch {
            throw error as? DecodeFailure ?? .cutShort
        }
        self.pixels = pixels
        isComplete = frames.isComplete
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        pixels.withUnsafeBytes { bytes in
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
