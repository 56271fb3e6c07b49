import CLinux
import Edits
import Glibc
import ImageWire
import SystemCalls

/// The marks of pictures, in their sidecars.
extension FileChanger {
    func mark(
        _ path: [UInt8], _ change: MarkChange
    ) throws(ChangeFailure) -> FileChange? {
        _ = try status(path)
        let sidecar = FileNames.sidecar(of: path)
        let before = try SidecarFile.read(sidecar)
        let marks = change.applied(to: before.map { Sidecar.marks(in: $0) } ?? SidecarMark())
        guard let after = try Sidecar.setting(marks, in: before) else { return nil }
        return try write(after, to: sidecar, expected: before)
    }

    /// Writes a small file, or removes it, if its contents are still those of `expected`.
    func write(
        _ bytes: [UInt8]?, to path: [UInt8], expected: [UInt8]?
    ) throws(ChangeFailure) -> FileChange {
        guard try SidecarFile.read(path) == expected else { throw .changed }
        guard let bytes else {
            try remove(path)
            return .wrote(path: path, before: expected, after: nil)
        }
        let work = try makeWorkFolder(besides: path)
        let staged = work.file(named: path)
        try SidecarFile.write(bytes, to: staged, like: expected == nil ? nil : path)
        try reportingChange {
            staged.withPathString { first in
                path.withPathString { second in
                    expected == nil
                        ? clinux_rename_exclusively(first, second) : Glibc.rename(first, second)
                }
            }
        }
        FileReplacement.syncFolder(of: path)
        return .wrote(path: path, before: expected, after: bytes)
    }
}
