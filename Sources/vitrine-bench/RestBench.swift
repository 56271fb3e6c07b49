import CLinux
import Geometry
import Glibc
import Pictures
import Resampling
import Threads

extension BenchSuite {
    static let rest = BenchSuite(name: "rest") { RestBench().figures() }
}

/// How long what is seen at 3840×2160 takes to be reduced for a picture at rest, on threads beside the
/// input's.
struct RestBench {
    private static let size = PixelSize(width: 3840, height: 2160)
    private let workers = WorkerPool(width: Int(clinux_processor_count()))
    private let picture = Bitmap.noise(PixelSize(width: 8192, height: 5464))

    func figures() -> [Figure] {
        let length = Self.size.width * 4 * Self.size.height
        let (from, to) = (SharedPixels(length: length), SharedPixels(length: length))
        let memcpy = ReferenceWork(name: "memcpy of a frame, one thread") {
            Glibc.memcpy(to.base, from.base, from.length)
        }
        return [0.51, 0.64, 0.9].map { zoom in
            Measurement.figure("rest at \(zoom)", bar: 12, rounds: 7, beside: memcpy) { _ in
                reduce(zoom, isLinear: false)
            }
        } + [
            Measurement.figure("rest at 0.64, in light", rounds: 5, beside: memcpy) { _ in
                reduce(0.64, isLinear: true)
            }
        ]
    }

    private func reduce(_ zoom: Double, isLinear: Bool) {
        let part = Rect(
            x: 10.3, y: 20.7, width: Double(Self.size.width) / zoom,
            height: Double(Self.size.height) / zoom)
        let reduction = SharpReduction(picture, part: part, to: Self.size, isLinear: isLinear)
        _ = reduction?.make(concurrently: { workers.run($0, $1) }, isAbandoned: { false })
    }
}
