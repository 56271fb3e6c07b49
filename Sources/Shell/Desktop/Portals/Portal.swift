/// Names of the desktop portal: the programs through which desktops offer their services.
///
/// Documentation: https://flatpak.github.io/xdg-desktop-portal/docs/
enum Portal {
    static let program = "org.freedesktop.portal.Desktop"
    private static let path = "/org/freedesktop/portal/desktop"

    static let fileChooser = Bus.Interface(
        program: program, path: path, name: "org.freedesktop.portal.FileChooser")
    static let background = Bus.Interface(
        program: program, path: path, name: "org.freedesktop.portal.Wallpaper")
    static let printing = Bus.Interface(
        program: program, path: path, name: "org.freedesktop.portal.Print")
    static let email = Bus.Interface(
        program: program, path: path, name: "org.freedesktop.portal.Email")
    static let openURI = Bus.Interface(
        program: program, path: path, name: "org.freedesktop.portal.OpenURI")
    static let settings = Bus.Interface(
        program: program, path: path, name: "org.freedesktop.portal.Settings")

    /// The request at an object path, which a method of a portal returns.
    static func request(_ path: String) -> Bus.Interface {
        Bus.Interface(program: program, path: path, name: "org.freedesktop.portal.Request")
    }

    /// The path that a request with a token will have, so that its answer cannot be missed.
    static func requestPath(of connection: String, token: String) -> String {
        let sender = connection.drop { $0 == ":" }.map { $0 == "." ? "_" : $0 }
        return "\(path)/request/\(String(sender))/\(token)"
    }

    /// The bus itself, which says when a program appears and ends.
    static let bus = Bus.Interface(
        program: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
        name: "org.freedesktop.DBus")
}
