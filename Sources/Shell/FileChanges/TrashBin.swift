package import ImageWire

/// A file in a trash, as the Trash Specification of freedesktop.org has it.
package struct TrashedFile: Hashable, Sendable {
    /// The path of the file, in a folder `files`.
    package var file: [UInt8]
    /// The path of the text about the file, in a folder `info`; empty if there is none.
    package var information: [UInt8]
    package var identity: FileIdentity

    package init(file: [UInt8], information: [UInt8], identity: FileIdentity) {
        (self.file, self.information, self.identity) = (file, information, identity)
    }
}

/// What moves files to the trash of the desktop; used by threads that may wait.
package protocol TrashBin: Sendable {
    /// Moves the file at an absolute path to the trash; throws `noTrash` if there is none for the path.
    func move(_ path: [UInt8]) throws(ChangeFailure) -> TrashedFile
    /// Changes the path to which the desktop restores a file of the trash.
    func setOriginalPath(_ path: [UInt8], of file: TrashedFile) throws(ChangeFailure)
}
