package import Commands
package import Edits
package import Geometry

/// A request of the viewer, the grid or the browser to the program around them.
///
/// Each model appends its requests to one list, which the program carries out.
package enum ViewerEffect: Hashable, Sendable {
    /// Other pictures are wanted than before, because another picture was selected or the mode has changed.
    case want
    /// Show the picture with this id of the listing.
    case present(id: Int)
    /// Change the window, or let the compositor move it.
    case window(WindowRequest)
    /// Use the place where the picture was taken.
    case position(PositionUse)
    /// Show another folder.
    case folder(FolderStep)
    /// Change the order of the pictures.
    case sort(SortChoice)
    /// Show the pictures that a text finds; nil shows all again.
    case search(String?)
    /// Drag these pictures to another program, with the finger or the button that is down, from a point
    /// of the surface in logical pixels.
    case dragOut(indexes: [Int], from: Point)
    /// Pause or resume the animation.
    case playPause
    /// Show the next frame of the animation and pause there.
    case nextFrame
    /// Let the user choose other pictures to show, or another folder.
    case openFiles, openFolder
    /// Show the same pictures in a window of another viewer.
    case newWindow
    /// Show the home page of the program in a web browser.
    case openHomePage
    /// A picture was turned permanently: its pixels by this total of clockwise quarter turns, with twists
    /// and earlier turns.
    case turned(index: Int, quarters: Int)
    /// A command for the file of the picture, or for the files that are selected in the grid.
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
    /// A command has switched the setting of this name on or off.
    case choose(String, isOn: Bool)
    /// The viewer is closed: the program ends.
    case quit
}

/// What can be done with the place where a picture was taken.
package enum PositionUse: Hashable, Sendable {
    /// Copy the coordinates as a text.
    case copy
    /// Show the place in a program for maps.
    case openMap
}

/// A way from the shown folder to another one.
package enum FolderStep: Hashable, Sendable {
    /// The subfolder at this index.
    case into(Int)
    /// The folder so many levels above.
    case up(Int)
    /// The folder that was shown before.
    case back
}

/// What a person asks of the window.
package enum WindowRequest: Hashable, Sendable {
    /// Move the window with the finger or the button that is down.
    case move
    /// Show the compositor's menu of the window, at a point of the surface in logical pixels.
    case showMenu(at: Point)
    case minimize, toggleMaximized, toggleFullscreen
}
