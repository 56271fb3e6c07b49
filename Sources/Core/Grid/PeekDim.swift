/// How dark the page becomes behind a lifted picture.
package enum PeekDim: Hashable, Sendable {
    /// From `low` at the picture's own size it rises with the scale up to `high`.
    case withScale(low: Double, high: Double)
    /// This opacity, whatever the scale.
    case fixed(Double)

    /// Source: behaviour sheet, "Peek".
    package static let standard = PeekDim.withScale(low: 0.4, high: 0.8)
    /// The other profile there is a model for.
    package static let plain = PeekDim.fixed(0.6)

    /// How long the backdrop takes to get there, in seconds.
    package var duration: Double {
        switch self {
        case .withScale: 0.08
        case .fixed: 0.2
        }
    }

    /// The backdrop's opacity, 0…1, once it is there, behind a picture `scale` times its cell.
    package func opacity(at scale: Double) -> Double {
        switch self {
        case .withScale(let low, let high): max(min(low + (scale - 1), high), low)
        case .fixed(let opacity): opacity
        }
    }

    /// Reads `[0.4, 0.8]` or `0.6`.
    init?(_ text: Substring) {
        let inner = text.first == "[" && text.last == "]" ? text.dropFirst().dropLast() : text
        let numbers = inner.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(String(part.filter { $0 != " " }))
        }
        let valid = numbers.compactMap(\.self).filter { (0...1).contains($0) }
        guard valid.count == numbers.count else { return nil }
        switch valid.count {
        case 1: self = .fixed(valid[0])
        case 2 where valid[0] <= valid[1]: self = .withScale(low: valid[0], high: valid[1])
        default: return nil
        }
    }
}
