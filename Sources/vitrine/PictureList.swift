import DecodeClient
import Glibc
import Pictures

/// The pictures given on the command line, folders replaced by the pictures in them.
struct PictureList {
    private(set) var entries: [Entry] = []

    struct Entry {
        var path: FilePath
        /// An open descriptor where the picture is not read from `path`: standard input.
        var descriptor: Int32?

        var title: String { String(decoding: path.name, as: UTF8.self) }
    }

    /// Reports what cannot be shown on standard error and leaves it out.
    init(_ paths: [FilePath]) {
        for path in paths {
            if path.bytes == [UInt8(ascii: "-")] {
                addStandardInput()
            } else {
                add(path)
            }
        }
    }

    private mutating func add(_ path: FilePath) {
        var info = stat()
        guard path.withCString({ stat($0, &info) }) == 0 else {
            Diagnostics.error(path, PictureFile.words(errno))
            return
        }
        switch info.st_mode & S_IFMT {
        case S_IFDIR: addFolder(path)
        case S_IFREG:
            guard path.withCString({ access($0, R_OK) }) == 0 else {
                Diagnostics.error(path, PictureFile.words(errno))
                return
            }
            entries.append(Entry(path: path))
        case S_IFIFO:
            Diagnostics.error(path, "is a pipe, not a file; give - to read one as standard input")
        case S_IFSOCK: Diagnostics.error(path, "is a socket, not a picture")
        default: Diagnostics.error(path, "is a device, not a picture")
        }
    }

    private mutating func addFolder(_ path: FilePath) {
        guard let folder = path.withCString({ opendir($0) }) else {
            Diagnostics.error(path, PictureFile.words(errno))
            return
        }
        defer { closedir(folder) }
        var names: [[UInt8]] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            // Links are followed later, when the picture is opened.
            let kind = Int32(entry.pointee.d_type)
            let mayBeFile = [DT_REG, DT_LNK, DT_UNKNOWN].contains { Int32($0) == kind }
            if mayBeFile, name.first != UInt8(ascii: "."), PictureFormat.matches(name: name) {
                names.append(name)
            }
        }
        guard !names.isEmpty else {
            Diagnostics.error(path, "there is no picture in this folder")
            return
        }
        names.sort { NaturalOrder.isOrdered($0, before: $1) }
        entries.append(contentsOf: names.map { Entry(path: path.appending($0)) })
    }

    private mutating func addStandardInput() {
        let path = FilePath("standard input")
        do throws(StandardInput.Failure) {
            entries.append(Entry(path: path, descriptor: try StandardInput.read()))
        } catch {
            Diagnostics.error(path, error.reason)
        }
    }
}
