import CLinux
import FileAccess
import DecodeClient
import Geometry
import Glibc
import ImageTypes
import TestKit
import Testing

@testable import ImageWire

/// Damaged files and misbehaving decoders.
@Suite struct BadInputTests {
    private let photo = TestPicture.photograph(320, 240).jpeg(quality: 90)

    @Test(arguments: [0.3, 0.6, 0.9, 0.995])
    func aTruncatedJPEGIsShownInPart(_ part: Double) throws {
        let result = try Decoding(Array(photo.prefix(Int(Double(photo.count) * part))))
        #expect(result.bitmaps.last?.size == PixelSize(width: 320, height: 240))
        #expect(result.message?.contains("cut short") == true)
    }

    @Test func aTruncatedPNGIsShownInPart() throws {
        let file = TestPicture.photograph(320, 240).png()
        let result = try Decoding(Array(file.prefix(file.count / 2)))
        let bitmap = try #require(result.bitmaps.last)
        #expect(result.message?.contains("cut short") == true)
        #expect(bitmap.pixel(100, 20).r != 0)
        #expect(bitmap.pixel(100, 239) == (255, 0, 0, 0))
    }

    /// All complete rows are shown, even if all pixels are in one chunk.
    @Test(arguments: [0.04, 0.3, 0.9], [false, true])
    func aTruncatedPNGShowsAllCompleteRows(_ part: Double, _ isOneChunk: Bool) throws {
        let picture = TestPicture.photograph(320, 240)
        let file = isOneChunk ? TestPicture.inOneChunk(picture.png()) : picture.png()
        let result = try Decoding(Array(file.prefix(Int(Double(file.count) * part))))
        #expect(result.message?.contains("cut short") == true && result.failure == nil)
        let bitmap = try #require(result.bitmaps.last)
        let there = (0..<240).prefix { y in
            (0..<320).allSatisfy { x in
                let (_, r, g, b) = bitmap.pixel(x, y)
                return picture.color(x, y) == (r, g, b)
            }
        }
        #expect(Double(there.count) > 0.7 * part * 240 && there.count < 240)
        #expect(bitmap.pixel(100, 239) == (255, 0, 0, 0))
    }

    /// Where passes are missing, every pixel has the value of the earlier pass that covers it.
    @Test(arguments: [0.1, 0.2, 0.4, 0.6, 0.9])
    func aTruncatedInterlacedPNGIsCoarse(_ part: Double) throws {
        let picture = TestPicture.photograph(321, 243)
        let file = picture.png(interlaced: true)
        let result = try Decoding(Array(file.prefix(Int(Double(file.count) * part))))
        let bitmap = try #require(result.bitmaps.last)
        #expect(result.message?.contains("cut short") == true)
        let steps = [(0, 0), (0, 1), (1, 1), (1, 3), (3, 3), (3, 7), (7, 7)]
        var (wrong, exact) = (0, 0)
        for y in 0..<243 {
            for x in 0..<321 {
                let (_, r, g, b) = bitmap.pixel(x, y)
                let step = steps.firstIndex { picture.color(x & ~$0, y & ~$1) == (r, g, b) }
                if step == nil { wrong += 1 }
                if step == 0 { exact += 1 }
            }
        }
        #expect(wrong == 0)
        #expect(Double(exact) > 0.5 * part * 321 * 243 && exact < 321 * 243)
    }

    @Test(arguments: [0.04, 0.3])
    func aTruncatedInterlacedPNGInOneChunkIsCoarse(_ part: Double) throws {
        let file = TestPicture.inOneChunk(TestPicture.photograph(320, 240).png(interlaced: true))
        let result = try Decoding(Array(file.prefix(Int(Double(file.count) * part))))
        let bitmap = try #require(result.bitmaps.last)
        #expect(result.message?.contains("cut short") == true)
        #expect(bitmap.pixel(300, 230) != (255, 0, 0, 0))
    }

    @Test(arguments: [2, 20, 100, 300])
    func aFileThatEndsInItsHeaderFails(_ count: Int) throws {
        let result = try Decoding(Array(photo.prefix(count)))
        #expect(result.bitmaps.isEmpty)
        #expect(result.failure != nil)
    }

    @Test func textIsNotAPicture() throws {
        let result = try Decoding(Array("dear diary,\n".utf8))
        #expect(result.failure == .notAPicture(kind: "a text file"))
    }

    @Test func anAbsurdHeaderIsRefused() throws {
        // Overwrite height and width in the frame header with 60000 each.
        var file = photo
        let frame = try #require(
            file.indices.dropLast(9).first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
        file.replaceSubrange(frame + 5..<frame + 9, with: [0xEA, 0x60, 0xEA, 0x60])
        let result = try Decoding(file)
        #expect(result.failure == .tooLarge(width: 60000, height: 60000, most: 512_000_000))
    }

    @Test func aSideBeyondTheMessageFieldIsTooLarge() throws {
        let pixels = [UInt8](repeating: 0, count: 64)
        let result = try Decoding(TestQOI.header(Int(UInt32.max), 16, channels: 3) + pixels)
        #expect(result.failure == .tooLarge(width: 1 << 31, height: 16, most: 512_000_000))
    }

