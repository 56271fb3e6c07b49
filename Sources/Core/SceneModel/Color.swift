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

    /// The colour with its alpha multiplied by `factor`, 0…1.
    package func faded(_ factor: Double) -> Color {
        var color = self
        color.alpha *= factor
        return color
    }
}
