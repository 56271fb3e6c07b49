import Geometry
import Glibc
import ImageTypes
import Localization
import RasterPipeline

/// The rows of a level, which is decoded as a whole.
///
/// The file has premultiplied linear light, which is converted to straight alpha. Pixels with an
/// alpha of 0 are therefore invisible, whatever their colour.
final class EXRRows: RowSource {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    let isComplete: Bool
    let peak: Float
    private let window: EXRWindow
    /// All rows of the data window, tightly packed.
    private let pixels: UnsafeMutablePointer<Float>
    /// The length of `pixels` in bytes.
    private let length: Int
    private var y = 0

    init(_ file: EXRFile, level: Int) throws(DecodeFailure) {
        guard let data = file.size(ofLevel: level) else {
            throw .damaged(reason: localized("the requested mipmap level is missing"))
        }
        window = level == 0 ? file.window : EXRWindow(all: data)
        (size, layout) = (window.size, file.hasAlpha ? .rgbaFloat : .rgbFloat)
        color = .encoded(ColorEncoding(primaries: file.primaries, transfer: .linear))
        length = data.width * data.height * layout.bytesPerPixel
        guard
            let memory = mmap(
                nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED
        else { throw .unreadable(reason: localized("there is not enough memory for it")) }
        pixels = memory.assumingMemoryBound(to: Float.self)
        let (found, count) = file.decode(level: level, to: pixels)
        guard found > 0 else {
            munmap(memory, length)
            throw file.failure
        }
        isComplete = found == count
        // The peak is measured on premultiplied light: the picture in front of black.
        var lightPeak = LinearPeak()
        lightPeak.add(pixels, pixels: data.width * data.height, samples: layout.bytesPerPixel / 4)
        peak = lightPeak.value
    }

    deinit { munmap(pixels, length) }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        let samples = layout.bytesPerPixel / 4
        let visible = window.data.intersection(PixelRect(size))
        for row in rows {
            let target = row.assumingMemoryBound(to: Float.self)
            if visible.width < size.width || y < visible.y || y >= visible.maxY {
                target.update(repeating: 0, count: size.width * samples)
            }
            if y >= visible.y, y < visible.maxY {
                let line = (y - window.data.y) * window.data.width + visible.x - window.data.x
                let place = target + visible.x * samples
                place.update(from: pixels + line * samples, count: visible.width * samples)
                if samples == 4 { Self.unpremultiply(place, visible.width) }
            }
            y += 1
        }
        return rows.count
    }

    /// Converts premultiplied alpha to straight alpha.
    private static func unpremultiply(_ row: UnsafeMutablePointer<Float>, _ width: Int) {
        for pixel in 0..<width {
            let place = row + 4 * pixel
            guard place[3] > 0, place[3] < 1 else { continue }
            for sample in 0..<3 { place[sample] /= place[3] }
        }
    }
}