    @Test(arguments: [3, 99, 1234, 77777])
    func damagedFilesDoNotCrashTheDecoder(_ seed: Int) throws {
        var generator = UInt64(seed)
        for source in [photo, TestPicture.photograph(90, 60).png()] {
            var file = source
            for _ in 0..<40 {
                generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                file[20 + Int(generator >> 33) % (file.count - 20)] = UInt8(generator >> 24 & 255)
            }
            let result = try Decoding(file)
            #expect(result.failure != .crashed)
        }
    }

    @Test func specialFilesAreIdentified() throws {
        let folder = TemporaryFolder()
        #expect(throws: DecodeFailure.notAFile(kind: "a folder")) {
            try PictureFile.open(Array(folder.path.utf8))
        }
        mkfifo(folder / "pipe", 0o600)
        #expect(throws: DecodeFailure.notAFile(kind: "a pipe")) {
            try PictureFile.open(Array((folder / "pipe").utf8))
        }
        _ = folder.file("empty", "")
        #expect(throws: DecodeFailure.empty) {
            try PictureFile.open(Array((folder / "empty").utf8))
        }
        #expect(throws: DecodeFailure.unreadable(reason: "there is no such file")) {
            try PictureFile.open(Array((folder / "missing").utf8))
        }
        #expect(throws: DecodeFailure.notAFile(kind: "a device")) {
            try PictureFile.open(Array("/dev/null".utf8))
        }
    }

    // MARK: Bad decoders

    private func hostile(_ action: String) -> (TemporaryFolder, String) {
        let folder = TemporaryFolder()
        return (folder, Binaries.hostileDecoder(action, in: folder))
    }

    @Test(arguments: [
        "babbles", "lies-without-memory", "lies-about-id", "lies-about-stride",
        "lies-about-size", "lies-about-offset", "lies-about-levels", "lies-about-a-copy",
        "does-not-seal",
    ])
    func invalidRepliesAreDetected(_ action: String) throws {
        let (folder, path) = hostile(action)
        let result = try Decoding(photo, decoder: path, patience: 5000)
        #expect(result.failure == .invalidReply)
        #expect(result.bitmaps.isEmpty)
        withExtendedLifetime(folder) {}
    }

    @Test func aCrashIsReportedAsAFailure() throws {
        let (folder, path) = hostile("crashes")
        #expect(try Decoding(photo, decoder: path).failure == .crashed)
        let (other, later) = hostile("crashes-later")
        let result = try Decoding(photo, decoder: later)
        #expect(result.bitmaps.count == 1)
        #expect(result.failure == .crashed)
        withExtendedLifetime((folder, other)) {}
    }

    @Test func theNextPictureIsDecodedAfterACrash() throws {
        let folder = TemporaryFolder()
        let decoder = folder / "own-decode"
        _ = ChildProcess.run(["/bin/cp", Binaries.decoder, decoder])
        let client = try DecodeClient(DecoderLauncher(DecoderProgram(decoder)))
        let path = folder.file("photo.jpg", photo)
        for id in 1...3 {
            let descriptor = try PictureFile.open(Array(path.utf8)).descriptor
            #expect(Decoding(client, id: id, descriptor: descriptor).bitmaps.count == 1)
            // The worker dies between two pictures.
            ChildProcess.killAll(decoder)
        }
    }

    /// The fork server is started again on another thread, which reports why that is not possible.
    @Test func aDecoderThatCannotBeStartedAgainIsAnErrorOfThePicture() throws {
        let folder = TemporaryFolder()
        let decoder = folder / "own-decode"
        _ = ChildProcess.run(["/bin/cp", Binaries.decoder, decoder])
        let client = try DecodeClient(DecoderLauncher(DecoderProgram(decoder)))
        let path = folder.file("photo.jpg", photo)
        func decode(_ id: Int) throws -> Decoding {
            Decoding(client, id: id, descriptor: try PictureFile.open(Array(path.utf8)).descriptor)
        }
        #expect(try decode(1).bitmaps.count == 1)
        chmod(decoder, 0)
        ChildProcess.killAll(decoder)
        let failure = try decode(2).failure
        guard case .unreadable(let reason) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.contains("cannot be started: Permission denied"), "\(reason)")
        chmod(decoder, 0o755)
        #expect(try decode(3).bitmaps.count == 1)
    }

    @Test func aMissingDecoderIsAnError() {
        #expect(throws: DecodeClientError.self) {
            try DecoderLauncher(DecoderProgram("/nonexistent"))
        }
    }

    // MARK: The wire

    /// The year 1 to 9999, and every offset that a file can name.
    @Test(arguments: [-62_135_596_800, -1, 0, 1_795_253_400, 253_402_300_799])
    func captureTimesSurviveARoundTrip(_ wallClock: Int) throws {
        let size = PixelSize(width: 3, height: 4)
        let hours = stride(from: -14 * 3600, through: 14 * 3600, by: 900).map(Optional.some)
        for utcOffset in hours + [nil] {
            let taken = CaptureTime(wallClock: wallClock, utcOffset: utcOffset)
            let info = PictureInfo(
                size: size, orientation: .upright, format: "PNG",
                capture: Capture(time: taken, camera: "Maker Model"))
            let bytes = DecodeReply.info(id: 5, info).bytes
            #expect(try DecodeReply(bytes) == .info(id: 5, info))
            // The offset precedes the flags, the detail, the scratch and the number of regions.
            var forged = bytes
            (forged[bytes.count - 6], forged[bytes.count - 5]) = (0xFF, 0xFF)
            if utcOffset == nil { #expect(throws: WireError.self) { try DecodeReply(forged) } }
        }
    }

    @Test func messagesSurviveARoundTrip() throws {
        var info = PictureInfo(
            size: PixelSize(width: 3, height: 4), orientation: .rotatedLeft, format: "PNG")
        info.regions = [Rect(x: 0, y: 0.2, width: 1, height: 0.8)]
        var report = SandboxReport()
        report[.calls] = .refused(code: 38)
        report[.files] = .inForce(version: 7)
        let replies: [DecodeReply] = [
            .info(id: 5, info), .pixels(id: 1, isFinal: true), .progress(id: 9),
            .finished(id: 2, message: "so so"), .finished(id: 2, message: nil),
            .failed(id: 3, .tooLarge(width: 70000, height: 2, most: 9)), .failed(id: 3, .empty),
            .sandboxReport(id: 0, SandboxReport()), .sandboxReport(id: 0, report),
            .gain(
                id: 6,
                try #require(GainRange(minimum: -0.5, maximum: 3.25, start: 0, full: 2.5))),
        ]
        for reply in replies { #expect(try DecodeReply(reply.bytes) == reply) }
        let requests: [DecodeRequest] = [
            .open(id: 4),
            .decode(
                id: 4, target: PixelSize(width: 800, height: 600), acceptsPlanes: true,
                forTargetOnly: true),
            .decode(
                id: 4, target: PixelSize(width: 8, height: 6), acceptsPlanes: false,
                forTargetOnly: false, wantsGain: true),
            .thumbnail(id: 5, ThumbnailRequest(side: 256, wantsSRGBCopy: true)),
            .thumbnail(id: 5, ThumbnailRequest(side: 256, wantsRegions: true)),
            .sandboxReport(id: 0),
        ]
        for request in requests { #expect(try DecodeRequest(request.bytes) == request) }
    }

    /// The numbers of a gain plane that make no sense: a wrong brightness is worse than none.
    @Test(arguments: [
        (Double.nan, 2.0, 0.0, 2.0), (0, .infinity, 0, 2), (2, 1, 0, 2), (0, 2, -1, 2),
        (0, 2, 2, 2),
        (0, 2, .nan, 2), (-17, 2, 0, 2), (0, 2, 0, 17),
    ])
    func gainsThatMakeNoSenseAreRefused(
        minimum: Double, maximum: Double, start: Double, full: Double
    ) throws {
        let range = try #require(GainRange(minimum: 0, maximum: 1, start: 0, full: 1))
        let sound = DecodeReply.gain(id: 1, range).bytes
        let numbers = [minimum, maximum, start, full].flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) }
        }
        #expect(throws: WireError.self) {
            try DecodeReply(sound.dropLast(numbers.count) + numbers)
        }
    }

    @Test func randomBytesDoNotTrap() {
        var generator = UInt64(42)
        for round in 0..<20_000 {
            var bytes: [UInt8] = round.isMultiple(of: 2) ? [0x56, 0x74, 0x44, 0x31] : []
            for _ in 0..<(round % 97) {
                generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(UInt8(generator >> 40 & (round.isMultiple(of: 3) ? 15 : 255)))
            }
            if let reply = try? DecodeReply(bytes) {
                #expect((try? DecodeReply(reply.bytes))?.bytes == reply.bytes)
            }
            if let request = try? DecodeRequest(bytes) {
                #expect((try? DecodeRequest(request.bytes))?.bytes == request.bytes)
            }
            let header = [0x56, 0x74, 0x50, 0x31] + bytes.dropFirst(4)
            if let checked = try? PixelHeader(checking: header, memoryLength: 1 << 20) {
                #expect(checked.levels.allSatisfy { !$0.size.isEmpty })
            }
        }
    }
}

extension TestPicture {
    /// The PNG file with all IDAT chunks merged into one.
    static func inOneChunk(_ file: [UInt8]) -> [UInt8] {
        var (place, before, pixels) = (8, Array(file.prefix(8)), [UInt8]())
        while place < file.count {
            let length = file[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
            let end = place + 12 + length
            switch String(decoding: file[(place + 4)..<(place + 8)], as: UTF8.self) {
            case "IDAT": pixels += file[(place + 8)..<(end - 4)]
            case "IEND": before += TestAnimation.chunk("IDAT", pixels) + file[place..<end]
            default: before += file[place..<end]
            }
            place = end
        }
        return before
    }
}
