import Commands
import Browser
import Edits
import Folders
import Geometry
import Interface
import Localization
import Motion
import Settings
import Viewer

/// Turns and flips, which are kept in the file.
extension Session {
    /// Keeps a picture as the viewer shows it: turned by `shown` clockwise quarter turns against its
    /// pixels.
    func keepTurn(_ index: Int, quarters shown: Int, at moment: Moment) {
        guard savesTurns, index < album.count else { return }
        let id = album.id(index)
        let quarters = shown - changes.turns.quartersAhead(of: id)
        changes.turns.add(Orientation(turns: quarters), quarters: quarters, of: id, at: moment)
    }

    /// Turns or flips the file of the shown picture at once, as the picture is seen.
    func turn(by orientation: Orientation, at moment: Moment) {
        guard savesTurns, let id = targets.first else { return }
        let shown = browser.mode == .viewer ? browser.viewer.quarterTurns : 0
        let quarters = shown - changes.turns.quartersAhead(of: id)
        changes.turns.add(
            Orientation(turns: quarters).followed(by: orientation), quarters: quarters, of: id,
            at: moment)
        changes.turns.flush()
    }

    /// Whether turns are kept in files: not on a kiosk.
    private var savesTurns: Bool {
        kiosk == nil && browser.policy.allows(.undo) && options.values.savesTurns
    }

    /// Calls `body` when the turns so far are in the files.
    func finishTurns(_ body: @escaping () -> Void) { changes.turns.finish(body) }

    /// Tells the person what became of a turn.
    func report(_ outcome: PictureTurns.Outcome) {
        switch outcome {
        case .turned(let path):
            browser.show(
                Toast(localized("\(ChangeTexts.name(of: path)) turned and saved"), undo: .undo),
                at: now())
        case .copied(let path, let losses):
            let text =
                localized("saved as a copy, \(ChangeTexts.name(of: path))")
                + ChangeTexts.text(ofLosses: losses)
            browser.show(Toast(text, undo: .undo), at: now())
        case .failed(let path, let reason):
            Diagnostics.warning(FilePath(path), reason)
            browser.show(
                Toast(
                    localized("only the view is turned; \(ChangeTexts.name(of: path)): \(reason)")),
                at: now())
        }
        refreshAlbum()
    }
}
