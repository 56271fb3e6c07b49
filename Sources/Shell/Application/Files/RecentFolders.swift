import FileChanges
import Folders
import SystemCalls

/// The folders to which files were copied and moved last, the newest first, also in earlier runs.
final class RecentFolders {
    private let file: StateFile?
    private let disk: DiskWork
    /// The file, from the first use on, when a person waits anyway.
    private lazy var reading = file.map(StateReading.init)
    /// The folders of this run.
    private var used: [[UInt8]] = []

    private static let most = 8
    private static let longest = 64 << 10

    /// `folder` is the folder of all state; nil remembers nothing.
    init(in folder: FilePath?, on disk: DiskWork) {
        self.disk = disk
        file = folder.map { StateFile("folders", in: $0, longest: Self.longest) }
    }

    /// Absolute paths with a separator at the end; those of earlier runs are left out as long as the disk
    /// does not answer.
    var folders: [[UInt8]] {
        _ = reading?.wait(StateReading.patience)
        return Self.folders(used, reading)
    }

    /// The folders of this run, then those of earlier runs that were read.
    private static func folders(_ used: [[UInt8]], _ reading: StateReading?) -> [[UInt8]] {
        let lines = reading?.contents?.split(separator: UInt8(ascii: "\n")) ?? []
        let earlier = lines.filter { $0.first == UInt8(ascii: "/") && $0.last == UInt8(ascii: "/") }
            .prefix(most).map { Array($0) }
        return Array((used + earlier.filter { !used.contains($0) }).prefix(most))
    }

    /// Puts a folder first.
    func use(_ folder: [UInt8]) {
        // A line cannot hold such a path.
        guard !folder.contains(UInt8(ascii: "\n")) else { return }
        used = Array(([folder] + used.filter { $0 != folder }).prefix(Self.most))
        guard let file else { return }
        disk.add { [used, reading] in
            // The folders of earlier runs stay in the file, however long the disk takes.
            while reading?.wait(-1) == false {}
            let lines = Self.folders(used, reading).map { $0 + [UInt8(ascii: "\n")] }
            do throws(SystemError) { try file.write(Array(lines.joined())) } catch {
                Diagnostics.info("the folders used last cannot be remembered: \(error)")
            }
        }
    }
}
