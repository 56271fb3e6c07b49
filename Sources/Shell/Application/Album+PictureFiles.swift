import DecodeClient
import Folders
import Glibc
import ImageService
import ImageTypes
import SystemCalls

extension Album: PictureFiles {
    func open(_ id: Int) throws(DecodeFailure) -> Int32 {
        guard let entry = entry(id), let path = path(id) else {
            throw .unreadable(reason: SystemError(code: ENOENT).pictureMessage)
        }
        guard let input = entry.descriptor else { return try PictureFile.open(path.bytes) }
        let copy = try PictureFile.duplicate(input)
        lseek(copy, 0, SEEK_SET)
        return copy
    }

    /// Nil for a picture from standard input.
    func fileRevision(_ id: Int) -> Int? {
        guard let entry = entry(id), entry.descriptor == nil else { return nil }
        return entry.revision
    }

    func displayPath(_ id: Int) -> String? { path(id)?.description }
}
