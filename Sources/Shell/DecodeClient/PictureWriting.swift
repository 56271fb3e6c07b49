import Edits
package import FileAccess
import Glibc
package import ImageTypes
package import ImageWire
import Localization

/// A changed picture file that was compared with what was asked for.
package struct WrittenPicture: Sendable {
    /// The whole new file, in memory that nobody can change.
    package let file: SealedFile
    package let description: EditDescription
}

/// Why a changed picture file was not made.
package enum WriteFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be changed in this way.
    case refused(reason: String)
    /// A decoder could not read the source.
    case decoding(DecodeFailure)
    /// The new file does not show what was asked for.
    case differentPixels
    /// The new file lacks metadata of the source; the kind is one of
    /// `PictureFingerprint.metadataKinds`.
    case lostMetadata(kind: String)
    /// The new file cannot be read; the reason is that of its decoder.
    case unreadableResult(reason: String)

    package var description: String {
        switch self {
        case .refused(let reason): localized(key: reason)
        case .decoding(let failure): failure.description
        case .differentPixels:
            localized("the new file does not show what it should; nothing was changed")
        case .lostMetadata(let kind):
            localized("the new file would lack its \(kind); nothing was changed")
        case .unreadableResult(let reason):
            localized(
                "the new file cannot be read (\(localized(key: reason))); nothing was changed")
        }
    }
}

