/// A request of the viewer to list folders; the replies follow in order.
///
/// Each message is one packet of a SOCK_SEQPACKET socket. Paths are bytes without a NUL. `wantsDetails`
/// asks for dates and sizes.
package enum FolderRequest: Hashable, Sendable {
    /// What a given path is: `FolderReply.found`.
    case find(path: [UInt8])
    /// Watches a folder: `FolderReply.folder`.
    case watch(path: [UInt8])
    /// Watches what decides where a path leads, and the file at its end: `FolderReply.followed`.
    case follow(path: [UInt8])
    /// Watches and lists a folder: `FolderReply.folder`, then `FolderReply.items` until the last ones.
    case list(path: [UInt8], wantsDetails: Bool, wantsSubfolders: Bool)
    /// What a changed name is, without following a link: `FolderReply.found`.
    case inspect(path: [UInt8], wantsDetails: Bool)
    /// `FolderReply.states` of files.
    case states(paths: [[UInt8]])
    /// The contents of a small file, or the names in a folder, each with a NUL after it:
    /// `FolderReply.contents` until the last ones.
    case read(path: [UInt8], limit: Int)
}

package enum FolderReply: Hashable, Sendable {
    /// The first message, with the inotify(7) instance of the watches, if the system has one left.
    case ready
    /// The request has failed with this error number, such as ENOENT.
    case failed(code: Int32)
    case found(FileNode)
    case folder(FileIdentity, FolderWatching, FolderOrigin)
    /// The watches, and whether they tell every change.
    case followed(watches: [Int32], isWhole: Bool)
    case items([FolderItem], isLast: Bool)
    /// In the order of the request; nil where there is no file.
    case states([FileState?])
    /// The request is not answered: its folder has not answered for some time. `answeredLate` follows
    /// when it does.
    case stalled
    /// A folder that had stalled has answered; belongs to no request.
    case answeredLate
    /// Contents, and who can change them.
    case contents([UInt8], FileTrust, isLast: Bool)
}

/// Whether the system tells of the changes in a folder.
package enum FolderWatching: Hashable, Sendable {
    /// The number of the inotify(7) watch.
    case watched(Int32)
    /// The number of the error, such as ENOSPC.
    case refused(Int32)
}

/// Who may change a folder without a word of the system.
package enum FolderOrigin: UInt8, Sendable {
    /// Nobody.
    case local
    /// Whoever changes the layers of an overlay.
    case layered
    /// Other computers, or a program: a network share, a phone, or FUSE.
    case remote
}

/// What a path leads to.
package struct FileNode: Hashable, Sendable {
    package enum Kind: UInt8, Sendable {
        case file, folder, link, pipe, socket, device
    }

    package var kind: Kind
    package var inode: UInt64
    /// Whether the file has several names.
    package var hasOtherNames: Bool
    /// Those of the link's target for a link; nil unless requested.
    package var details: FileDetails?

    package init(
        _ kind: Kind, inode: UInt64, hasOtherNames: Bool, details: FileDetails? = nil
    ) {
        self.kind = kind
        self.inode = inode
        self.hasOtherNames = hasOtherNames
        self.details = details
    }
}

/// When a file was last written, and its size.
package struct FileDetails: Hashable, Sendable {
    /// Since 1970-01-01 00:00 UTC.
    package let seconds: Int
    /// 0…999,999,999.
    package let nanoseconds: Int
    /// In bytes, not negative.
    package let size: Int

    /// Limits the values: a damaged or malicious file system may report a negative size.
    package init(seconds: Int, nanoseconds: Int, size: Int) {
        self.seconds = seconds
        self.nanoseconds = min(max(nanoseconds, 0), 999_999_999)
        self.size = max(size, 0)
    }
}

/// How a file is found by its path.
package struct FileState: Hashable, Sendable {
    package var stamp: FileStamp
    /// When the content or the attributes changed, in nanoseconds since 1970-01-01 00:00 UTC.
    package var changed: Int
    /// Whether the path is a link, or the file has several names: the folder of the path is not told
    /// then when the file is written.
    package var isIndirect: Bool

    package init(stamp: FileStamp, changed: Int, isIndirect: Bool) {
        self.stamp = stamp
        self.changed = changed
        self.isIndirect = isIndirect
    }
}

/// A name in a listed folder.
package struct FolderItem: Hashable, Sendable {
    package enum Kind: UInt8, Sendable {
        /// A file with the name of a picture, or a link to one.
        case picture
        case folder
        /// A link to a folder.
        case linkedFolder
    }

    package var name: [UInt8]
    package var kind: Kind
    package var inode: UInt64
    /// Those of the link's target for a link; nil unless requested, and for a folder.
    package var details: FileDetails?

    package init(_ kind: Kind, name: [UInt8], inode: UInt64, details: FileDetails? = nil) {
        self.kind = kind
        self.name = name
        self.inode = inode
        self.details = details
    }

    /// The length in a message, in bytes.
    package var length: Int { name.count + 40 }
}
