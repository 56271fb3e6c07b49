package import Commands
package import Gestures
import Input

extension GestureMap {
    /// The command of the eraser or of a button of a pen.
    package func command(of control: PenControl) -> Command {
        switch control {
        case .eraser: self[.penEraser]
        case .button(.first): self[.firstPenButton]
        case .button(.second): self[.secondPenButton]
        case .button(.third): self[.thirdPenButton]
        }
    }
}
