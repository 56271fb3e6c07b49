import CMath

/// A colour in sRGB with straight alpha, not premultiplied; each component is 0…1.
package struct Color: Hashable, Sendable {
    package var red: Double
    package var green: Double
    package var blue: Double
    package var alpha: Double

    package init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    package static func black(_ alpha: Double) -> Color {
        Color(red: 0, green: 0, blue: 0, alpha: alpha)
    }

    package static func gray(_ value: Double, _ alpha: Double = 1) -> Color {
        Color(red: value, green: value, blue: value, alpha: alpha)
    }

    /// The relative luminance of the opaque colour, 0…1, by the Web Content Accessibility Guidelines.
    package var luminance: Double {
        func linear(_ value: Double) -> Double {
            value <= 0.04045 ? value / 12.92 : exp(2.4 * log((value + 0.055) / 1.055))
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// The contrast ratio of two opaque colours, 1…21, by the Web Content Accessibility Guidelines.
    package func contrast(with other: Color) -> Double {
        let (a, b) = (luminance, other.luminance)
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    /// The least contrast of text, by the Web Content Accessibility Guidelines 2.2, 1.4.3.
    private static let textContrast = 4.5

    /// White or black, whichever is legible on the opaque colour; white where both are.
    package var legible: Color {
        contrast(with: .gray(1)) >= Self.textContrast ? .gray(1) : .gray(0)
    }

    /// The colour seen where this colour lies over `below`.
    package func over(_ below: Color) -> Color {
        let back = below.alpha * (1 - alpha)
        let total = alpha + back
        guard total > 0 else { return .black(0) }
        func mix(_ front: Double, _ behind: Double) -> Double {
            (front * alpha + behind * back) / total
        }
        return Color(
            red: mix(red, below.red), green: mix(green, below.green), blue: mix(blue, below.blue),
            alpha: total)
    }

    /// The colour with its alpha multiplied by `factor`, 0…1.
    package func faded(_ factor: Double) -> Color {
        var color = self
        color.alpha *= factor
        return color
    }
}
