/// The control groups of a process that limit its memory, from the texts of the system.
package struct ControlGroups: Hashable, Sendable {
    /// The files with the limits of the groups and of the groups above them.
    package private(set) var limitFiles: [String] = []
    /// The file that reports the memory pressure of the process's own group; nil without one.
    package private(set) var pressureFile: String?

    /// More levels than any system has.
    private static let mostLevels = 64

    /// `membership` is the text of /proc/self/cgroup, `mounts` that of /proc/self/mountinfo.
    package init(membership: String, mounts: String) {
        let lines = membership.split(separator: "\n").map {
            $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        }.filter { $0.count == 3 }
        // Only few of the many lines are taken apart, because this is part of every start.
        let candidates = mounts.utf8.split(separator: UInt8(ascii: "\n")).filter {
            Self.names(controlGroups: $0)
        }
        for mount in candidates.compactMap({ Mount(Substring($0)) }) {
            let group = lines.first {
                mount.isUnified
                    ? $0[0] == "0" && $0[1].isEmpty : $0[1].split(separator: ",").contains("memory")
            }
            guard let group, let folders = mount.folders(to: group[2], most: Self.mostLevels)
            else { continue }
            for folder in folders {
                limitFiles +=
                    mount.isUnified
                    ? ["\(folder)/memory.max", "\(folder)/memory.high"]
                    : ["\(folder)/memory.limit_in_bytes"]
            }
            if mount.isUnified, let own = folders.last { pressureFile = "\(own)/memory.pressure" }
        }
    }

    /// Whether a line may be that of a hierarchy of control groups: the kind of the file system follows a
    /// dash.
    private static func names(controlGroups line: Substring.UTF8View) -> Bool {
        var rest = line
        while let dash = rest.firstIndex(of: UInt8(ascii: "-")) {
            rest = rest[rest.index(after: dash)...]
            if rest.starts(with: " cgroup".utf8) { return true }
        }
        return false
    }

    /// A mounted hierarchy of control groups that may limit memory.
    private struct Mount {
        /// The group that is mounted, and where.
        let root: [Substring]
        let point: String
        /// Whether this is version 2.
        let isUnified: Bool

        /// Nil for every other file system.
        init?(_ line: Substring) {
            let words = line.split(separator: " ")
            guard let dash = words.firstIndex(of: "-"), dash >= 6, words.count > dash + 3 else {
                return nil
            }
            switch words[dash + 1] {
            case "cgroup2": isUnified = true
            case "cgroup" where words[dash + 3].split(separator: ",").contains("memory"):
                isUnified = false
            default: return nil
            }
            root = words[3].split(separator: "/")
            // An escaped character in a path of the system is not expected.
            guard words[4].hasPrefix("/"), !words[4].contains("\\") else { return nil }
            point = String(words[4])
        }

        /// The folders from the mount point down to the group of the path; nil if the group is
        /// not below the mounted one.
        func folders(to path: Substring, most: Int) -> [String]? {
            let parts = path.split(separator: "/")
            guard path.hasPrefix("/"), parts.starts(with: root), !parts.contains(".."),
                parts.count <= most
            else { return nil }
            var folders = [point]
            for part in parts.dropFirst(root.count) {
                folders.append("\(folders[folders.count - 1])/\(part)")
            }
            return folders
        }
    }
}
