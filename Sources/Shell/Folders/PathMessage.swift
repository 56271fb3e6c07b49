import Localization

/// Messages for users about paths that can be opened but not listed.
enum PathMessage {
    static let pipe = localized("is a pipe, not a file; give - to read one as standard input")
    static let socket = localized("is a socket, not a picture")
    static let device = localized("is a device, not a picture")
    static let noPicture = localized("there is no picture in this folder")
}
