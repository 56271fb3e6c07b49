package import Commands
package import Edits
package import Geometry
package import Interface

/// A request of the viewer to the program around it.
package enum Effect: Hashable, Sendable {
    /// The picture at this index is selected now, so other pictures are wanted than before.
    case show(index: Int)
    case toggleFullscreen
    /// Let the compositor move the window with the finger or the button that is down.
    case moveWindow
    /// Show the compositor's menu of the window, at a point of the surface in logical pixels.
    case showWindowMenu(at: Point)
    /// A button of the window was tapped.
    case window(Widget.WindowAction)
    /// Drag the picture to another program, with the button that is down, from a point of the surface in
    /// logical pixels.
    case dragOut(from: Point)
    /// Pause or resume the animation.
    case playPause
    /// Show the next frame of the animation and pause there.
    case nextFrame
    /// Let the user choose other pictures to show, or another folder.
    case openFiles, openFolder
    /// A picture was turned permanently: its pixels by this total of clockwise quarter turns, with twists
    /// and earlier turns.
    case turned(index: Int, quarters: Int)
    /// A command for the file of the picture.
    case files(Command)
    /// The person has answered a prompt.
    case answered(Prompt.Purpose, Prompt.Answer)
    /// A person has cropped the picture at this index.
    ///
    /// The edit is for the pixels that are shown, and exactly what the person has seen.
    case saveCrop(PictureEdit, CropSave, index: Int)
    /// A person wants to see the settings.
    case openSettings
    /// A person has changed settings on their page.
    case changeSettings(SettingChange)
    /// The picture has reached its cell: the grid is shown and handles input.
    case landed
    /// The viewer is closed: the program ends.
    case quit
}
