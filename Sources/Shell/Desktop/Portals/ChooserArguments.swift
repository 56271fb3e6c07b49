import Folders
import ImageTypes
import Localization

/// The arguments of the portal's methods `OpenFile` and `SaveFile`.
enum ChooserArguments {
    /// `token` is the last part of the request's path; `parent` identifies the window, or is empty.
    static func arguments(_ kind: FileKind, token: String, parent: String) -> BusValue {
        switch kind {
        case .files:
            .tuple([
                .text(parent), .text(localized("Open pictures")),
                .options([
                    "handle_token": .text(token), "multiple": .bool(true), "filters": filters,
                ]),
            ])
        case .folder:
            .tuple([
                .text(parent), .text(localized("Open a folder of pictures")),
                .options(["handle_token": .text(token), "directory": .bool(true)]),
            ])
        case .destination(let title, let start):
            .tuple([
                .text(parent), .text(title),
                options(
                    [("handle_token", .text(token)), ("directory", .bool(true))], start: start),
            ])
        case .newFile(let title, let name, let start):
            .tuple([
                .text(parent), .text(title),
                options(
                    [("handle_token", .text(token)), ("current_name", .text(name))], start: start),
            ])
        }
    }

    /// The method for a kind.
    static func method(_ kind: FileKind) -> String {
        if case .newFile = kind { "SaveFile" } else { "OpenFile" }
    }

    private static func options(
        _ options: [(String, BusValue)], start: FilePath?
    ) -> BusValue {
        // A path is an array of bytes with a NUL at the end.
        let folder = start.map { start in
            ("current_folder", BusValue.array((start.bytes + [0]).map { .byte($0) }, of: "y"))
        }
        let all = options + [folder].compactMap(\.self)
        return .array(all.map { .entry(.text($0.0), .variant($0.1)) }, of: "{sv}")
    }

    /// The kinds of the rules of a filter.
    private static let (pattern, mimeType): (UInt32, UInt32) = (0, 1)

    /// Pictures by MIME type, or all files.
    private static var filters: BusValue {
        let types = PictureFormat.all.flatMap(\.mimeTypes)
        return .array(
            [
                filter(localized("Pictures"), types.map { (mimeType, $0) }),
                filter(localized("All files"), [(pattern, "*")]),
            ], of: "(sa(us))")
    }

    private static func filter(_ name: String, _ rules: [(UInt32, String)]) -> BusValue {
        .tuple([
            .text(name),
            .array(rules.map { .tuple([.unsigned($0), .text($1)]) }, of: "(us)"),
        ])
    }
}
