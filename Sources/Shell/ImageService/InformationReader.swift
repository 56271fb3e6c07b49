import ImageWire
package import DecodeClient
import ImageTypes
package import Interface

/// Reads the facts of one picture for the open information panel.
///
/// Files are read by a separate sandboxed decoder process, because the other one may be decoding
/// pictures.
package final class InformationReader {
    /// What is known so far.
    package private(set) var facts = Information.Facts(name: "", folder: "")
    /// Nil if no decoder can be started.
    private let session: DecodeSession?
    private let files: any PictureFiles

    /// Called when all facts are known, or the file cannot be read.
    package var onEnd: () -> Void = {}

    /// The nice(2) value, below the decoder of the shown pictures.
    private static let niceness: Int32 = 10

    package init(_ environment: DecoderEnvironment, files: any PictureFiles) {
        self.files = files
        session = try? DecodeSession(
            environment, niceness: Self.niceness, decodesPixels: false)
        session?.onEvent = { [unowned self] in handle($0) }
    }

    /// Whether the facts of the picture are being read.
    package var isBusy: Bool { session?.isBusy == true }

    /// Starts reading a picture in place of the one before; `facts` has its name and folder.
    package func read(_ id: Int, _ facts: Information.Facts) {
        session?.cancel()
        self.facts = facts
        guard let session else {
            self.facts.problem = "\(DecodeFailure.crashed)"
            return
        }
        do {
            session.start(.metadata, of: id, try files.source(id))
        } catch {
            self.facts.problem = "\(error)"
        }
    }

    private func handle(_ event: DecodeEvent) {
        switch event {
        case .opened(_, let status):
            facts.length = status.size
            (facts.created, facts.modified) = (status.created, status.modified)
        case .info(_, let info): facts.picture = info
        case .metadata(_, let some):
            facts.metadata.entries += some.entries
            facts.metadata.alternativeTexts += some.alternativeTexts
            facts.metadata.position = some.position ?? facts.metadata.position
        case .waiting, .pixels, .gain, .frame, .tile, .edited: break
        case .failed(_, let failure):
            facts.problem = "\(failure)"
            onEnd()
        case .finished: onEnd()
        }
    }
}
