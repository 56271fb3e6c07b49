import DecodeClient
import ImageWire
import Localization
import SystemCalls

/// Which sandbox measures are active in decoders on this machine, as text.
struct SandboxState {
    private let report: SandboxReport

    /// Starts a decoder and asks for its sandbox report.
    static func ask() throws(RunFailure) -> SandboxState {
        let report = try Program.start { () throws(DecodeClientError) in
            try DecoderInquiry.sandboxReport(.installed)
        }
        return SandboxState(report: report)
    }

    /// One line per measure.
    var text: String {
        SandboxMeasure.allCases.map { "decoder: \($0.name): \(status(of: $0))\n" }.joined()
    }

    /// Warns once, in one line, if a decoder has reported that measures are not in force.
    static func warn() {
        SandboxWatch.onLack { report in
            let state = SandboxState(report: report)
            let measures = report.lacking.map { "\($0.name): \(state.status(of: $0))" }
                .joined(separator: ", ")
            Diagnostics.warning(
                localized("pictures are decoded without a part of the sandbox (\(measures))"))
        }
    }

    private func status(of measure: SandboxMeasure) -> String {
        switch report[measure] {
        case .inForce(0): "yes"
        case .inForce(let version): "yes (version \(version))"
        case .refused(let code): "no (\(SystemError(code: Int32(code))))"
        case .notRequested: "no"
        }
    }
}

/// The values of `decode.sandbox`.
enum SandboxUse: String, CaseIterable {
    case wanted, required
}
