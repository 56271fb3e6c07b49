import Settings
import TOML

/// Opacity of the black backdrop behind a lifted picture.
package enum PeekDim: Hashable, Sendable {
    /// Rises with the scale, from `low` at the size of the cell up to `high`.
    case withScale(low: Double, high: Double)
    /// The same opacity at every scale.
    case fixed(Double)

    /// The default: 0.4 at scale 1, rising to 0.8.
    package static let standard = PeekDim.withScale(low: 0.4, high: 0.8)
    /// The alternative profile: a fixed opacity of 0.6.
    package static let plain = PeekDim.fixed(0.6)

    /// Duration of the backdrop's fade to its opacity, in seconds.
    package var duration: Double {
        switch self {
        case .withScale: 0.08
        case .fixed: 0.2
        }
    }

    /// The backdrop's opacity after the fade, 0…1, behind a picture at `scale` times its cell.
    package func opacity(at scale: Double) -> Double {
        switch self {
        case .withScale(let low, let high): max(min(low + (scale - 1), high), low)
        case .fixed(let opacity): opacity
        }
    }

    /// The value in a settings file.
    var value: TOMLValue {
        switch self {
        case .withScale(let low, let high): .array([.number(low), .number(high)])
        case .fixed(let opacity): .number(opacity)
        }
    }

    /// Reads `[0.4, 0.8]` or `0.6`; nil if `value` is anything else.
    init?(_ value: TOMLValue) {
        let values = if case .array(let values) = value { values } else { [value] }
        let valid = values.compactMap(\.number).filter { (0...1).contains($0) }
        guard valid.count == values.count else { return nil }
        switch valid.count {
        case 1: self = .fixed(valid[0])
        case 2 where valid[0] <= valid[1]: self = .withScale(low: valid[0], high: valid[1])
        default: return nil
        }
    }
}
