import Glibc
import Testing

/// What was compared with another decoder, format by format: a table of one row a variant in the file
/// that VITRINE_CONFORMANCE names, if it names one; see meson-helpers/conformance.
enum Conformance {
    /// Expects a difference, in steps of 8 bits of any channel, of at most so much.
    static func expect(
        _ format: String, _ variant: String, _ difference: some BinaryFloatingPoint,
        atMost limit: some BinaryFloatingPoint, from reference: String,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(
            Double(difference) <= Double(limit), "\(format) \(variant)", sourceLocation: location)
        write([format, variant, reference, rounded(Double(difference)), rounded(Double(limit))])
    }

    static func expect(
        _ format: String, _ variant: String, _ difference: Int, atMost limit: Int,
        from reference: String, at location: SourceLocation = #_sourceLocation
    ) {
        expect(
            format, variant, Double(difference), atMost: Double(limit), from: reference,
            at: location)
    }

    private static func rounded(_ value: Double) -> String {
        "\((value * 100).rounded() / 100 + 0)"
    }

    private static func write(_ cells: [String]) {
        guard let path = getenv("VITRINE_CONFORMANCE") else { return }
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard file >= 0 else { return }
        defer { close(file) }
        // One call, so that rows of tests that run at once stay whole.
        let line = Array((cells.joined(separator: "\t") + "\n").utf8)
        _ = Glibc.write(file, line, line.count)
    }
}
