import FileChanges
import Folders
import SystemCalls

/// The folders to which files were copied and moved last, the newest first, also in earlier runs.
final class RecentFolders {
    private let file: StateFile?
    private let disk = DiskWork()
    /// Absolute paths with a separator at the end; read at the first use, when a person waits anyway.
    private(set) lazy var folders: [[UInt8]] = read()

    private static let most = 8
    private static let longest = 64 << 10

    /// `folder` is that of all state; nil remembers nothing.
    init(in folder: FilePath?) {
        file = folder.map { StateFile("folders", in: $0, longest: Self.longest) }
    }

    private func read() -> [[UInt8]] {
        let lines = file?.read()?.split(separator: UInt8(ascii: "\n")) ?? []
        return lines.filter { $0.first == UInt8(ascii: "/") && $0.last == UInt8(ascii: "/") }
            .prefix(Self.most).map { Array($0) }
    }

    /// Puts a folder first.
    func use(_ folder: [UInt8]) {
        // A line cannot hold such a path.
        guard !folder.contains(UInt8(ascii: "\n")) else { return }
        folders = Array(([folder] + folders.filter { $0 != folder }).prefix(Self.most))
        guard let file else { return }
        let bytes = Array(folders.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
        disk.add {
            do throws(SystemError) { try file.write(bytes) } catch {
                Diagnostics.info("the folders used last cannot be remembered: \(error)")
            }
        }
    }

    /// Waits for a disk that answers soon.
    func finish() { disk.finish() }
}
