import CLinux
import Glibc
import ImageWire
import SystemCalls

/// Watches on the way of a path: each folder and link that it leads through, and the file at its end.
///
/// A watch of a folder tells neither that a folder above is renamed, nor that a link to the folder leads
/// elsewhere, nor that the target of a link in the folder is written.
struct PathWatch {
    /// The numbers of the watches.
    private(set) var numbers: [Int32] = []
    /// Whether the watches tell every change of the way, and of a file at its end.
    private(set) var isWhole = true
    private let watches: WatchInstance
    private var links = 0
    private var steps = 0

    /// As many links as Linux follows.
    private static let mostLinks = 40
    /// The most folders, links and files on a way: a link may say anything.
    private static let mostSteps = 400
    private static let separator = UInt8(ascii: "/")

    init(_ path: [UInt8], _ watches: WatchInstance) {
        self.watches = watches
        walk(path)
        if isWhole, Self.isRemote(path) { isWhole = false }
    }

    private mutating func walk(_ path: [UInt8]) {
        for part in Self.parts(of: path) {
            steps += 1
            guard isWhole, steps <= Self.mostSteps else { return isWhole = false }
            // Before the link is read: a change in between is told.
            watch(part)
            var info = stat()
            guard part.withPathString({ lstat($0, &info) }) == 0 else { return isWhole = false }
            if info.isRegularFile { note(watches.watchFile(part)) }
            if info.isLink { follow(part) }
        }
    }

    private mutating func follow(_ link: [UInt8]) {
        // Nothing is reached through a link there.
        guard !UntrustedFolders.contain(link) else { return }
        links += 1
        let folder = link[..<Self.nameStart(of: link)]
        guard links <= Self.mostLinks, let target = Self.target(of: link),
            !Self.isRemote(folder.isEmpty ? [UInt8(ascii: ".")] : Array(folder))
        else { return isWhole = false }
        let isAbsolute = target.first == Self.separator
        walk(isAbsolute ? target : folder + target)
    }

    private mutating func watch(_ part: [UInt8]) { note(watches.watchWay(part)) }

    private mutating func note(_ number: Int32?) {
        guard let number else { return isWhole = false }
        if !numbers.contains(number) { numbers.append(number) }
    }

    /// The path of each folder and link on the way, and the path itself; the root cannot change.
    private static func parts(of path: [UInt8]) -> [[UInt8]] {
        path.indices.filter { index in
            path[index] != separator && (index + 1 == path.count || path[index + 1] == separator)
        }.map { Array(path[...$0]) }
    }

    private static func nameStart(of path: [UInt8]) -> Int {
        path.lastIndex(of: separator).map { $0 + 1 } ?? 0
    }

    private static func target(of link: [UInt8]) -> [UInt8]? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = link.withPathString { readlink($0, &text, text.count) }
        return count > 0 ? text[..<count].map { UInt8(bitPattern: $0) } : nil
    }

    private static func isRemote(_ path: [UInt8]) -> Bool {
        let descriptor = path.withPathString { clinux_open_path($0) }
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        return FolderOrigin(of: descriptor) == .remote
    }
}
