import Glibc
import Localization

/// A failed system call.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The error number, such as ENOENT.
    package let code: Int32

    package init(code: Int32) { self.code = code }

    /// The error of the last failed call of this thread.
    static var last: SystemError { SystemError(code: errno) }

    /// The text of the C library, such as "No such file or directory".
    package var description: String { String(cString: strerror(code)) }
}

extension SystemError {
    /// Why a path cannot be opened, to be written after the path and a colon.
    package var pathMessage: String {
        switch code {
        case ENOENT: localized("there is no such file")
        case ENOTDIR: localized("a part of the path is not a folder")
        case EACCES, EPERM: localized("permission denied")
        case ELOOP: localized("the symbolic links form a loop")
        default: localized("cannot be opened: \(description)")
        }
    }

    /// Why a picture file cannot be opened or read, as a sentence about the file.
    package var pictureMessage: String {
        switch code {
        case ENOENT, ENOTDIR: pathMessage
        case EACCES, EPERM: localized("it may not be read: \(pathMessage)")
        case ELOOP: localized("it is a link that leads to itself")
        // open(2) fails with ENXIO for a socket.
        case ENXIO: localized("it is a socket, not a picture")
        default: localized("it \(pathMessage)")
        }
    }
}
