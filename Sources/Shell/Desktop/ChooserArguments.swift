import ImageTypes

/// The arguments of the portal's method `OpenFile`.
enum ChooserArguments {
    /// `token` is the last part of the request's path; `parent` identifies the window, or is empty.
    static func openFile(_ kind: FileKind, token: String, parent: String) -> BusValue {
        switch kind {
        case .files:
            .tuple([
                .text(parent), .text("Open pictures"),
                .options([
                    "handle_token": .text(token), "multiple": .bool(true), "filters": filters,
                ]),
            ])
        case .folder:
            .tuple([
                .text(parent), .text("Open a folder of pictures"),
                .options(["handle_token": .text(token), "directory": .bool(true)]),
            ])
        }
    }

    /// The kinds of the rules of a filter.
    private static let (pattern, mimeType): (UInt32, UInt32) = (0, 1)

    /// Pictures by MIME type, or all files.
    private static var filters: BusValue {
        let types = PictureFormat.all.flatMap(\.mimeTypes)
        return .array(
            [
                filter("Pictures", types.map { (mimeType, $0) }),
                filter("All files", [(pattern, "*")]),
            ], of: "(sa(us))")
    }

    private static func filter(_ name: String, _ rules: [(UInt32, String)]) -> BusValue {
        .tuple([
            .text(name),
            .array(rules.map { .tuple([.unsigned($0), .text($1)]) }, of: "(us)"),
        ])
    }
}
