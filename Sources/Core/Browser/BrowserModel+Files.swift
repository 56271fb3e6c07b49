package import Edits
import Grid
package import Interface
import Motion
import Viewer

/// What the browser knows of the files of pictures.
extension BrowserModel {
    /// Sets the marks of all pictures, by index; pictures without marks may be left out.
    package mutating func setMarks(_ marks: [Int: PictureMark]) {
        viewer.setMarks(marks)
        grid.setMarks(marks)
    }

    /// Sets what menus and bars know about work on files.
    package mutating func setFiles(_ files: FileFacts) {
        viewer.setFiles(files)
        facts.files = files
    }
}
