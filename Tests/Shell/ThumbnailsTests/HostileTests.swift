import DecodeClient
import Geometry
import Glibc
import ImageTypes
import SystemCalls
import TestKit
import Testing

@testable import Thumbnails

/// Forged cache entries, unusable caches, and hostile decoders.
@Suite struct HostileTests {
    private let stage = QueueStage()
    private let card = TestPicture.card(800, 500)
    private let red = TestPicture(size: PixelSize(width: 128, height: 80)) { _, _ in (255, 0, 0) }

    /// Writes a red thumbnail with these texts into the cache.
    private func plant(_ index: Int, uri: [UInt8]? = nil, modified: String = "1600000000") throws {
        let path = stage.thumbnailPath(index, "normal")
        FileReplacement.makeFolders(
            Array(stage.cacheFolder.utf8) + Array("/thumbnails/normal".utf8))
        let uri = uri ?? FileURI.uri(of: stage.paths[index] ?? [])
        TestFile.write(Self.named(red.png(), uri, modified), to: path)
    }

    /// A PNG with the texts of a cached thumbnail behind its header.
    private static func named(
        _ png: [UInt8], _ uri: [UInt8], _ modified: String = "1600000000"
    ) -> [UInt8] {
        TestPicture.png(
            png,
            with: [
                ("tEXt", Array("Thumb::URI\0".utf8) + uri),
                ("tEXt", Array("Thumb::MTime\0\(modified)".utf8)),
            ])
    }

    private func isRed() -> Bool { stage.bitmaps[0]?.isNear(20, 20, (255, 0, 0)) ?? false }

    @Test(arguments: ["1600000000", "1600000000.25"])
    func thumbnailsOfOtherProgramsAreShown(_ modified: String) throws {
        stage.add(0, "a.jpg", card.jpeg())
        try plant(0, modified: modified)
        stage.get([0], side: 128, stage.queue())
        #expect(isRed())
    }

    @Test(arguments: ["1600000001", "16000000000", "", "-1", "1599999999.9"])
    func thumbnailsOfAnotherDateAreRefused(_ modified: String) throws {
        stage.add(0, "a.jpg", card.jpeg())
        try plant(0, modified: modified)
        stage.get([0], side: 128, stage.queue())
        #expect(stage.bitmaps[0] != nil && !isRed())
        // The wrong thumbnail has been replaced.
        stage.run(stage.queue(), seconds: 0.3) { false }
        stage.get([0], side: 128, stage.queue())
        #expect(stage.bitmaps[0] != nil && !isRed())
    }

    @Test func thumbnailsOfAnotherPictureAreRefused() throws {
        stage.add(0, "a.jpg", card.jpeg())
        try plant(0, uri: Array("file:///somewhere/else.jpg".utf8))
        stage.get([0], side: 128, stage.queue())
        #expect(stage.bitmaps[0] != nil && !isRed())
    }

    @Test func maliciousThumbnailsAreReplaced() throws {
        var absurd = red.png()
        // The header claims two billion columns.
        absurd.replaceSubrange(16..<20, with: [0x7F, 0xFF, 0xFF, 0xFF])
        let whole = red.png()
        let files: [[UInt8]] = [
            absurd, Array(whole.prefix(40)), Array(whole.prefix(8)), [], Array("x".utf8),
            Array(whole.prefix(60)) + [UInt8](repeating: 0xFF, count: 400),
        ]
        for (index, file) in files.enumerated() {
            let path = stage.add(index, "\(index).jpg", card.jpeg())
            // Without a header there is no place for the texts.
            let cached =
                file.count < 33 ? file : Self.named(file, FileURI.uri(of: Array(path.utf8)))
            let folder = Array(stage.cacheFolder.utf8) + Array("/thumbnails/normal".utf8)
            FileReplacement.makeFolders(folder)
            TestFile.write(cached, to: stage.thumbnailPath(index, "normal"))
        }
        stage.get(Array(files.indices), side: 128, stage.queue())
        #expect(stage.bitmaps.count == files.count)
        #expect(stage.reasons.isEmpty)
    }

