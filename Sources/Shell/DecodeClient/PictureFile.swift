import CLinux
import Glibc
package import ImageTypes

/// Opens picture files.
package enum PictureFile {
    /// Opens the regular file at `path` (bytes without a NUL) and returns its descriptor.
    ///
    /// The caller closes the descriptor, or hands it on. Throws for an empty file, for anything but
    /// a regular file, and where the file cannot be opened.
    package static func open(_ path: [UInt8]) throws(DecodeFailure) -> Int32 {
        let descriptor = (path + [0]).withUnsafeBytes { bytes in
            clinux_open_picture(bytes.assumingMemoryBound(to: CChar.self).baseAddress)
        }
        guard descriptor >= 0 else { throw .unreadable(reason: message(errno)) }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else {
            let code = errno
            close(descriptor)
            throw .unreadable(reason: message(code))
        }
        do throws(DecodeFailure) {
            switch info.st_mode & S_IFMT {
            case S_IFREG: if info.st_size == 0 { throw .empty }
            case S_IFDIR: throw .notAFile(kind: "a folder")
            case S_IFIFO: throw .notAFile(kind: "a pipe")
            case S_IFSOCK: throw .notAFile(kind: "a socket")
            default: throw .notAFile(kind: "a device")
            }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// The message for an errno of opening or reading a picture file.
    package static func message(_ code: Int32) -> String {
        switch code {
        case ENOENT: "there is no such file"
        case ENOTDIR: "a part of the path is not a folder"
        case EACCES, EPERM: "it may not be read: permission denied"
        case ELOOP: "it is a link that leads to itself"
        // open(2) fails with ENXIO for a socket.
        case ENXIO: "it is a socket, not a picture"
        default: "it cannot be opened: \(String(cString: strerror(code)))"
        }
    }
}
