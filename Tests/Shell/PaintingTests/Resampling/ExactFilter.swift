import Glibc

/// The filters of refinement in double precision.
enum ExactFilter {
    /// The sRGB curve (IEC 61966-2-1), from encoded values 0…1 to linear light.
    static func decoded(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    static func encoded(_ linear: Double) -> Double {
        linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
    }

    /// Lanczos with three lobes for reduction, and the cubic of Catmull and Rom for enlargement.
    private static func window(_ x: Double, isReduction: Bool) -> Double {
        let x = abs(x)
        if isReduction {
            if x < 1e-9 { return 1 }
            return x < 3 ? sin(.pi * x) / (.pi * x) * sin(.pi * x / 3) / (.pi * x / 3) : 0
        }
        if x < 1 { return 1.5 * x * x * x - 2.5 * x * x + 1 }
        return x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 : 0
    }

    /// The weights of the samples that device pixel `device` is made of, along one axis with `length` samples.
    ///
    /// The middle of device pixel k is `origin` + (k + 1/2) · `step` samples from the border. Samples outside
    /// repeat the outermost one.
    static func taps(
        of device: Int, step: Double, origin: Double, length: Int
    ) -> [(index: Int, weight: Double)] {
        let place = origin + (Double(device) + 0.5) * step - 0.5
        let width = max(1, step), reach = 3 * width
        let all = Int((place - reach).rounded(.down))...Int((place + reach).rounded(.up))
        let weights = all.map { window((Double($0) - place) / width, isReduction: step > 1) }
        let sum = weights.reduce(0, +)
        return zip(all, weights).map { (min(max($0, 0), length - 1), $1 / sum) }
    }
}
