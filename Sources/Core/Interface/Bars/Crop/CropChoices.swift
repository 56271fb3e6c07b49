import Localization

/// The proportions that a crop keeps.
package enum CropRatio: String, Hashable, Sendable, CaseIterable {
    case free, original, square, fourToThree, threeToTwo, sixteenToNine

    /// The longer side divided by the shorter one; nil for the proportions of the picture, and for free
    /// ones.
    package var longToShort: Double? {
        switch self {
        case .free, .original: nil
        case .square: 1
        case .fourToThree: 4.0 / 3
        case .threeToTwo: 3.0 / 2
        case .sixteenToNine: 16.0 / 9
        }
    }

    /// The name on the button; upright proportions are named the other way round.
    package func title(isPortrait: Bool) -> String {
        switch self {
        case .free: localized("Free")
        case .original: localized("Original")
        case .square: "1:1"
        case .fourToThree: isPortrait ? "3:4" : "4:3"
        case .threeToTwo: isPortrait ? "2:3" : "3:2"
        case .sixteenToNine: isPortrait ? "9:16" : "16:9"
        }
    }

    /// The ratio after this one in the order of the menu.
    package var next: CropRatio {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}

/// How a crop is written.
package struct CropSave: Hashable, Sendable {
    package enum Destination: Hashable, Sendable { case copy, replace }

    package enum Method: Hashable, Sendable {
        /// Exactly the pixels of the preview; a JPEG is encoded again.
        case exact
        /// The coefficients of a JPEG, for a rectangle that begins on its block grid.
        case losslessGrid
    }

    package var destination: Destination
    package var method: Method

    package init(_ destination: Destination = .copy, _ method: Method = .exact) {
        (self.destination, self.method) = (destination, method)
    }
}

/// What a button or a menu of the crop bars does.
package enum CropAction: Hashable, Sendable {
    case cancel
    case save(CropSave.Destination)
    case method(CropSave.Method)
    case ratio(CropRatio)
    /// Exchanges width and height of the proportions.
    case swapSides
    case rotate
    case flipHorizontally, flipVertically
    case reset
    case zoomIn, zoomOut
}
