import Browser
import Desktop
import ImageTypes
import Interface
import Localization

/// Addresses for other programs: the place where a picture was taken, and the home page.
extension Session {
    /// Copies the coordinates of the picture, or shows the place in a program for maps.
    func use(_ use: PositionUse) {
        guard let position = pictures.information.position else { return }
        switch use {
        case .copy:
            let isCopied = clipboard?.copy(text: position.text) ?? false
            guard isCopied else {
                return notify(localized("there is no clipboard to copy to"))
            }
            browser.show(Toast(localized("Position copied")), at: now())
        case .openMap:
            open(.map(position.uri))
        }
    }

    func openHomePage() { open(.webPage(ProgramFacts.homePage)) }

    private func open(_ address: Address) {
        guard let desktop = window?.desktopAccess() else {
            return notify(localized("there are no services of a desktop"))
        }
        desktop.requestToken { [weak self] token in
            desktop.services.open(address, token: token, parent: desktop.parent) {
                self?.tell($0)
            }
        }
    }
}

extension PictureMetadata.Position {
    /// Degrees of latitude and longitude, as programs for maps and search engines read them.
    fileprivate var text: String { "\(Self.degrees(latitude)), \(Self.degrees(longitude))" }

    /// The address of the place, by RFC 5870.
    fileprivate var uri: String { "geo:\(Self.degrees(latitude)),\(Self.degrees(longitude))" }

    /// Five digits after the point are a metre.
    private static func degrees(_ value: Double) -> String {
        let scaled = Int((value.magnitude * 1e5).rounded())
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: 100_000)
        let digits = String(rest + 100_000).dropFirst()
        return (value < 0 && scaled > 0 ? "-" : "") + "\(whole).\(digits)"
    }
}
