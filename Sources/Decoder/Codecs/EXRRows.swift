import Geometry
import Glibc
import ImageTypes

/// A level's rows, decoded as a whole.
///
/// Light is multiplied with alpha in the file: it is divided again, so that what has no alpha at all
/// is not seen.
final class EXRRows: RowSource {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    let isComplete: Bool
    let peak: Float
    private let window: EXRWindow
    /// All rows of the data without gaps.
    private let pixels: UnsafeMutablePointer<Float>
    /// In bytes.
    private let length: Int
    private var y = 0

    init(_ file: EXRFile, level: Int) throws(DecodeFailure) {
        guard let data = file.size(ofLevel: level) else {
            throw .damaged(reason: "it has no level")
        }
        window = level == 0 ? file.window : EXRWindow(all: data)
        (size, layout) = (window.size, file.hasAlpha ? .rgbaFloat : .rgbFloat)
        color = .encoded(ColorEncoding(primaries: file.primaries, transfer: .linear))
        length = data.width * data.height * layout.bytesPerPixel
        guard
            let memory = mmap(
                nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED
        else { throw .unreadable(reason: "there is not enough memory for it") }
        pixels = memory.assumingMemoryBound(to: Float.self)
        let (found, count) = file.decode(level: level, to: pixels)
        guard found > 0 else {
            munmap(memory, length)
            throw file.failure
        }
        isComplete = found == count
        // What is seen before black is what counts.
        var light = LightPeak()
        light.add(pixels, pixels: data.width * data.height, samples: layout.bytesPerPixel / 4)
        peak = light.value
    }

    deinit { munmap(pixels, length) }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        let samples = layout.bytesPerPixel / 4
        let seen = window.data.intersection(PixelRect(size))
        for row in rows {
            let target = row.assumingMemoryBound(to: Float.self)
            if seen.width < size.width || y < seen.y || y >= seen.maxY {
                target.update(repeating: 0, count: size.width * samples)
            }
            if y >= seen.y, y < seen.maxY {
                let line = (y - window.data.y) * window.data.width + seen.x - window.data.x
                let place = target + seen.x * samples
                place.update(from: pixels + line * samples, count: seen.width * samples)
                if samples == 4 { Self.divide(place, seen.width) }
            }
            y += 1
        }
        return rows.count
    }

    /// Makes alpha straight.
    private static func divide(_ row: UnsafeMutablePointer<Float>, _ width: Int) {
        for pixel in 0..<width {
            let place = row + 4 * pixel
            guard place[3] > 0, place[3] < 1 else { continue }
            for sample in 0..<3 { place[sample] /= place[3] }
        }
    }
}