    @Test func aPipeInTheCacheDoesNotBlock() {
        stage.add(0, "a.jpg", card.jpeg())
        FileReplacement.makeFolders(
            Array(stage.cacheFolder.utf8) + Array("/thumbnails/normal".utf8))
        mkfifo(stage.thumbnailPath(0, "normal"), 0o600)
        stage.get([0], side: 128, stage.queue())
        #expect(stage.bitmaps[0] != nil)
    }

    @Test func thumbnailsNeedNoWritableCache() {
        stage.add(0, "a.jpg", card.jpeg())
        // A file where the folder should be: even the superuser cannot write below it.
        _ = stage.folder.file("cache", "")
        stage.get([0], side: 128, stage.queue())
        #expect(stage.bitmaps[0] != nil)
    }

    @Test func failuresAreRememberedUntilThePictureChanges() throws {
        let path = stage.add(0, "a.jpg", Array("dear diary".utf8))
        stage.get([0], side: 128, stage.queue())
        #expect(stage.reasons[0] == "this is a text file, not a picture that can be shown")
        let record = try #require(stage.waitFor(stage.thumbnailPath(0, "fail/vitrine-test")))
        #expect(try PNGFile(record).text("Thumb::MTime") == Array("1600000000".utf8))
        // While the date is unchanged, the picture is not decoded again. The record has no words of the
        // decoder, which may be compromised.
        TestFile.write(card.jpeg(), to: path)
        stage.setModified(path, 1_600_000_000)
        stage.get([0], side: 128, stage.queue())
        #expect(stage.reasons[0] == "could not be read in an earlier attempt")
        #expect(try PNGFile(record).text("Comment")?.isEmpty != false)
        stage.setModified(path, 1_600_000_009)
        stage.get([0], side: 128, stage.queue())
        #expect(stage.bitmaps[0] != nil)
    }

    @Test func thumbnailsOfNewFilesAreNotCached() throws {
        let path = stage.add(0, "a.jpg", card.jpeg(), modified: time(nil))
        stage.get([0], side: 128, stage.queue())
        #expect(stage.bitmaps[0] != nil)
        stage.run(stage.queue(), seconds: 0.2) { false }
        #expect(QueueStage.contents(stage.thumbnailPath(0, "normal")) == nil)
        withExtendedLifetime(path) {}
    }

    @Test func thumbnailsOfThumbnailsAreNotCached() throws {
        stage.add(0, "a.jpg", card.jpeg())
        stage.get([0], side: 128, stage.queue())
        let kept = stage.thumbnailPath(0, "normal")
        _ = stage.waitFor(kept)
        stage.setModified(kept, 1_600_000_000)
        let queue = ThumbnailQueue(
            program: DecoderProgram(Binaries.decoder), cache: stage.cache, budget: 1 << 24
        ) { _ in .file(Array(kept.utf8)) }
        stage.get([7], side: 256, queue)
        #expect(stage.bitmaps[7] != nil)
        stage.run(queue, seconds: 0.2) { false }
        let large = stage.cacheFolder + "/thumbnails/large"
        #expect(access(large, F_OK) != 0)
    }

    // MARK: Hostile decoders

    private func hostile(_ attack: String) -> String {
        Binaries.hostileDecoder(attack, in: stage.folder)
    }

    @Test(arguments: [
        "babbles", "lies-without-memory", "lies-about-id", "lies-about-stride", "lies-about-size",
        "lies-about-offset", "lies-about-levels", "lies-about-a-copy", "does-not-seal", "crashes",
    ])
    func invalidDecoderRepliesAreErrors(_ attack: String) {
        stage.add(0, "a.jpg", card.jpeg())
        stage.get([0], side: 128, stage.queue(decoder: hostile(attack), workers: 1))
        #expect(stage.bitmaps.isEmpty)
        #expect(stage.reasons[0] != nil)
    }

