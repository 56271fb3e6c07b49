import FileAccess
import Folders
import Glibc
import ImageService
import ImageTypes
import SystemCalls

extension Album: PictureFiles {
    func source(_ id: Int) throws(DecodeFailure) -> PictureSource {
        guard let entry = entry(id), let path = path(id) else {
            throw .unreadable(reason: SystemError(code: ENOENT).pictureMessage)
        }
        guard let input = entry.descriptor else { return .file(path.bytes) }
        let copy = try PictureFile.duplicate(input)
        lseek(copy, 0, SEEK_SET)
        return .descriptor(copy)
    }

    /// Nil for a picture from standard input.
    func fileRevision(_ id: Int) -> Int? {
        guard let entry = entry(id), entry.descriptor == nil else { return nil }
        return entry.revision
    }

    func displayPath(_ id: Int) -> String? { path(id)?.description }
}
