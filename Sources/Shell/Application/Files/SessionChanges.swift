import DecodeClient
import Folders
import ImageService
import Motion

/// What a session changes in files, and the commands that it runs on them.
final class SessionChanges {
    /// Changes of files, which all sessions of a run share.
    let files: FileWork
    let marks: MarkStore
    let turns: PictureTurns
    let crops: PictureCrops
    let recentFolders: RecentFolders
    let ownCommands = OwnCommands()
    /// Nil until the desktop turns out to have no file chooser.
    var folderChooser: FolderChooser?
    /// Until when the program waits for changes under way after the user has quit; nil before.
    private(set) var latestEnd: Moment?

    /// The longest time that the program goes on after its end to change files, in milliseconds.
    private static let patience = 10_000.0

    init(
        _ album: Album, _ files: FileWork, _ options: Options, _ environment: DecoderEnvironment,
        on disk: DiskWork
    ) {
        self.files = files
        marks = MarkStore(album, files, RatingReader(environment, files: album))
        turns = PictureTurns(album, files, environment)
        crops = PictureCrops(files, environment)
        recentFolders = RecentFolders(in: options.keptStateFolder, on: disk)
    }

    /// Whether files are being read or changed, or a command runs.
    var isBusy: Bool {
        files.isBusy || turns.isWriting || crops.isBusy || ownCommands.isBusy || marks.isBusy
            || folderChooser?.isBusy == true
    }

    /// Whether files are being changed, or wait for that.
    var isSaving: Bool { turns.isBusy || files.isBusy || crops.isBusy }

    /// Writes the pending changes, since the user has quit.
    func saveAtEnd(now moment: Moment) {
        turns.flush()
        if isSaving { latestEnd = moment.advanced(byMilliseconds: Self.patience) }
    }

    /// Whether all changes are written, or the time for them is over.
    func hasSaved(at moment: Moment) -> Bool {
        !isSaving || latestEnd.map { moment >= $0 } ?? true
    }
}
