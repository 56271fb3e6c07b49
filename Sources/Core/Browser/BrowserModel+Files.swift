package import Edits
package import Geometry
import Grid
package import Interface
package import Motion
import Viewer

/// What the browser knows of the files of pictures.
extension BrowserModel {
    /// Marks the folder into which files would be put that are dragged over a point of the surface; nil ends that.
    ///
    /// Returns the folder; nil where there is none, and in the viewer.
    package mutating func markDropFolder(at point: Point?, _ moment: Moment) -> Int? {
        grid.markDropFolder(at: mode == .grid ? point : nil, moment)
    }

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
