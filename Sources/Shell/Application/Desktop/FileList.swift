import Desktop
import Folders
import ImageTypes
import SystemCalls
import WaylandClient

/// Files in the form in which programs exchange them, by the clipboard and by drag and drop.
enum FileList {
    static let uris = "text/uri-list"
    /// The form of GNOME, which also says whether the files are to be moved.
    static let gnome = "x-special/gnome-copied-files"
    static let text = "text/plain;charset=utf-8"
    /// More files than these are refused.
    static let most = 10_000
    /// More bytes than these are refused: 400 for each file.
    static let limit = 4 << 20

    /// The bytes of absolute paths in one of the three forms; nil for other types.
    static func bytes(of paths: [FilePath], as type: String) -> [UInt8]? {
        let lines = paths.map { LocalFileURI.uri(of: $0) }
        switch type {
        case uris: return lines.flatMap { Array("\($0)\r\n".utf8) }
        case gnome: return Array((["copy"] + lines).joined(separator: "\n").utf8)
        case text: return paths.map(\.bytes).joined(separator: [UInt8(ascii: "\n")]).map(\.self)
        default: return nil
        }
    }

    /// Files of another program.
    struct Received: Hashable {
        var paths: [FilePath] = []
        /// Whether the other program wants the files to be moved, not copied.
        var isCut = false
        /// The URIs that are no files of this computer.
        var refused: [String] = []
    }

    /// Reads `uris` or `gnome`; nil if there are more than `most` files.
    static func parse(_ bytes: [UInt8], as type: String) -> Received? {
        var received = Received()
        let lines = bytes.split(whereSeparator: { $0 == 10 || $0 == 13 || $0 == 0 })
        for (index, line) in lines.enumerated() {
            let text = String(decoding: line, as: UTF8.self)
            if type == gnome, index == 0, text == "copy" || text == "cut" {
                received.isCut = text == "cut"
                continue
            }
            // Comments of text/uri-list (RFC 2483).
            if line.first == UInt8(ascii: "#") { continue }
            guard received.paths.count + received.refused.count < most else { return nil }
            // As bytes: a name need not be UTF-8, and other programs do not escape all of them.
            if let path = try? LocalFileURI.read(Array(line)) {
                received.paths.append(path)
            } else {
                received.refused.append(text)
            }
        }
        return received
    }
}

extension ReceivedData {
    /// Whether the data are a picture, or name a file of this computer; a list that is too long counts,
    /// because a message tells of the limit.
    var namesPicture: Bool {
        guard case .bytes(let bytes) = contents else { return true }
        return FileList.parse(bytes, as: type).map { !$0.paths.isEmpty } ?? true
    }
}

extension DataWant {
    /// The largest picture that is pasted or dropped, in bytes.
    static let pictureLimit = 256 << 20

    /// Chooses files before pictures, and a picture in the form that keeps most of it.
    ///
    /// Browsers offer the address of a picture as a file, and the picture beside it.
    static func choose(_ types: [String]) -> [DataWant] {
        [list(types), picture(types)].compactMap(\.self)
    }

    private static func list(_ types: [String]) -> DataWant? {
        [FileList.gnome, FileList.uris].first { types.contains($0) }
            .map { DataWant(type: $0, limit: FileList.limit) }
    }

    private static func picture(_ types: [String]) -> DataWant? {
        let known = PictureFormat.all.flatMap(\.mimeTypes)
        // Programs convert what they have to PNG without loss, and list its own type first.
        let type = types.first { known.contains($0) && $0 != "image/png" && !lossy.contains($0) }
        let best =
            types.contains("image/png") ? "image/png" : type ?? types.first { known.contains($0) }
        return best.map { DataWant(type: $0, limit: pictureLimit, usesMemoryFile: true) }
    }

    private static let lossy: Set<String> = ["image/jpeg", "image/webp", "image/gif", "image/bmp"]
}
