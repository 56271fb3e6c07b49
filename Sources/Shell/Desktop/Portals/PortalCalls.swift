/// The arguments of the portal's methods for files.
///
/// Documentation: https://flatpak.github.io/xdg-desktop-portal/docs/
enum PortalCalls {
    /// Makes the picture of an open file the background, after a preview.
    static func background(_ file: Int32, parent: String) -> PortalRequest.Call {
        .init(
            interface: Portal.background, method: "SetWallpaperFile",
            arguments: { token in
                .tuple([
                    .text(parent), .handle(0),
                    .options([
                        "handle_token": .text(token), "show-preview": .bool(true),
                        "set-on": .text("both"),
                    ]),
                ])
            }, descriptors: [file])
    }

    /// Opens an open file with an application that the person chooses.
    static func open(_ file: Int32, token activation: String?, parent: String) -> PortalRequest.Call
    {
        .init(
            interface: Portal.openURI, method: "OpenFile",
            arguments: { token in
                .tuple([
                    .text(parent), .handle(0),
                    options(
                        [("handle_token", .text(token)), ("ask", .bool(true))], activation),
                ])
            }, descriptors: [file])
    }

    /// Opens a URI with the person's program for its scheme.
    static func open(
        uri: String, token activation: String?, parent: String
    ) -> PortalRequest.Call {
        .init(
            interface: Portal.openURI, method: "OpenURI",
            arguments: { token in
                .tuple([
                    .text(parent), .text(uri),
                    options([("handle_token", .text(token))], activation),
                ])
            }, descriptors: [])
    }

    /// Shows the folder of an open file in the file manager.
    static func openFolder(
        of file: Int32, token activation: String?, parent: String
    ) -> PortalRequest.Call {
        .init(
            interface: Portal.openURI, method: "OpenDirectory",
            arguments: { token in
                .tuple([
                    .text(parent), .handle(0),
                    options([("handle_token", .text(token))], activation),
                ])
            }, descriptors: [file])
    }

    /// Begins a mail with open files.
    static func email(
        _ files: [Int32], subject: String, token activation: String?, parent: String
    ) -> PortalRequest.Call {
        .init(
            interface: Portal.email, method: "ComposeEmail",
            arguments: { token in
                let attached = files.indices.map { BusValue.handle(Int32($0)) }
                return .tuple([
                    .text(parent),
                    options(
                        [
                            ("handle_token", .text(token)), ("subject", .text(subject)),
                            ("attachment_fds", .array(attached, of: "h")),
                        ], activation),
                ])
            }, descriptors: files)
    }

    private static func options(
        _ options: [(String, BusValue)], _ activation: String?
    ) -> BusValue {
        let token = activation.map { ("activation_token", BusValue.text($0)) }
        return .array(
            (options + [token].compactMap(\.self)).map { .entry(.text($0.0), .variant($0.1)) },
            of: "{sv}")
    }

    // MARK: Printing

    /// Asks for the printer and the paper of a page.
    static func preparePrint(
        title: String, isLandscape: Bool, parent: String
    ) -> PortalRequest.Call {
        .init(
            interface: Portal.printing, method: "PreparePrint",
            arguments: { token in
                let orientation = BusValue.text(isLandscape ? "landscape" : "portrait")
                return .tuple([
                    .text(parent), .text(title), .options(["orientation": orientation]),
                    .options(["Orientation": orientation]),
                    .options(["handle_token": .text(token), "modal": .bool(true)]),
                ])
            })
    }

    /// Prints a document, on the printer and with the settings of a `PreparePrint` before.
    static func print(
        _ document: Int32, title: String, printer: UInt32, parent: String
    ) -> PortalRequest.Call {
        .init(
            interface: Portal.printing, method: "Print",
            arguments: { token in
                .tuple([
                    .text(parent), .text(title), .handle(0),
                    .options(["handle_token": .text(token), "token": .unsigned(printer)]),
                ])
            }, descriptors: [document])
    }
}
