import CLinux
import Folders
import Glibc
import ImageTypes
import Localization
import SystemCalls

/// What the thread of the bus is asked to do with files; each task ends with an answer.
enum DesktopTask: Sendable {
    /// Show files in the file manager.
    case show([FilePath], token: String?)
    /// Make a file the background.
    case background(FilePath, parent: String)
    /// Begin a mail with files.
    case email([FilePath], subject: String, token: String?, parent: String)
    /// Open a file with an application that the desktop asks for.
    case open(FilePath, token: String?, parent: String)
    /// Show a place in a program for maps, or a page in a web browser.
    case openAddress(Address, token: String?, parent: String)
    /// Open files by a call to an application.
    case activate(String, [FilePath], token: String?)
    /// Print a picture.
    case print(Bitmap, title: String, parent: String)

    /// The answer without a session bus.
    func answer(unreachable reason: String) -> DesktopAnswer {
        switch self {
        case .show: .failed(localized("the file manager cannot be reached: \(reason)"))
        case .background: .failed(PortalService.background.unreachable(reason))
        case .email: .failed(PortalService.email.unreachable(reason))
        case .openAddress(let address, _, _): .failed(address.service.unreachable(reason))
        case .open: .failed(PortalService.openFile.unreachable(reason))
        case .print: .failed(PortalService.printing.unreachable(reason))
        case .activate(let identifier, _, _):
            .failed(localized("the application “\(identifier)” cannot be reached: \(reason)"))
        }
    }
}

/// What is shown by a program of the person's choice.
package enum Address: Hashable, Sendable {
    /// A place, as a URI of RFC 5870.
    case map(String)
    case webPage(String)

    var uri: String {
        switch self {
        case .map(let uri), .webPage(let uri): uri
        }
    }

    var service: PortalService {
        switch self {
        case .map: .maps
        case .webPage: .webPages
        }
    }
}

/// Files of a person that are open for a call.
struct OpenFiles: ~Copyable {
    private(set) var descriptors: [Int32] = []

    /// Why a file cannot be opened, as a message.
    struct Failure: Error { var message: String }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// Closes the files; until then they are open.
    consuming func end() {}

    /// Opens files for reading; waits for the file system.
    init(_ paths: [FilePath]) throws(Failure) {
        for path in paths {
            do throws(SystemError) {
                descriptors.append(
                    try reporting { path.withCString { clinux_open_picture($0) } })
            } catch {
                let name = DisplayText.line(path.displayName).shortName
                let failure = Failure(message: "\(name): \(error.pictureMessage)")
                for descriptor in descriptors { close(descriptor) }
                descriptors = []
                throw failure
            }
        }
    }
}
