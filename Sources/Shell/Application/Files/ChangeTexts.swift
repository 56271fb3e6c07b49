import FileChanges
import Folders
import Glibc
import ImageWire
import Interface
import SceneModel
import SystemCalls

/// Texts about changes of files, for a person.
enum ChangeTexts {
    /// The name of the only file, or the number of files, such as "“a.jpg”" and "3 pictures".
    static func subject(_ paths: [[UInt8]]) -> String {
        paths.count == 1 ? name(of: paths[0]) : "\(paths.count) pictures"
    }

    /// The name of a file, in quotation marks.
    static func name(of path: [UInt8]) -> String {
        "“\(FilePath(path).displayName.isolated)”"
    }

    /// What a batch has done, such as "3 pictures moved to the trash"; then what it could not do.
    static func report(_ result: ChangeClient.Result, _ done: String) -> String {
        var parts: [String] = []
        if !result.done.isEmpty {
            parts.append(subject(result.done.map(\.action.path)) + " " + done)
        }
        if let (action, failure) = result.failures.first {
            let others = result.failures.count - 1
            parts.append(
                "\(name(of: action.path)): \(text(of: failure))"
                    + (others > 0 ? ", and \(others) more failed" : ""))
        }
        if result.wasStopped { parts.append("the rest was not done") }
        return parts.joined(separator: "; ")
    }

    /// What an undo or redo has done.
    static func report(_ reversal: BatchReversal) -> String {
        let verb = reversal.isRedo ? "Redone" : "Undone"
        guard let failure = reversal.failure else { return "\(verb): \(reversal.title)" }
        let others = reversal.failures - 1
        let first = "\(name(of: reversal.failedPath)): \(text(of: failure))"
        let more = others > 0 ? ", and \(others) more failed" : ""
        return reversal.count == 0 ? first + more : "\(verb) in part: \(first)\(more)"
    }

    /// Why a file was not changed.
    static func text(of failure: ChangeFailure) -> String {
        switch failure {
        case .noTrash(let reason): "there is no trash for it: \(reason)"
        case .exists: "there is another file of that name"
        case .changed: "another program has changed it meanwhile, so nothing was done"
        case .refused(let reason): reason
        case .interrupted: "the process that changes files has ended; look whether it was done"
        case .system(let code): text(ofSystem: code)
        }
    }

    private static func text(ofSystem code: Int32) -> String {
        switch code {
        case ENOSPC, EDQUOT: "the disk is full"
        case EROFS: "the disk can only be read"
        case EACCES, EPERM: "it may not be changed: permission denied"
        case ENOENT: "there is no such file"
        case ENAMETOOLONG: "the name is too long"
        case EINVAL: "the name is not possible there"
        case EIO: "the disk reports an error"
        default: "it cannot be changed: \(SystemError(code: code))"
        }
    }
}
