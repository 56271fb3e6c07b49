import Glibc

/// What the system says about a path, for a person who wanted to see a picture.
enum FileWords {
    static func reason(_ code: Int32) -> String {
        switch code {
        case ENOENT: "there is no such file"
        case ENOTDIR: "a part of the path is not a folder"
        case EACCES, EPERM: "it may not be read: permission denied"
        case ELOOP: "it is a link that leads to itself"
        default: "it cannot be opened: \(String(cString: strerror(code)))"
        }
    }

    static let pipe = "is a pipe, not a file; give - to read one as standard input"
    static let socket = "is a socket, not a picture"
    static let device = "is a device, not a picture"
    static let noPicture = "there is no picture in this folder"
}
