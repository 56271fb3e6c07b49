package import Edits

/// A change of files that a person asked for, as one step of a batch.
///
/// Paths are absolute, bytes without a NUL. The companions of a picture, such as its sidecar, the file of
/// the same name with `.xmp` after it, follow the picture wherever it goes. A name whose companions
/// belong to another picture counts as taken.
package enum FileAction: Hashable, Sendable {
    /// Moves a file to the trash.
    case trash(path: [UInt8])
    /// Removes a file for good; nothing undoes this.
    case remove(path: [UInt8])
    /// Moves a file; a file at `to` is never replaced. With `picksName` another name is chosen then.
    case move(from: [UInt8], to: [UInt8], picksName: Bool)
    /// Copies a file, with all its attributes; a file at `to` is never replaced.
    case copy(from: [UInt8], to: [UInt8], picksName: Bool)
    /// Replaces a file by the contents that come with the request; the original goes to the trash.
    ///
    /// Refused if the file is not the one of `expected` any more.
    case replace(path: [UInt8], expected: FileStamp, keepsTimes: Bool)
    /// Makes a file of the contents that come with the request, at `path` or under another name if
    /// there is such a file. The file gets the attributes of the file `like`, if that is not empty.
    case save(path: [UInt8], like: [UInt8])
    /// Writes the marks of a picture into its sidecar.
    case mark(path: [UInt8], MarkChange)

    /// The path of the file that the action is about.
    package var path: [UInt8] {
        switch self {
        case .trash(let path), .remove(let path), .move(let path, _, _), .copy(let path, _, _),
            .replace(let path, _, _), .save(let path, _), .mark(let path, _):
            path
        }
    }

    /// Whether there is no file at the path afterwards.
    package var removesPath: Bool {
        switch self {
        case .trash, .remove, .move: true
        case .copy, .replace, .save, .mark: false
        }
    }

    /// Whether contents come with the request.
    package var hasContents: Bool {
        switch self {
        case .replace, .save: true
        case .trash, .remove, .move, .copy, .mark: false
        }
    }
}

/// Identifies one state of a file.
package struct FileStamp: Hashable, Sendable {
    package var identity: FileIdentity
    package var details: FileDetails

    package init(identity: FileIdentity, details: FileDetails) {
        (self.identity, self.details) = (identity, details)
    }
}

/// A request of the viewer to the process that changes files, answered in order.
package enum ChangeRequest: Hashable, Sendable {
    /// The first request: the file of the journal, which may be empty for none; answered with `state`.
    case open(journal: [UInt8])
    /// The following actions are one batch, which is undone as a whole; not answered.
    case begin(title: String)
    /// Answered with `done` or `failed`.
    case perform(FileAction)
    /// Ends the batch; answered with `state`.
    case end
    /// Undoes the last batch, or redoes the batch that was undone last; answered with `progress` now and
    /// then, and with `reversed`.
    case undo, redo
    /// Ends `undo` or `redo` before the next step; not answered.
    case stop
    /// Answered with `marks` in the same order.
    case readMarks(paths: [[UInt8]])
    /// Answered with `stamp`, or with `failed`.
    case stamp(path: [UInt8])
}

package enum ChangeReply: Hashable, Sendable {
    /// What can be undone and redone, as titles of batches; empty for nothing.
    case state(undo: String, redo: String)
    /// The action was performed; the path where the file is now, empty if it is gone.
    case done(path: [UInt8])
    case failed(ChangeFailure)
    case progress(done: Int, all: Int)
    /// A batch was undone or redone, apart from the steps that failed, of which the first is named.
    case reversed(BatchReversal)
    case marks([SidecarMark])
    case stamp(FileStamp)
}

/// What became of a batch that was undone or redone.
package struct BatchReversal: Hashable, Sendable {
    /// What the reversal of all steps is for a person.
    package enum Outcome: UInt8, Sendable {
        case other
        /// A deletion was undone: the pictures are back.
        case restored
        /// A deletion was redone.
        case trashed
    }

    package var title: String
    package var isRedo: Bool
    /// The number of steps that were reversed.
    package var count: Int
    /// The number of steps that could not be reversed.
    package var failures: Int
    /// The first of them.
    package var failedPath: [UInt8]
    package var failure: ChangeFailure?
    /// Where the first file is now; empty if it is gone.
    package var path: [UInt8]
    package var outcome = Outcome.other
    /// The number of pictures whose changes were reversed, and where the first one is, or was.
    package var pictures = 0
    package var subject: [UInt8] = []
    package var undo: String
    package var redo: String

    package init(title: String, isRedo: Bool) {
        (self.title, self.isRedo) = (title, isRedo)
        (count, failures, failedPath, failure, path) = (0, 0, [], nil, [])
        (undo, redo) = ("", "")
    }
}

/// Why a file was not changed.
package enum ChangeFailure: Error, Hashable, Sendable {
    /// The file cannot be moved to a trash, for a reason for a person.
    case noTrash(reason: String)
    /// The trash has refused the file with this error number; the file itself can be removed.
    case trashFails(code: Int32)
    /// There is a file of the new name.
    case exists
    /// A companion of another picture is at this path, where one of the picture would be.
    case companionOfAnother(path: [UInt8])
    /// The picture is deleted, but not the companion at this path.
    case companionStays(path: [UInt8])
    /// The file is not the one that was read.
    case changed
    /// The system refused with this error number.
    case system(code: Int32)
    /// A reason for a person.
    case refused(reason: String)
    /// The process that changes files has ended before the reply: the change may have been made.
    case interrupted
}