/// Writes changed picture files by decoders, and checks what they wrote.
///
/// One decoder makes the new file. Two others, which have not seen it before, say what the source
/// shows after the edit, and what the new file shows; both must agree. So a file that takes over its
/// decoder cannot make that decoder write what it likes. The owner runs one operation at a time.
package final class PictureWriting {
    private enum Phase {
        case idle
        case planning((Result<EditDescription, WriteFailure>) -> Void)
        case writing((Result<WrittenPicture, WriteFailure>) -> Void)
    }

    private var phase = Phase.idle
    /// Asks the decoder of the source.
    private let sourceSession: DecodeSession
    /// Asks the decoder of the new file.
    private let resultSession: DecodeSession
    /// The source of the operation, of which a descriptor belongs to this object.
    private var source: PictureSource?
    private var request: EditRequest?
    private var written: WrittenPicture?
    /// What the source shows after the edit, and what the new file shows.
    private var fingerprints: (source: PictureFingerprint?, result: PictureFingerprint?)
    /// Called when the file of the source does not arrive for some time.
    package var onWaiting: () -> Void = {}

    /// Starts decoders ahead; throws if they cannot be started.
    ///
    /// `niceness` is 0…19 as in nice(2).
    package init(
        _ environment: DecoderEnvironment, niceness: Int32 = 0
    ) throws(DecodeClientError) {
        sourceSession = try DecodeSession(environment, niceness: niceness, decodesPixels: false)
        resultSession = try DecodeSession(environment, niceness: niceness, decodesPixels: false)
        sourceSession.onEvent = { [unowned self] in handleSource($0) }
        resultSession.onEvent = { [unowned self] in handleResult($0) }
    }

    deinit { closeSource() }

    /// Whether an operation has begun and not ended.
    package var isBusy: Bool {
        if case .idle = phase { false } else { true }
    }

    // MARK: Operations

    /// Finds out what `write` would do; cancels the operation before.
    ///
    /// A descriptor of the source is closed. `onEnd` is called once, unless the operation is
    /// cancelled.
    package func plan(
        _ source: PictureSource, _ request: EditRequest,
        onEnd: @escaping (Result<EditDescription, WriteFailure>) -> Void
    ) {
        begin(source, request, .planning(onEnd))
        start(.plan(request))
    }

    /// Makes the changed file, and compares it; cancels the operation before.
    ///
    /// A descriptor of the source is closed. `onEnd` is called once, unless the operation is
    /// cancelled.
    package func write(
        _ source: PictureSource, _ request: EditRequest,
        onEnd: @escaping (Result<WrittenPicture, WriteFailure>) -> Void
    ) {
        begin(source, request, .writing(onEnd))
        start(.write(request))
    }

    /// Cancels the operation, whose end is not reported.
    package func cancel() {
        phase = .idle
        sourceSession.cancel()
        resultSession.cancel()
        closeSource()
        (request, written, fingerprints) = (nil, nil, (nil, nil))
    }

    private func begin(_ source: PictureSource, _ request: EditRequest, _ phase: Phase) {
        cancel()
        (self.source, self.request, self.phase) = (source, request, phase)
    }

    /// Asks the decoder of the source.
    private func start(_ task: EditTask) {
        switch source {
        case .file: if let source { sourceSession.start(.edit(task), of: 0, source) }
        case .descriptor(let descriptor): start(task, sourceSession, descriptor)
        case nil: break
        }
    }

    /// Asks a decoder about a copy of a descriptor.
    private func start(_ task: EditTask, _ session: DecodeSession, _ descriptor: Int32) {
        do throws(DecodeFailure) {
            let copy = try PictureFile.duplicate(descriptor)
            session.start(.edit(task), of: 0, .descriptor(copy))
        } catch { fail(.decoding(error)) }
    }

    private func closeSource() {
        if case .descriptor(let descriptor) = source { close(descriptor) }
        source = nil
    }

    // MARK: Answers

    private func handleSource(_ event: DecodeEvent) {
        switch event {
        case .edited(_, .planned(let description), _): endPlan(description)
        case .edited(_, .written(let description), let file): verify(description, file)
        case .edited(_, .fingerprint(let fingerprint), _):
            fingerprints.source = fingerprint
            compare()
        case .edited(_, .refused(let reason), _): fail(.refused(reason: reason))
        case .failed(_, let failure): fail(.decoding(failure))
        case .waiting: onWaiting()
        case .opened, .info, .pixels, .gain, .finished, .frame, .tile, .metadata: break
        }
    }

    private func handleResult(_ event: DecodeEvent) {
        switch event {
        case .edited(_, .fingerprint(let fingerprint), _):
            fingerprints.result = fingerprint
            compare()
        case .edited(_, .refused(let reason), _): fail(.unreadableResult(reason: reason))
        case .failed(_, let failure): fail(.unreadableResult(reason: failure.description))
        case .edited, .waiting, .opened, .info, .pixels, .gain, .finished, .frame, .tile, .metadata:
            break
        }
    }

    private func endPlan(_ description: EditDescription) {
        guard case .planning(let onEnd) = phase, let request else { return }
        let isAllowed = request.allows(description)
        cancel()
        onEnd(isAllowed ? .success(description) : .failure(.decoding(.invalidReply)))
    }

    /// Asks what the source and the new file show.
    private func verify(_ description: EditDescription, _ file: SealedFile?) {
        guard let file, let request, request.allows(description) else {
            return fail(.decoding(.invalidReply))
        }
        written = WrittenPicture(file: file, description: description)
        start(.fingerprint(request.fingerprint(of: description)))
        // A failure has ended the operation.
        guard written != nil else { return }
        var ofResult = FingerprintRequest()
        ofResult.ofCoefficients = description.method == .jpegCoefficients
        start(.fingerprint(ofResult), resultSession, file.descriptor)
    }

    private func compare() {
        guard case .writing(let onEnd) = phase, let written, let source = fingerprints.source,
            let result = fingerprints.result
        else { return }
        let failure = FingerprintComparison.failure(source, result, written.description)
        if let failure {
            return fail(failure)
        }
        cancel()
        onEnd(.success(written))
    }

    private func fail(_ failure: WriteFailure) {
        let ended = phase
        cancel()
        switch ended {
        case .idle: break
        case .planning(let onEnd): onEnd(.failure(failure))
        case .writing(let onEnd): onEnd(.failure(failure))
        }
    }
}

extension EditRequest {
    /// Whether a decoder may answer with a method, which it may not choose to be checked less.
    fileprivate func allows(_ description: EditDescription) -> Bool {
        switch description.method {
        case .orientationTag: edit.crop == nil
        case .jpegCoefficients: turnsPixels && edit.crop == nil || crop == .blockGrid
        case .reencoded: mayReencode
        }
    }

    /// What to ask of the source to compare it with the new file.
    fileprivate func fingerprint(of description: EditDescription) -> FingerprintRequest {
        var request = FingerprintRequest(edit)
        request.ofCoefficients = description.method == .jpegCoefficients
        request.turnsPixels = turnsPixels
        request.trimsEdges = trimsEdges
        return request
    }
}
