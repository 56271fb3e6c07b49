package import Edits
package import ImageTypes

/// A picture of a listing.
package struct Entry: Hashable, Sendable {
    /// File attributes other than the name.
    package struct Details: Hashable, Sendable {
        package var modified: Timestamp
        /// In bytes.
        package var size: Int
    }

    /// Identifies the picture as long as the picture is listed, also after renames; never reused.
    package let id: Int
    /// Counts changes of the content; data derived from an older revision is out of date.
    package internal(set) var revision = 0
    /// Index of the picture's folder in `Listing.folders`.
    package internal(set) var folder: Int
    package internal(set) var name: [UInt8]
    /// Nil unless the order or the sections need the details.
    package internal(set) var details: Details?
    /// When the picture was taken, nil until set by `FolderMonitor.setTaken`.
    package internal(set) var taken: CaptureTime?
    /// What a person has marked the picture with; nil until set by `FolderMonitor.setMarks`.
    package internal(set) var mark: PictureMark?
    /// An open descriptor of a picture without a path (standard input), else nil.
    package internal(set) var descriptor: Int32?
    /// The inode, by which a rescan recognizes a rename; 0 if unknown.
    var inode: UInt64 = 0

    init(id: Int, folder: Int, name: [UInt8]) {
        self.id = id
        self.folder = folder
        self.name = name
    }

    /// When the picture was taken or, if unknown, when its file was last written.
    package func date(by clock: inout WallClock) -> WallTime? {
        taken.map { clock.time($0) } ?? details.map { clock.time($0.modified) }
    }
}

/// A folder that contains listed pictures.
package struct Folder: Hashable, Sendable {
    /// The folder's part of its pictures' paths: ends with a separator, or is empty.
    package let prefix: [UInt8]
    /// Index of the given path that the folder belongs to.
    package let root: Int
    /// Length of the given part of `prefix`, in bytes; the rest was found in subfolders.
    package let givenLength: Int
    /// The name of the only given picture; nil if the whole folder was given.
    let only: [UInt8]?

    init(prefix: [UInt8], root: Int, givenLength: Int? = nil, only: [UInt8]? = nil) {
        self.prefix = prefix
        self.root = root
        self.givenLength = givenLength ?? prefix.count
        self.only = only
    }

    /// The folder with another name of the only given picture.
    func renamed(_ name: [UInt8]) -> Folder {
        Folder(prefix: prefix, root: root, givenLength: givenLength, only: name)
    }

    /// Whether a picture of the folder was given, not the folder.
    package var isGivenFile: Bool { only != nil }

    /// The folder's name for display.
    ///
    /// Below a given folder, the relative path from there, else the last component of the path;
    /// empty for the working directory.
    package var title: String {
        let separator = UInt8(ascii: "/")
        let found = prefix.dropFirst(givenLength)
        let shown = found.isEmpty ? FilePath(prefix).name[...] : found
        return String(decoding: shown.last == separator ? shown.dropLast() : shown, as: UTF8.self)
    }
}
