import Geometry
import Glibc
import ImageTypes
import ImageWire
import Localization
import SystemCalls
import Threads

/// The thumbnails that the programs of a desktop share, in the user's cache folder.
///
/// A cache that cannot be written is no error: a thumbnail that is not stored is made again the
/// next time. The files are not trusted: a thumbnail is valid only if its URI and modification time
/// are those of the picture.
///
/// Source: Thumbnail Managing Standard 0.9.0 of freedesktop.org.
package struct ThumbnailCache: Sendable {
    /// The folder `thumbnails`, without a trailing separator.
    private let root: [UInt8]
    /// Name and version of this program; every program records its own failures.
    private let program: String
    /// Folders whose pictures have no thumbnails in the cache, and leave none.
    private let excluded: [[UInt8]]
    /// Thumbnails are made without the cache while the folder does not answer.
    private let calls = PatientCalls(patience: 500)

    /// Maximum size of a thumbnail's file, in bytes.
    private static let maximumFileSize = 16 << 20
    /// Number of bytes to read first for the texts of a file, which usually come first.
    private static let headLength = 16 << 10

    /// The cache below `cacheFolder`, an absolute path; `program` is a name with its version.
    package init(cacheFolder: [UInt8], program: String, excluding excluded: [[UInt8]] = []) {
        root = cacheFolder + Array("/thumbnails".utf8)
        self.program = program
        self.excluded = excluded.map { FileURI.canonical($0) + [0x2F] }
    }

    /// The user's cache: below $XDG_CACHE_HOME if that is an absolute path, else below ~/.cache;
    /// nil without a home folder.
    ///
    /// Source: XDG Base Directory Specification 0.8.
    package init?(program: String, excluding excluded: [[UInt8]] = []) {
        func variable(_ name: String) -> [UInt8]? {
            guard let value = getenv(name) else { return nil }
            let bytes = Array(String(cString: value).utf8)
            return bytes.first == UInt8(ascii: "/") ? bytes : nil
        }
        let home = variable("HOME").map { $0 + Array("/.cache".utf8) }
        guard let folder = variable("XDG_CACHE_HOME") ?? home else { return nil }
        self.init(cacheFolder: folder, program: program, excluding: excluded)
    }

    /// Whether thumbnails of a picture are not stored: it is itself in the cache, or excluded.
    func excludes(_ picture: PictureIdentity) -> Bool {
        let path = FileURI.canonical(picture.path)
        return path.starts(with: FileURI.canonical(root) + [0x2F])
            || excluded.contains { path.starts(with: $0) }
    }

    // MARK: Reading

    /// Where an entry is.
    enum Place {
        case thumbnails(ThumbnailSize)
        /// The records of failures of this program.
        case failures
    }

    /// What the cache has of the present state of a picture.
    enum Entry {
        /// The receiver closes the descriptor.
        case thumbnail(ThumbnailSize, descriptor: Int32)
        /// Why the picture has no thumbnail.
        case failure(reason: String)
    }

    /// All places, in the order of preference for a thumbnail of `size`: those of thumbnails that are large
    /// enough, failures, and smaller thumbnails.
    static func places(for size: ThumbnailSize) -> [Place] {
        let larger = ThumbnailSize.cached.filter { $0 >= size }
        let smaller = ThumbnailSize.cached.filter { $0 < size }.reversed()
        return larger.map { .thumbnails($0) } + [.failures] + smaller.map { .thumbnails($0) }
    }

    /// The first valid entry of a picture in `places`; removes the places up to that entry.
    ///
    /// All places are looked at in a single call, since each call switches threads.
    func nextEntry(of picture: PictureIdentity, in places: inout ArraySlice<Place>) -> Entry? {
        guard !excludes(picture) else { return nil }
        let paths = places.map { path(folder($0), of: picture) }
        let found = calls.run(
            { Self.openFirst(of: paths, picture) }, discard: { close($0.descriptor) })
        guard let found else { return nil }
        let place = places[places.startIndex + found.number]
        places = places.dropFirst(found.number + 1)
        switch place {
        case .thumbnails(let size): return .thumbnail(size, descriptor: found.descriptor)
        case .failures:
            close(found.descriptor)
            return .failure(reason: Self.reason(in: found.file))
        }
    }

    private func folder(_ place: Place) -> String {
        switch place {
        case .thumbnails(let size): size.folder ?? ""
        case .failures: "fail/\(program)"
        }
    }

    /// Why the picture has no thumbnail, in words that were recorded in an earlier attempt.
    private static func reason(in file: PNGFile) -> String {
        let reason = file.text(Keyword.comment) ?? []
        let isPlain = reason.count <= 1024 && reason.allSatisfy { (32..<127).contains($0) }
        return isPlain && !reason.isEmpty
            ? String(decoding: reason, as: UTF8.self)
            : localized("could not be read in an earlier attempt")
    }

    private static func isValid(_ file: PNGFile, of picture: PictureIdentity) -> Bool {
        guard file.text(Keyword.uri) == picture.uri, let time = file.text(Keyword.modified) else {
            return false
        }
        // Some programs write fractions of seconds, too.
        return time.prefix { $0 != UInt8(ascii: ".") }.elementsEqual("\(picture.modified)".utf8)
    }

    /// Opens the first of these files that is a valid entry of the picture; returns its number, too.
    private static func openFirst(
        of paths: [[UInt8]], _ picture: PictureIdentity
    ) -> (number: Int, descriptor: Int32, file: PNGFile)? {
        for (number, path) in paths.enumerated() {
            guard let (descriptor, file) = open(path) else { continue }
            if isValid(file, of: picture) { return (number, descriptor, file) }
            close(descriptor)
        }
        return nil
    }

    private static func open(_ path: [UInt8]) -> (descriptor: Int32, file: PNGFile)? {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = path.withPathString { Glibc.open($0, flags) }
        guard descriptor >= 0 else { return nil }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.isRegularFile,
            info.st_size <= maximumFileSize,
            let file = parse(descriptor, info.st_size)
        else {
            close(descriptor)
            return nil
        }
        return (descriptor, file)
    }

    private static func parse(_ descriptor: Int32, _ length: Int) -> PNGFile? {
        for limit in [min(headLength, length), length] {
            guard let file = try? PNGFile(firstBytes(of: descriptor, limit: limit)) else {
                return nil
            }
            let isKnown = file.text(Keyword.uri) != nil && file.text(Keyword.modified) != nil
            if isKnown || limit == length { return file }
        }
        return nil
    }

    // MARK: Writing

    /// Encodes and stores a thumbnail, whose pixels are in sRGB.
    ///
    /// Every byte of the file comes from the viewer's own encoder, because other programs read the
    /// file without a sandbox. A compromised decoder chooses the colours of the pixels only, and
    /// only for the picture that the decoder was given.
    func store(
        _ bitmap: Bitmap, as size: ThumbnailSize, of picture: PictureIdentity,
        of pictureSize: PixelSize
    ) {
        guard let folder = size.folder, !excludes(picture) else { return }
        let texts = [
            (Keyword.width, Array("\(pictureSize.width)".utf8)),
            (Keyword.height, Array("\(pictureSize.height)".utf8)),
        ]
        write(PNGFile.picture(bitmap, self.texts(picture) + texts), to: folder, of: picture)
    }

    /// Records that the picture's present state has no thumbnail.
    func storeFailure(_ reason: String, of picture: PictureIdentity) {
        guard !excludes(picture) else { return }
        // The texts of a PNG are Latin-1, but `reason(in:)` accepts only ASCII.
        let plain = reason.unicodeScalars.map { scalar in
            scalar == "×"
                ? UInt8(ascii: "x") : UInt8(ascii: (32..<127).contains(scalar.value) ? scalar : "?")
        }
        let texts = texts(picture) + [(Keyword.comment, plain)]
        write(PNGFile.blank(texts), to: folder(.failures), of: picture)
    }

    /// Removes the thumbnails of the file at an absolute path, and the records of failures.
    package func forget(_ path: [UInt8]) {
        let picture = PictureIdentity(path: path, FileStatus(size: 0, modified: 0))
        for place in Self.places(for: .normal) {
            _ = self.path(folder(place), of: picture).withPathString { unlink($0) }
        }
    }

    private func texts(_ picture: PictureIdentity) -> [(keyword: String, text: [UInt8])] {
        [
            (Keyword.uri, picture.uri), (Keyword.modified, Array("\(picture.modified)".utf8)),
            (Keyword.size, Array("\(picture.size)".utf8)),
            (Keyword.software, Array(program.utf8)),
        ]
    }

    private func path(_ folder: String, of picture: PictureIdentity) -> [UInt8] {
        root + Array("/\(folder)/".utf8) + picture.fileName
    }

    private func write(_ bytes: [UInt8], to folder: String, of picture: PictureIdentity) {
        let (folder, path) = (root + Array("/\(folder)".utf8), path(folder, of: picture))
        _ = calls.run {
            FileReplacement.makeFolders(folder)
            try? FileReplacement.write(bytes, to: path, isSynced: false)
            return true
        }
    }

    private enum Keyword {
        static let uri = "Thumb::URI"
        static let modified = "Thumb::MTime"
        static let size = "Thumb::Size"
        static let width = "Thumb::Image::Width"
        static let height = "Thumb::Image::Height"
        static let software = "Software"
        static let comment = "Comment"
    }
}
