import FileChanges
import Glibc
import ImageWire
import SystemCalls

/// A trash that is a folder, without a desktop.
struct FolderTrash: TrashBin {
    /// The path of the folder; nil refuses every file.
    let folder: String?
    /// The error number of each move; nil moves files.
    var error: Int32?

    func move(_ path: [UInt8]) throws(ChangeFailure) -> TrashedFile {
        guard let folder else { throw .noTrash(reason: "there is no trash") }
        if let error { throw .system(code: error) }
        // As GIO does, whose text about a file has the name of the file.
        guard FileNames.name(of: path).count <= 255 - Self.suffix.count else {
            throw .system(code: ENAMETOOLONG)
        }
        let number = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        let file = Array((folder + "/" + number).utf8)
        do throws(SystemError) {
            try reporting {
                path.withPathString { from in file.withPathString { rename(from, $0) } }
            }
            var info = stat()
            try reporting { file.withPathString { lstat($0, &info) } }
            let text = file + Self.suffix
            try FileReplacement.write(path, to: text, isSynced: false)
            return TrashedFile(
                file: file, information: text,
                identity: FileIdentity(info))
        } catch { throw .system(code: error.code) }
    }

    private static let suffix = Array(".trashinfo".utf8)

    func setOriginalPath(_ path: [UInt8], of file: TrashedFile) throws(ChangeFailure) {
        try? FileReplacement.write(path, to: file.information, isSynced: false)
    }
}
