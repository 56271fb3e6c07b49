import Glibc
import Testing

/// A log of the comparisons with other decoders, one row per variant.
///
/// Rows are appended to the file that the environment variable VITRINE_CONFORMANCE names, if set. See
/// meson-helpers/compare/conformance.
enum Conformance {
    /// Expects a difference of at most `limit`, in steps of 8-bit channels, and logs the row.
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
        // A single write keeps rows of concurrent tests intact.
        let line = Array((cells.joined(separator: "\t") + "\n").utf8)
        _ = Glibc.write(file, line, line.count)
    }
}
