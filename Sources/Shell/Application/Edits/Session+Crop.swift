import Browser
import Commands
import DecodeClient
import Edits
import EventLoop
import FileChanges
import Folders
import Geometry
import ImageWire
import Interface
import Localization
import Motion
import SceneModel
import Viewer

/// Crops, which are saved as a copy or in place of the original.
extension Session {
    /// How long a crop may take before its progress is shown, in milliseconds.
    private static let quietTime = 500.0

    /// Writes a crop of the picture at an index, as the person has seen it, after the turns that are not
    /// written yet.
    ///
    /// The edit is for the pixels that were shown: a turn that the view had before the crop is a part of
    /// the edit, and is taken out of it where the file is turned before.
    func saveCrop(_ edit: PictureEdit, _ save: CropSave, of index: Int, at moment: Moment) {
        guard kiosk == nil, index < album.count, case let id = album.id(index),
            album.entry(id)?.descriptor == nil, let path = album.path(id)?.absolute
        else {
            return browser.show(
                Toast(localized("this picture has no file that can be cropped")), at: moment)
        }
        let ahead = changes.turns.ahead(of: id)
        let failures = changes.turns.failures
        finishTurns { [weak self] in
            guard let self else { return }
            var edit = edit
            if changes.turns.failures == failures {
                edit.turn = ahead.inverse.followed(by: edit.turn)
            }
            guard !edit.isIdentity else { return }
            changes.crops.add(.init(path: path, edit: edit, save: save))
        }
    }

    /// Connects the crops with the browser.
    func registerCrops() {
        changes.crops.onWriting = { [unowned self] path in
            changes.crops.progress = path.map {
                .init(path: $0, due: now().advanced(byMilliseconds: Self.quietTime))
            }
            if path == nil, browser.prompt?.purpose == .progress, !changes.files.isBusy {
                browser.setPrompt(nil, at: now())
            }
        }
        _ = sources.add(runDeadline: { [unowned self] in changes.crops.progress?.due }) {
            [unowned self] in
            changes.crops.progress?.due = nil
            guard let path = changes.crops.progress?.path, !browser.isModal else { return }
            var prompt = Prompt(.progress, localized("Crop \(ChangeTexts.name(of: path))"))
            prompt.text = localized("The picture is encoded and checked.")
            prompt.progress = 0
            browser.setPrompt(prompt, at: now())
        }
        changes.crops.onLosses = { [unowned self] in askAboutLosses($0, $1, isCopy: $2) }
        changes.crops.onEnd = { [unowned self] in report($0) }
    }

    /// Asks before a file that lacks something replaces an original, or is saved as its copy.
    private func askAboutLosses(_ path: [UInt8], _ losses: [String], isCopy: Bool) {
        let name = ChangeTexts.name(of: path)
        let lacking = losses.map { localized(key: $0) }.joined(separator: "; ")
        var prompt = Prompt(
            .saveCrop, isCopy ? localized("Save a copy of \(name)?") : localized("Replace \(name)?")
        )
        // Translators: the value is what the new file lacks, as in "the EXIF data are left out".
        prompt.text =
            isCopy
            ? localized("In the copy \(lacking). The original stays as it is.")
            : localized("In the new file \(lacking). The original goes to the trash.")
        prompt.confirm = isCopy ? localized("Save") : localized("Replace")
        ask(prompt) { [unowned self] in changes.crops.answer($0 == .confirmed) }
    }

    /// Tells the person what became of a crop.
    private func report(_ outcome: PictureCrops.Outcome) {
        switch outcome {
        case .saved(let path, let original, let description, let isCopy):
            // Translators: a name, and its size and quality, as in "“a.jpg” saved, 800 × 600, full quality".
            var text = localized(
                "\(ChangeTexts.name(of: path)) saved, \(ChangeTexts.text(of: description))")
            if isCopy { text += ChangeTexts.text(ofLosses: description.losses) }
            Diagnostics.info("\(FilePath(original)): cropped to \(FilePath(path))")
            browser.show(Toast(text, undo: .undo), at: now())
            if isCopy, let id = album.id(of: FilePath(original)) {
                reveal(FilePath(path), of: (id, text))
            }
        case .failed(let path, let reason):
            Diagnostics.warning(FilePath(path), reason)
            browser.show(
                Toast(localized("\(ChangeTexts.name(of: path)) was not cropped: \(reason)")),
                at: now())
        case .stopped: browser.show(Toast(localized("nothing was cropped")), at: now())
        }
        refreshAlbum()
    }
}

extension ChangeTexts {
    /// What a copy lacks, to be shown after the name of the copy; empty if the copy lacks nothing.
    static func text(ofLosses losses: [String]) -> String {
        guard !losses.isEmpty else { return "" }
        let lacking = losses.map { localized(key: $0) }.joined(separator: "; ")
        return localized("; in the copy \(lacking)")
    }

    /// Size and quality of a new picture, such as "800 × 600, full quality": only a file whose pixels were
    /// not computed anew, and that lacks nothing, is called so.
    static func text(of description: EditDescription) -> String {
        let size = "\(description.size.width) × \(description.size.height)"
        switch description.method {
        case .reencoded(quality: nil): return size
        case .orientationTag, .jpegCoefficients:
            return description.losses.isEmpty ? localized("\(size), full quality") : size
        case .reencoded(quality: .some(let quality)):
            return localized("\(size), \(description.format) quality \(quality)")
        }
    }
}
