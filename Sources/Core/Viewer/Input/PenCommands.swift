package import Commands
package import Gestures
import Input

extension GestureMap {
    /// The command of the eraser or of a button of a pen.
    package func command(of control: PenControl) -> Command {
        switch control {
        case .eraser: eraser
        case .button(.first): firstPenButton
        case .button(.second): secondPenButton
        case .button(.third): thirdPenButton
        }
    }
}
