/// Swift source that grows line by line, with indentation.
struct SourceText {
    private(set) var text = ""
    private var depth = 0

    /// Appends one line at the current depth; an empty line gets no indentation.
    mutating func line(_ line: String = "") {
        if !line.isEmpty { text += String(repeating: "    ", count: depth) + line }
        text += "\n"
    }

    /// Appends `head {`, the body one level deeper, and the closing brace followed by `tail`.
    mutating func block(
        _ head: String, closing tail: String = "", _ body: (inout SourceText) -> Void
    ) {
        line(head + " {")
        depth += 1
        body(&self)
        depth -= 1
        line("}" + tail)
    }

    /// Appends a documentation comment from the summary of a description.
    mutating func comment(_ summary: String?, since: Int = 1) {
        if let summary { line("/// " + summary) }
        guard since > 1 else { return }
        if summary != nil { line("///") }
        line("/// Since version \(since).")
    }
}
