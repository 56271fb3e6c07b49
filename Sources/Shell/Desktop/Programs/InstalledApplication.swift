import CDesktop
import Folders

/// An application of the desktop that opens pictures.
package struct InstalledApplication: Hashable, Sendable {
    /// The name of the desktop entry, such as "org.gimp.GIMP.desktop".
    package let identifier: String
    /// The name for a person.
    package let name: String
    /// The name of an icon of the theme, or the path of one; empty for none.
    package let icon: String

    package init(identifier: String, name: String, icon: String) {
        (self.identifier, self.name, self.icon) = (identifier, name, icon)
    }

    private final class Found {
        /// How many applications are listed at most.
        private static let most = 64
        var all: [InstalledApplication] = []

        func add(_ application: InstalledApplication) {
            let isNew = !all.contains { $0.identifier == application.identifier }
            if isNew, all.count < Self.most { all.append(application) }
        }
    }

    /// The applications that open files of a MIME type, the default one first; nil without GIO.
    ///
    /// Waits for the file system.
    static func all(for type: String) -> [InstalledApplication]? {
        let found = Found()
        let context = Unmanaged.passUnretained(found).toOpaque()
        let hasGIO = cdesktop_applications(
            type,
            { context, identifier, name, icon in
                guard let context, let identifier, let name, let icon else { return }
                let found = Unmanaged<Found>.fromOpaque(context).takeUnretainedValue()
                found.add(
                    InstalledApplication(
                        identifier: String(cString: identifier),
                        name: DisplayText.line(String(cString: name)),
                        icon: String(cString: icon)))
            }, context)
        return hasGIO == 0 ? nil : found.all
    }
}

/// What the desktop entry of an application says about its start.
struct ApplicationEntry: Sendable {
    var facts = DesktopEntryCommand.Facts()
    /// The key `Exec`; empty without one.
    var command = ""
    var folder: FilePath?
    var needsTerminal = false
    /// Whether the application opens files by a call on the session bus.
    var isOnBus = false

    private final class Found { var entry: ApplicationEntry? }

    /// The entry of an application; nil where there is none, or its program is not installed.
    ///
    /// Waits for the file system.
    static func named(_ identifier: String) -> ApplicationEntry? {
        let found = Found()
        _ = cdesktop_application(
            identifier,
            { context, description in
                guard let context, let description = description?.pointee else { return }
                let found = Unmanaged<Found>.fromOpaque(context).takeUnretainedValue()
                found.entry = ApplicationEntry(description)
            }, Unmanaged.passUnretained(found).toOpaque())
        return found.entry
    }

    private init(_ description: cdesktop_description) {
        func text(_ text: UnsafePointer<CChar>?) -> String {
            text.map { String(cString: $0) } ?? ""
        }
        facts = .init(
            name: DisplayText.line(text(description.name)), icon: text(description.icon),
            file: text(description.file))
        command = text(description.command)
        folder = description.folder.map { FilePath(String(cString: $0)) }
        needsTerminal = description.needs_terminal != 0
        isOnBus = description.is_on_bus != 0
    }
}
