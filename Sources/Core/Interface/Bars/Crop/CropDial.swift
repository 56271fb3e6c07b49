import Geometry
import Localization

/// The dial that straightens a picture: a ruler of degrees that a finger moves below a mark.
package enum CropDial {
    /// The distance between two degrees, in logical pixels.
    package static let spacing = 10.0
    /// The largest angle in either direction, in degrees.
    package static let largest = 45.0
    /// How far the ruler moves before it leaves 0, in degrees.
    package static let detent = 0.6

    /// The angle where the ruler has been moved to a position in degrees.
    package static func degrees(at position: Double) -> Double {
        guard abs(position) > detent else { return 0 }
        return position - (position < 0 ? -detent : detent)
    }

    /// The position of the ruler that shows an angle.
    package static func position(of degrees: Double) -> Double {
        degrees == 0 ? 0 : degrees + (degrees < 0 ? -detent : detent)
    }

    /// The angle that a person has typed, in degrees, such as "2.0", "−2,5°" or "3"; nil for other texts, and beyond the
    /// largest angle.
    package static func degrees(typed text: String) -> Double? {
        let plain = text.filter { !$0.isWhitespace && $0 != "°" }
            .map { ["−", "–"].contains($0) ? "-" : [",", "٫"].contains($0) ? "." : $0 }
        guard let degrees = Double(String(plain)), abs(degrees) <= largest else { return nil }
        return degrees
    }

    /// An angle as text, with a tenth of a degree.
    package static func text(_ degrees: Double) -> String {
        let tenths = Int(clamping: (degrees * 10).rounded())
        let sign = tenths < 0 ? "−" : ""
        return "\(sign)\(abs(tenths) / 10)\(Translation.decimalSeparator)\(abs(tenths) % 10)°"
    }
}
