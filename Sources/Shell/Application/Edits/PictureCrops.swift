import DecodeClient
import Edits
import FileChanges
import FileAccess
import Folders
import Glibc
import ImageTypes
import ImageWire
import Interface
import Localization
import Motion
import Viewer

/// Writes crops into files, one after the other.
final class PictureCrops {
    /// A crop of a file.
    struct Crop {
        let path: [UInt8]
        var edit: PictureEdit
        var save: CropSave
    }

    /// What became of a crop.
    enum Outcome {
        /// The new file is at `path`; `original` is the picture that was cropped.
        case saved(path: [UInt8], original: [UInt8], EditDescription, isCopy: Bool)
        case failed(path: [UInt8], reason: String)
        /// The person has stopped it.
        case stopped
    }

    /// The file whose crop is being written, and when its progress is shown; nil after it was shown.
    struct Progress {
        let path: [UInt8]
        var due: Moment?
    }

    /// Nil while no crop is being written.
    var progress: Progress?
    private let work: FileWork
    private let environment: DecoderEnvironment
    /// Made with the first crop, and given up after the last one: its decoders need memory.
    private var writing: PictureWriting?
    /// Crops that wait, the first one of which is being written.
    private var queue: [Crop] = []
    /// Asks whether the new file may lack what the texts say; `answer` continues.
    var onLosses: (_ path: [UInt8], _ losses: [String], _ isCopy: Bool) -> Void = { _, _, _ in }
    /// Continues the crop that has asked.
    private var awaited: (() -> Void)?
    /// Called when writing begins and ends.
    var onWriting: (_ path: [UInt8]?) -> Void = { _ in }
    var onEnd: (Outcome) -> Void = { _ in }

    init(_ work: FileWork, _ environment: DecoderEnvironment) {
        (self.work, self.environment) = (work, environment)
    }

    /// Whether a crop is being written; not while a question waits for its answer.
    var isBusy: Bool { !queue.isEmpty && awaited == nil }

    func add(_ crop: Crop) {
        queue.append(crop)
        if queue.count == 1 { start() }
    }

    /// Continues the crop that has asked, or gives it up.
    func answer(_ continues: Bool) {
        guard let awaited else { return }
        self.awaited = nil
        if continues { awaited() } else { end(.stopped) }
    }

    /// Gives up the crop that is being encoded; nothing of it was written.
    func stop() {
        guard writing?.isBusy == true else { return }
        writing?.cancel()
        end(.stopped)
    }

    // MARK: Steps

    private func start() {
        guard let crop = queue.first else { return }
        onWriting(crop.path)
        work.changes.stamp(of: crop.path) { [weak self] stamp in
            guard let self else { return }
            switch stamp {
            case .success(let stamp): plan(crop, stamp)
            case .failure(let failure): fail(crop, ChangeTexts.text(of: failure))
            }
        }
    }

    /// A request without a new encoding where none is needed.
    private func request(_ crop: Crop) -> EditRequest {
        var request = EditRequest(crop.edit)
        let isLossless = crop.save.method == .losslessGrid && crop.edit.crop != nil
        request.crop = isLossless ? .blockGrid : .exact
        request.mayReencode = !isLossless && crop.edit.crop != nil
        return request
    }

    private func withWriting(_ crop: Crop, _ body: (PictureWriting) -> Void) {
        do throws(DecodeClientError) {
            if writing == nil { writing = try PictureWriting(environment) }
            if let writing { body(writing) }
        } catch { fail(crop, localized("the decoder cannot be started: \(error)")) }
    }

    /// Finds the losses of a crop, which a person has to know before an original is replaced, and before
    /// a copy leaves out whole pictures.
    private func plan(_ crop: Crop, _ stamp: FileStamp, _ changed: EditRequest? = nil) {
        var request = changed ?? request(crop)
        withWriting(crop) { writing in
            writing.plan(.file(crop.path), request) { [weak self] result in
                guard let self else { return }
                switch result {
                case .success(let description):
                    let isCopy = !replaces(crop, description)
                    guard isCopy ? description.omitsPictures : !description.losses.isEmpty else {
                        return write(crop, stamp, request)
                    }
                    awaited = { [weak self] in self?.write(crop, stamp, request) }
                    onWriting(nil)
                    onLosses(crop.path, description.losses, isCopy)
                // A turn alone can be without loss, and need not.
                case .failure(.refused) where crop.edit.crop == nil && !request.mayReencode:
                    request.mayReencode = true
                    plan(crop, stamp, request)
                case .failure(let failure): fail(crop, failure.description)
                }
            }
        }
    }

    private func write(_ crop: Crop, _ stamp: FileStamp, _ request: EditRequest) {
        onWriting(crop.path)
        withWriting(crop) { writing in
            writing.write(.file(crop.path), request) { [weak self] result in
                guard let self else { return }
                switch result {
                case .success(let written): save(crop, stamp, written)
                case .failure(let failure): fail(crop, failure.description)
                }
            }
        }
    }

    /// Whether the original is replaced: only by a file of the format that its name tells.
    private func replaces(_ crop: Crop, _ description: EditDescription) -> Bool {
        guard crop.save.destination == .replace else { return false }
        let name = FileNames.name(of: crop.path)
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let given = String(decoding: name[name.index(after: dot)...], as: UTF8.self).lowercased()
        return PictureFormat.all.contains {
            $0.name == description.format && $0.extensions.contains(given)
        }
    }

    private func save(_ crop: Crop, _ stamp: FileStamp, _ written: WrittenPicture) {
        let isCopy = !replaces(crop, written.description)
        let copy = CopyNames.copy(
            // Translators: in the name of a copy, as in "a (cropped).png".
            of: crop.path, localized("cropped", context: "copy"), written.description.fileExtension)
        let action: FileAction =
            isCopy
            ? .save(path: copy, like: crop.path)
            : .replace(path: crop.path, expected: stamp, keepsTimes: true)
        let contents = dup(written.file.descriptor)
        work.perform(
            localized("Crop \(ChangeTexts.name(of: crop.path))"), .crop,
            [ChangeClient.Step(action, contents: contents)]
        ) { [weak self] result in
            guard let self else { return }
            if let failure = result.failures.first?.failure {
                return fail(crop, ChangeTexts.text(of: failure))
            }
            guard let done = result.done.first else { return end(.stopped) }
            end(
                .saved(
                    path: isCopy ? done.path : crop.path, original: crop.path,
                    written.description, isCopy: isCopy))
        }
    }

    private func fail(_ crop: Crop, _ reason: String) {
        end(.failed(path: crop.path, reason: reason))
    }

    private func end(_ outcome: Outcome) {
        queue.removeFirst()
        if queue.isEmpty { writing = nil }
        onWriting(nil)
        onEnd(outcome)
        start()
    }
}
