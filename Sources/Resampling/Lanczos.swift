import CResampling
import Glibc

/// The weights that reduce the samples of one axis by a Lanczos-3 filter, as wide as the reduction asks.
///
/// The kernel is sinc(t)·sinc(t/3) for |t| < 3, t in samples that come out (Duchon 1979, "Lanczos
/// filtering in one and two dimensions"). Samples outside of the picture have no weight.
struct LanczosAxis {
    /// The first sample that counts, for each that comes out.
    private(set) var first: [Int32] = []
    /// How many count for each.
    let taps: Int
    private(set) var weights: [Float] = []

    private static let reach = 3.0

    /// For `count` samples out, of which the first begins at `start` of `length` samples in, each as
    /// wide as `step` of them, at least 1.
    init(count: Int, start: Double, step: Double, of length: Int) {
        let radius = Self.reach * step
        taps = min(length, Int((2 * radius).rounded(.up)) + 1)
        first.reserveCapacity(count)
        weights.reserveCapacity(count * taps)
        for index in 0..<count {
            let center = start + (Double(index) + 0.5) * step
            let lowest = Int((center - radius).rounded(.down))
            let begin = min(max(lowest, 0), length - taps)
            first.append(Int32(begin))
            let values = (begin..<begin + taps).map { place in
                Self.kernel((Double(place) + 0.5 - center) / step)
            }
            let sum = values.reduce(0, +)
            weights += values.map { Float($0 / (sum == 0 ? 1 : sum)) }
        }
    }

    private static func kernel(_ t: Double) -> Double {
        guard abs(t) < reach else { return 0 }
        guard abs(t) > 1e-9 else { return 1 }
        let angle = Double.pi * t
        return reach * sin(angle) * sin(angle / reach) / (angle * angle)
    }

    /// Counts samples from that one on.
    mutating func shift(by start: Int) {
        for index in first.indices { first[index] -= Int32(start) }
    }

    /// Lends it to C.
    func withAxis<Result>(_ body: (cresampling_axis) -> Result) -> Result {
        first.withUnsafeBufferPointer { first in
            weights.withUnsafeBufferPointer { weights in
                body(
                    cresampling_axis(
                        first: first.baseAddress, taps: Int32(taps), weights: weights.baseAddress))
            }
        }
    }
}
