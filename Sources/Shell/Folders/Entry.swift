/// One picture of a collection.
package struct Entry: Hashable, Sendable {
    /// What the file system says beyond the name.
    package struct Details: Hashable, Sendable {
        package var modified: Timestamp
        /// In bytes.
        package var size: Int
    }

    /// Stays as long as the picture is listed, through renames; no other picture ever has it.
    package let id: Int
    /// Counts the changes of its content: what was made from an older one is out of date.
    package internal(set) var revision = 0
    /// Where in `Listing.folders` its folder is.
    package internal(set) var folder: Int
    package internal(set) var name: [UInt8]
    /// Nil unless the order or the sections needed it.
    package internal(set) var details: Details?
    /// When the picture was taken, if someone has said so.
    package internal(set) var taken: Timestamp?
    /// An open descriptor where the picture is not read from its path: standard input.
    package internal(set) var descriptor: Int32?
    /// By which a rename is recognised that was not watched; 0 where it is not known.
    var inode: UInt64 = 0

    init(id: Int, folder: Int, name: [UInt8]) {
        self.id = id
        self.folder = folder
        self.name = name
    }

    /// When the picture was taken or, where that is not known, when its file was last written.
    package var date: Timestamp? { taken ?? details?.modified }
}

/// A folder with pictures of a collection.
package struct Folder: Hashable, Sendable {
    /// What the names of its pictures are appended to: with a separator at its end, or empty.
    package let prefix: [UInt8]
    /// Which of the given paths it belongs to.
    package let root: Int
    /// How much of `prefix` was given; what follows was found.
    package let givenLength: Int
    /// The one picture of it that was given; nil where the whole folder was.
    let only: [UInt8]?

    init(prefix: [UInt8], root: Int, givenLength: Int? = nil, only: [UInt8]? = nil) {
        self.prefix = prefix
        self.root = root
        self.givenLength = givenLength ?? prefix.count
        self.only = only
    }

    /// The folder's name for a person: below a given folder the way from there, else the last
    /// component; empty for the working directory.
    package var title: String {
        let separator = UInt8(ascii: "/")
        let found = prefix.dropFirst(givenLength)
        let shown = found.isEmpty ? FilePath(prefix).name[...] : found
        return String(decoding: shown.last == separator ? shown.dropLast() : shown, as: UTF8.self)
    }
}
