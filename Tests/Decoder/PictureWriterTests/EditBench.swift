import CLinux
import SeededRandom
import Edits
import Geometry
import Glibc
import ImageTypes
import ImageWire
import PictureWriter
import SystemCalls
import TestKit
import Testing

/// A temporary folder in which pictures are made, changed and read by other programs.
struct EditBench {
    let folder = TemporaryFolder()
    /// Has no symmetry, so that every turn can be seen.
    static let photo = TestPicture.photograph(61, 43)
    /// The same with sides that are multiples of the blocks of a JPEG.
    static let even = TestPicture.photograph(96, 64)

    static let turns = Orientation.allCases

    /// Runs a shell command in the folder; a non-zero status is an error.
    @discardableResult func run(_ command: String) throws -> String {
        let done = ChildProcess.run(["bash", "-c", "cd \(folder.path) && \(command)"])
        try #require(done.status == 0, "\(command): \(done.errors)")
        return done.output
    }

    /// Turns a file in random sequences that end with the inverse of all before: it shows the same again.
    func expectTurnsCancelOut(
        _ source: [UInt8], sequences: Int, check: ([UInt8]) -> Void = { _ in }
    ) throws {
        var random = SeededGenerator(seed: 22)
        let first = try fingerprint(source)
        for _ in 0..<sequences {
            var (bytes, total) = (source, Orientation.upright)
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let turn = Self.turns.randomElement(using: &random) ?? .mirrored
                guard turn != .upright else { continue }
                bytes = try Edited(bytes, turn: turn).bytes
                total = total.followed(by: turn)
            }
            if total != .upright { bytes = try Edited(bytes, turn: total.inverse).bytes }
            #expect(try fingerprint(bytes) == first)
            check(bytes)
        }
    }

    func put(_ name: String, _ bytes: [UInt8]) { _ = folder.file(name, bytes) }

    func bytes(_ name: String) -> [UInt8] { TestFile.read(folder / name) ?? [] }

    /// Makes a picture with metadata of all kinds that its format can have.
    ///
    /// `command` makes it of `photo.png`.
    func source(
        _ name: String, _ picture: TestPicture = photo, by command: String, tags: Bool = true
    ) throws -> [UInt8] {
        put("photo.png", picture.png())
        try run(command)
        if tags {
            try run(
                "exiftool -q -overwrite_original -Artist=Ada -Make=Vitrine -Model=Test "
                    + "-ISO=200 -GPSLatitude=48.5 -GPSLatitudeRef=N -UserComment=Hello "
                    + "-XMP:Title='A title' -XMP-tiff:Orientation#=3 \(name)")
        }
        return bytes(name)
    }

    /// What exiftool reads, without the orientation and what depends on places in the file.
    func metadata(_ name: String) throws -> [String] { Self.kept(try tags(of: [name])[0]) }

    /// All lines of exiftool for each of several files, by one process.
    func tags(of names: [String]) throws -> [[String]] {
        // With several files each one has a line of its own before its tags.
        let lines = try run("exiftool -a -G1 -s -n \(names.joined(separator: " "))")
            .split(separator: "\n").map(String.init)
        let parts = lines.split(omittingEmptySubsequences: false) { $0.hasPrefix("======== ") }
        // The last line counts the files.
        return (names.count > 1 ? parts.dropFirst() : parts[...])
            .map { part in part.filter { $0.hasPrefix("[") } }
    }

    /// The lines without the orientation and what depends on places in the file.
    static func kept(_ lines: [String]) -> [String] {
        let left = [
            "Orientation", "[System]", "[ExifTool]", "Offset", "ThumbnailImage", "FileSize",
            "RegionAppliedToDimensions", "WebP Flags", "WebP_Flags",
        ]
        return lines.filter { line in !left.contains { line.contains($0) } }
    }

    /// The upright pixels as ImageMagick sees them.
    func upright(_ name: String) throws -> [UInt8] {
        try run("convert \(name) -auto-orient +profile '*' -depth 8 rgba:upright.rgba")
        return bytes("upright.rgba")
    }

    /// The pixels of a picture as ImageMagick turns its upright ones.
    func upright(_ name: String, turned turn: Orientation) throws -> [UInt8] {
        let operation =
            switch turn {
            case .upright: ""
            case .mirrored: "-flop"
            case .upsideDown: "-rotate 180"
            case .mirroredUpsideDown: "-flip"
            case .transposed: "-transpose"
            case .rotatedLeft: "-rotate 90"
            case .transversed: "-transverse"
            case .rotatedRight: "-rotate 270"
            }
        try run("convert \(name) -auto-orient \(operation) +profile '*' -depth 8 rgba:turned.rgba")
        return bytes("turned.rgba")
    }
}

/// The result of an edit in this process.
struct Edited {
    var bytes: [UInt8]
    var description: EditDescription

    init(_ source: [UInt8], _ request: EditRequest) throws {
        let (memory, description) = try source.withUnsafeBytes { bytes in
            let writer = try PictureWriter(bytes, request)
            return (try writer.write {}, writer.plan)
        }
        defer { close(memory) }
        #expect(clinux_is_sealed(memory) != 0)
        var info = stat()
        fstat(memory, &info)
        bytes = firstBytes(of: memory, limit: Int(info.st_size))
        self.description = description
    }

    init(_ source: [UInt8], turn: Orientation) throws {
        try self.init(source, EditRequest(PictureEdit(turn: turn)))
    }

    /// How often progress is reported while a file is written.
    static func progress(_ source: [UInt8], _ request: EditRequest) throws -> Int {
        var count = 0
        try source.withUnsafeBytes { bytes in
            let memory = try PictureWriter(bytes, request).write { count += 1 }
            close(memory)
        }
        return count
    }
}

/// What a file shows, by our decoders.
func fingerprint(
    _ bytes: [UInt8], _ edit: PictureEdit = PictureEdit(), ofCoefficients: Bool = false,
    turnsPixels: Bool = false, trimsEdges: Bool = false
) throws -> PictureFingerprint {
    var request = FingerprintRequest(edit)
    request.ofCoefficients = ofCoefficients
    request.turnsPixels = turnsPixels
    request.trimsEdges = trimsEdges
    return try bytes.withUnsafeBytes {
        try PictureFingerprinting.fingerprint(of: $0, request) {}
    }
}
