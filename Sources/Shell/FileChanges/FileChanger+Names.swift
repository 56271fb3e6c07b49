import CLinux
import Glibc
import ImageWire
import SystemCalls

/// Files that get other names or leave.
extension FileChanger {
    /// More names are not tried for a file whose name is taken.
    private static let mostNames = 10_000

    func remove(_ path: [UInt8]) throws(ChangeFailure) {
        try reportingChange { path.withPathString { unlink($0) } }
    }

    func move(
        _ from: [UInt8], _ to: [UInt8], picksName: Bool
    ) throws(ChangeFailure) -> [UInt8] {
        _ = try status(from)
        return try moveOrCopy(from, to: to, picksName: picksName)
    }

    /// Moves a file, or copies it to another file system and removes it then.
    func moveOrCopy(
        _ from: [UInt8], to: [UInt8], picksName: Bool
    ) throws(ChangeFailure) -> [UInt8] {
        do throws(ChangeFailure) {
            return try rename(from, to: to, picksName: picksName)
        } catch {
            guard error == .system(code: EXDEV) else { throw error }
        }
        let before = try stamp(of: from)
        let target = try copy(from, to, keepsLink: true, picksName: picksName)
        guard try stamp(of: from) == before else {
            _ = target.withPathString { unlink($0) }
            throw .changed
        }
        try remove(from)
        return target
    }

    /// Renames a file to the first name of a row that no file has.
    func rename(
        _ from: [UInt8], to: [UInt8], picksName: Bool
    ) throws(ChangeFailure) -> [UInt8] {
        for number in 1...Self.mostNames {
            let target = number == 1 ? to : FileNames.inserting(" (\(number))", into: to)
            do throws(ChangeFailure) {
                try reportingChange {
                    from.withPathString { source in
                        target.withPathString { clinux_rename_exclusively(source, $0) }
                    }
                }
                FileReplacement.syncFolder(of: target)
                return target
            } catch {
                guard error == .exists, picksName else { throw error }
            }
        }
        throw .exists
    }
}