    /// The decoder chooses colours; every byte of the file comes from the viewer's encoder.
    @Test func aHostileDecoderPutsNoBytesOfItsOwnIntoTheCache() throws {
        stage.add(0, "a.jpg", card.jpeg())
        stage.get([0], side: 128, stage.queue(decoder: hostile("paints-nonsense"), workers: 1))
        let bitmap = try #require(stage.bitmaps[0])
        #expect(bitmap.size == PixelSize(width: 64, height: 64))
        let file = try #require(stage.waitFor(stage.thumbnailPath(0, "normal")))
        let check = try #require(PNGCheck(file))
        #expect(check.chunks == ["IHDR"] + PNGCheck.texts + ["IDAT", "IEND"])
        // The colours exceed the alpha of 16, so they count as full.
        #expect(check.samples == (0..<4096).flatMap { _ in [255, 255, 255, 16] as [UInt8] })
        #expect(try PNGFile(file).text("Thumb::URI") == FileURI.uri(of: stage.paths[0] ?? []))
    }

    /// A decoder that was taken over by one picture has no say in where its pixels are stored.
    @Test func aHostileDecoderMakesNoThumbnailsForOtherPictures() throws {
        stage.add(0, "a.jpg", Array("HOSTILE paints-nonsense".utf8))
        stage.add(1, "b.jpg", card.jpeg())
        let decoder = hostile("decoder")
        stage.get([0], side: 128, stage.queue(decoder: decoder, workers: 1))
        _ = try #require(stage.waitFor(stage.thumbnailPath(0, "normal")))
        #expect(QueueStage.contents(stage.thumbnailPath(1, "normal")) == nil)
        let folder = stage.cacheFolder + "/thumbnails"
        #expect(QueueStage.names(in: folder) == ["normal"])
        #expect(QueueStage.names(in: folder + "/normal").count == 1)
        stage.get([0, 1], side: 128, stage.queue(decoder: decoder, workers: 1))
        #expect(stage.bitmaps[1]?.size == PixelSize(width: 128, height: 80))
        #expect(stage.bitmaps[1]?.isNear(20, 20, card.color(125, 125)) == true)
    }

    /// A decoder answers only for its own file, and never gets another one.
    @Test func aHostileDecoderCannotForgeOtherThumbnails() throws {
        stage.add(0, "a.jpg", Array("HOSTILE forges-others".utf8))
        for index in 1...4 { stage.add(index, "\(index).jpg", card.jpeg()) }
        stage.get(
            Array(0...4), side: 128, stage.queue(decoder: hostile("decoder"), workers: 1))
        #expect(stage.reasons[0] == "the decoder sent an invalid reply")
        for index in 1...4 {
            #expect(stage.bitmaps[index]?.size == PixelSize(width: 128, height: 80))
            #expect(stage.bitmaps[index]?.isNear(20, 20, card.color(125, 125)) == true)
            let stored = try #require(stage.waitFor(stage.thumbnailPath(index, "normal")))
            #expect(
                try PNGFile(stored).text("Thumb::URI") == FileURI.uri(of: stage.paths[index] ?? []))
        }
        #expect(QueueStage.names(in: stage.cacheFolder + "/thumbnails/normal").count == 4)
        #expect(QueueStage.contents(stage.thumbnailPath(0, "normal")) == nil)
    }

    @Test func aMissingDecoderIsReported() {
        stage.add(0, "a.jpg", card.jpeg())
        stage.get([0], side: 128, stage.queue(decoder: "/nonexistent", workers: 1))
        #expect(stage.reasons[0] == "the decoder cannot be started")
    }

    @Test func hangingDecodersAreCancelledWhenNotNeeded() {
        stage.add(0, "a.jpg", Array("HOSTILE hangs".utf8))
        stage.add(1, "b.jpg", card.jpeg())
        let queue = stage.queue(decoder: hostile("decoder"), workers: 1)
        queue.want(stage.wants([0], side: 128))
        stage.run(queue, seconds: 0.3) { false }
        queue.want([])
        // The worker is free again at once, long before the decoder times out.
        queue.want(stage.wants([1], side: 128))
        stage.run(queue, seconds: 5) { !stage.order.isEmpty }
        #expect(stage.order == [1])
        #expect(stage.bitmaps[1] != nil)
    }
}
