import Folders
import Glibc
import SystemCalls

/// A small file with state that outlives the program.
struct StateFile {
    let folder: FilePath
    private let path: FilePath
    /// A longer file is not ours, in bytes.
    private let longest: Int

    init(_ name: String, in folder: FilePath, longest: Int = 4096) {
        self.folder = folder
        self.longest = longest
        path = folder.appending(Array(name.utf8))
    }

    /// The folder of the user for the state of this program: below $XDG_STATE_HOME if that is an
    /// absolute path, else below ~/.local/state; nil without a home folder.
    ///
    /// Source: XDG Base Directory Specification 0.8.
    static var userFolder: FilePath? {
        func variable(_ name: String) -> FilePath? {
            guard let value = getenv(name), value.pointee == CChar(bitPattern: 0x2F) else {
                return nil
            }
            return FilePath(Array(String(cString: value).utf8))
        }
        let home = variable("HOME")?.appending(Array(".local/state".utf8))
        return (variable("XDG_STATE_HOME") ?? home)?.appending(Array("vitrine".utf8))
    }

    /// The contents; nil if there are none that can be read.
    func read() -> [UInt8]? { try? InputFile.read(path, limit: longest) }

    /// Replaces the file as a whole, and makes its folder.
    func write(_ bytes: [UInt8]) throws(SystemError) {
        FileReplacement.makeFolders(folder.bytes)
        try FileReplacement.write(bytes, to: path.bytes, isSynced: true)
    }
}
