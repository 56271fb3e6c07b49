import Edits
import FileChanges
import Folders
import Glibc
import ImageWire
import Interface
import Localization
import SceneModel
import SystemCalls

/// Texts about changes of files, for a person.
enum ChangeTexts {
    /// The name of the only file, or the number of files, such as "“a.jpg”" and "3 pictures".
    static func subject(_ paths: [[UInt8]]) -> String {
        subject(paths.count, paths.first ?? [])
    }

    private static func subject(_ count: Int, _ first: [UInt8]) -> String {
        count == 1
            ? name(of: first)
            : localized("\(count) picture", many: "\(count) pictures", count: count)
    }

    /// The name of a file, in quotation marks; a long name loses its middle.
    static func name(of path: [UInt8]) -> String {
        // Translators: the name of a file in quotation marks.
        localized("“\(FilePath(path).displayName.shortName.isolated)”")
    }

    /// What a batch has done, such as "3 pictures moved to the trash"; then what it could not do.
    static func report(_ result: ChangeClient.Result, _ done: (String) -> String) -> String {
        var parts: [String] = []
        if !result.done.isEmpty {
            parts.append(done(subject(result.done.map(\.action.path))))
        }
        if let (action, failure) = result.failures.first {
            let others = result.failures.count - 1
            parts.append(
                withOthers("\(name(of: action.path)): \(text(of: failure))", others))
        }
        if result.wasStopped { parts.append(localized("the rest was not done")) }
        return parts.joined(separator: "; ")
    }

    /// What an undo or redo has done.
    static func report(_ reversal: BatchReversal) -> String {
        guard let failure = reversal.failure else { return whole(reversal) }
        let problem = withOthers(
            "\(name(of: reversal.failedPath)): \(text(of: failure))", reversal.failures - 1)
        if reversal.count == 0 { return problem }
        return reversal.isRedo
            ? localized("Redone in part: \(problem)") : localized("Undone in part: \(problem)")
    }

    private static func whole(_ reversal: BatchReversal) -> String {
        let subject = subject(reversal.pictures, reversal.subject)
        return switch reversal.outcome {
        case .restored: localized("\(subject) restored")
        case .trashed: localized("\(subject) moved to the trash")
        case .other where reversal.isRedo:
            localized("Redone: \(noun(of: reversal.title) ?? subject)")
        case .other: localized("Undone: \(noun(of: reversal.title) ?? subject)")
        }
    }

    /// What a batch of this name did, such as "deletion"; nil for no batch.
    ///
    /// An earlier version has written texts in place of kinds.
    static func noun(of batch: String) -> String? {
        batch.isEmpty ? nil : ChangeKind(rawValue: batch)?.noun ?? batch
    }

    /// A problem, and how many further files have one.
    private static func withOthers(_ problem: String, _ others: Int) -> String {
        guard others > 0 else { return problem }
        return localized(
            "\(problem), and \(others) more failed", many: "\(problem), and \(others) more failed",
            count: others)
    }

    /// Why a file was not changed.
    static func text(of failure: ChangeFailure) -> String {
        switch failure {
        case .noTrash(let reason): notTrashed(reason)
        case .trashFails(let code): notTrashed(text(ofTrash: code))
        case .exists: localized("there is another file of that name")
        case .companionOfAnother(let path):
            localized("\(name(of: path)) is there, and belongs to another picture")
        case .companionStays(let path):
            localized("the picture is deleted, but \(name(of: path)) stays")
        case .changed: localized("another program has changed it meanwhile, so nothing was done")
        case .refused(let reason): reason
        case .interrupted:
            localized("the process that changes files has ended; look whether it was done")
        case .system(let code): text(ofSystem: code)
        }
    }

    /// Why the trash does not take a file that can be deleted for good; nil for other failures.
    static func trashReason(_ failure: ChangeFailure) -> String? {
        switch failure {
        case .noTrash(let reason): reason
        case .trashFails(let code): text(ofTrash: code)
        default: nil
        }
    }

    private static func notTrashed(_ reason: String) -> String {
        localized("it cannot be moved to the trash: \(reason)")
    }

    private static func text(ofTrash code: Int32) -> String {
        switch code {
        case EACCES, EPERM: localized("permission denied")
        default: text(ofSystem: code)
        }
    }

    private static func text(ofSystem code: Int32) -> String {
        switch code {
        case ENOSPC, EDQUOT: localized("the disk is full")
        case EROFS: localized("the disk can only be read")
        case EACCES, EPERM: localized("it may not be changed: permission denied")
        case ENOENT: localized("there is no such file")
        case ENAMETOOLONG: localized("the name is too long")
        case EINVAL: localized("the name is not possible there")
        case EIO: localized("the disk reports an error")
        default: localized("it cannot be changed: \(SystemError(code: code))")
        }
    }
}
