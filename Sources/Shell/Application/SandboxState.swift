import DecodeClient
import ImageWire
import Glibc

/// How decoders are locked in on this machine, in words.
struct SandboxState {
    private let report: SandboxReport

    /// Starts a decoder and asks it.
    static func ask() throws(RunFailure) -> SandboxState {
        do throws(DecodeClientError) {
            return SandboxState(report: try DecoderInquiry.cage(PictureLoader.decoderPath()))
        } catch { throw RunFailure("the decoder cannot be started: \(error)") }
    }

    /// A line a measure.
    var text: String {
        SandboxMeasure.allCases.map { "decoder: \($0.name): \(words(for: $0))\n" }.joined()
    }

    /// Says which measures are missing, in the log.
    func tell() {
        for measure in SandboxMeasure.allCases {
            if case .inForce = report[measure] { continue }
            Diagnostics.info(
                "the decoder runs without this: \(measure.name): \(words(for: measure))")
        }
    }

    private func words(for measure: SandboxMeasure) -> String {
        switch report[measure] {
        case .inForce(0): "yes"
        case .inForce(let version): "yes (version \(version))"
        case .refused(let code): "no (\(String(cString: strerror(Int32(code)))))"
        case .leftOut: "no"
        }
    }
}
