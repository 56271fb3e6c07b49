/// Messages for users about paths that can be opened but not listed.
enum PathMessage {
    static let pipe = "is a pipe, not a file; give - to read one as standard input"
    static let socket = "is a socket, not a picture"
    static let device = "is a device, not a picture"
    static let noPicture = "there is no picture in this folder"
}
