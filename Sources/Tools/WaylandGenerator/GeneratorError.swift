/// Why no bindings were generated; the text is for the person who builds.
struct GeneratorError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// An error in an input file.
    init(_ message: String, file: String, line: Int) {
        description = "\(file):\(line): \(message)"
    }
}
