import Glibc

/// Messages for users about paths that cannot be listed.
enum PathMessage {
    static func reason(_ code: Int32) -> String {
        switch code {
        case ENOENT: "there is no such file"
        case ENOTDIR: "a part of the path is not a folder"
        case EACCES, EPERM: "permission denied"
        case ELOOP: "the symbolic links form a loop"
        default: "cannot be opened: \(String(cString: strerror(code)))"
        }
    }

    static let pipe = "is a pipe, not a file; give - to read one as standard input"
    static let socket = "is a socket, not a picture"
    static let device = "is a device, not a picture"
    static let noPicture = "there is no picture in this folder"
}
