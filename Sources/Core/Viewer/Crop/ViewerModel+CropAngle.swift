import Interface
import Localization
import Motion

/// The angle of a crop as a number.
extension ViewerModel {
    /// Straightens by a tenth of a degree: 1 for clockwise, −1 for anticlockwise.
    mutating func straightenByTenth(_ direction: Double, at moment: Moment) {
        guard let degrees = crop?.model.target.angle else { return }
        crop?.model.straighten(to: degrees * 180 / .pi + direction / 10, at: moment)
    }

    /// Lets a person type the angle; `text` is one that was refused.
    mutating func askForAngle(refused text: String? = nil, at moment: Moment) {
        guard let degrees = crop?.model.degrees(at: moment) else { return }
        var prompt = Prompt(.angle, localized("Straighten"))
        prompt.field = text ?? String(CropDial.text(degrees).dropLast())
        prompt.confirm = localized("Straighten")
        if text != nil {
            prompt.text = localized("The angle is a number from −45 to 45.")
            prompt.isRefused = true
        }
        chrome.setPrompt(prompt, at: moment)
    }

    /// Takes the answer for an angle out of the effects.
    mutating func takeAngle(_ effects: inout [ViewerEffect], at moment: Moment) {
        guard case .answered(.angle, let answer)? = effects.last else { return }
        effects.removeLast()
        guard case .text(let text) = answer else { return }
        guard let degrees = CropDial.degrees(typed: text) else {
            return askForAngle(refused: text, at: moment)
        }
        crop?.model.straighten(to: degrees, at: moment)
    }
}
