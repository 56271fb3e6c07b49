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

    /// Removes a file of which there is a second name or a copy.
    func removeQuietly(_ path: [UInt8]) { _ = path.withPathString { unlink($0) } }

    /// Gives a file a name that no file has.
    func renameExclusively(_ from: [UInt8], _ to: [UInt8]) throws(ChangeFailure) {
        try reportingChange {
            from.withPathString { source in
                to.withPathString { clinux_rename_exclusively(source, $0) }
            }
        }
    }

    /// Calls `body` with the first name of a row that is possible and not taken, and returns that name;
    /// without `picksName` the row has one name.
    ///
    /// Each name leaves room for `suffix` more bytes.
    func withFreeName(
        _ path: [UInt8], picksName: Bool, suffix: Int,
        _ body: (_ target: [UInt8]) throws(ChangeFailure) -> Void
    ) throws(ChangeFailure) -> [UInt8] {
        let limit = FileNames.longest(beside: path) - suffix
        for number in 1...Self.mostNames {
            let target =
                number == 1 ? path : FileNames.inserting(" (\(number))", into: path, upTo: limit)
            do throws(ChangeFailure) {
                try body(target)
                return target
            } catch {
                let isTooLong = number == 1 && error == .system(code: ENAMETOOLONG)
                guard error.isTaken || isTooLong, picksName else { throw error }
            }
        }
        throw .exists
    }
}

extension ChangeFailure {
    /// Whether another name may be free.
    fileprivate var isTaken: Bool {
        switch self {
        case .exists, .companionOfAnother: true
        default: false
        }
    }
}
