import EventLoop
import Geometry
import Glibc
import ImageTypes
import Motion
import TestKit
import Testing

@testable import Thumbnails

/// Attempts after failures, with outcomes of the test's own and a manual clock.
@Suite final class RetryTests {
    private let jobs = ThumbnailJobs(workers: 1)
    private var now = Moment.zero
    private lazy var queue = ThumbnailQueue(jobs, budget: 1 << 20, clock: { [unowned self] in now })
    { .file(Array("/pictures/\($0.picture)".utf8)) }

    private func want(_ pictures: [Int], side: Int = 128) {
        queue.want(
            pictures.map { ThumbnailWant(index: $0, key: ThumbnailKey(picture: $0), side: side) })
    }

    /// Does the next job; returns its picture, nil if there is no job.
    @discardableResult
    private func work(_ result: ThumbnailJobs.Result) -> Int? {
        guard let job = jobs.assign(to: 0) else { return nil }
        jobs.post(result, of: job)
        jobs.finish(0)
        _ = queue.handleReadable()
        return job.key.picture
    }

    /// Lets time pass; the deadline is handled if it is due, as in a poll loop.
    private func advance(seconds: Double) {
        now = now.advanced(byMilliseconds: seconds * 1000)
        if let deadline = queue.deadline, deadline <= now { queue.handleDeadline() }
    }

    private static let killed = ThumbnailJobs.Result.broken(reason: "killed", .afterPause)

    private static var thumbnail: ThumbnailJobs.Result {
        let level = Bitmap.Level(
            mipLevel: 0, size: PixelSize(width: 1, height: 1), stride: 4, offset: 0)
        let bitmap = Bitmap(
            size: level.size, format: .rgb24, levels: [level], memory: OnePixel())
        return .thumbnail(bitmap, color: 0, isWhole: true)
    }

    @Test func aKilledThumbnailIsTriedAgainAfterPausesThatGrow() {
        want([0])
        #expect(queue.deadline == nil)
        for pause in [2.0, 8, 30, 120, 120] {
            #expect(work(Self.killed) == 0)
            #expect(queue.brokenReason(ThumbnailKey(picture: 0)) == "killed")
            #expect(queue.deadline?.seconds(since: now) == pause)
            advance(seconds: pause - 0.01)
            #expect(jobs.assign(to: 0) == nil)
            advance(seconds: 0.01)
            // While an attempt runs, there is nothing to wait for, and the cell stays as it is.
            #expect(queue.deadline == nil)
            #expect(queue.brokenReason(ThumbnailKey(picture: 0)) == "killed")
        }
        #expect(work(Self.thumbnail) == 0)
        #expect(queue.brokenReason(ThumbnailKey(picture: 0)) == nil)
        #expect(queue.bitmap(ThumbnailKey(picture: 0)) != nil && queue.deadline == nil)
        advance(seconds: 1000)
        #expect(jobs.assign(to: 0) == nil)
    }

    @Test(arguments: [RetryPolicy.never, .afterFolderChange])
    func otherFailuresHaveNoDeadline(_ policy: RetryPolicy) {
        want([0])
        work(.broken(reason: "bad", policy))
        #expect(queue.deadline == nil)
        advance(seconds: 1000)
        #expect(jobs.assign(to: 0) == nil)
        queue.forgetTemporaryFailures()
        #expect((jobs.assign(to: 0) == nil) == (policy == .never))
    }

    /// The permission of a file out of sight may have changed.
    ///
    /// A damaged file stays damaged, and a pause is not over.
    @Test(arguments: [RetryPolicy.never, .afterPause, .afterFolderChange])
    func aCellThatComesIntoViewIsTriedAgainIfItsFileCouldNotBeRead(_ policy: RetryPolicy) {
        want([0])
        work(.broken(reason: "permission denied", policy))
        want([1])
        work(Self.thumbnail)
        // A cell that was prefetched can come into view without any change of the wants.
        want([0, 1])
        queue.forgetFailures(thatMayBeOver: [ThumbnailKey(picture: 0)])
        want([0, 1])
        #expect(work(Self.thumbnail) == (policy == .afterFolderChange ? 0 : nil))
    }

    /// Nothing runs for a cell out of sight; it is tried when it comes back.
    @Test func onlyWantedThumbnailsAreTriedAgain() {
        want([0, 1])
        work(Self.killed)
        work(Self.thumbnail)
        want([1])
        #expect(queue.deadline == nil)
        advance(seconds: 60)
        #expect(jobs.assign(to: 0) == nil)
        want([0, 1])
        #expect(queue.deadline.map { $0 <= now } == true)
        advance(seconds: 0)
        #expect(work(Self.thumbnail) == 0)
        #expect(queue.deadline == nil)
    }

    /// An attempt that was cancelled because its cell went out of sight is made later.
    @Test func aCancelledAttemptIsMadeLater() {
        want([0])
        work(Self.killed)
        advance(seconds: 2)
        #expect(jobs.assign(to: 0)?.key.picture == 0)
        want([])
        jobs.finish(0)
        advance(seconds: 5)
        want([0])
        #expect(work(Self.thumbnail) == 0)
    }

    @Test func aFolderChangeEndsThePause() {
        want([0])
        work(Self.killed)
        queue.forgetTemporaryFailures()
        #expect(queue.deadline == nil)
        #expect(work(Self.killed) == 0)
        #expect(queue.deadline?.seconds(since: now) == 2)
    }

    /// Nothing is kept of pictures that are gone: a folder may change for years.
    @Test func forgottenPicturesTakeNoMemory() {
        want([0, 1, 2])
        work(Self.thumbnail)
        work(Self.killed)
        work(Self.thumbnail)
        queue.forget([0, 1])
        #expect(queue.bitmap(ThumbnailKey(picture: 0)) == nil)
        #expect(queue.averageColor(picture: 0) == nil)
        #expect(queue.brokenReason(ThumbnailKey(picture: 1)) == nil && queue.deadline == nil)
        #expect(queue.bitmap(ThumbnailKey(picture: 2)) != nil)
        let bytes = queue.bytesInMemory
        queue.forget([2])
        #expect(bytes > 0 && queue.bytesInMemory == 0)
    }

    /// A sharper thumbnail that fails for now does not take the smaller one away.
    @Test func theSmallerThumbnailStays() {
        want([0])
        work(Self.thumbnail)
        want([0], side: 512)
        work(Self.killed)
        let key = ThumbnailKey(picture: 0)
        #expect(queue.bitmap(key) != nil)
        #expect(queue.deadline?.seconds(since: now) == 2)
        advance(seconds: 2)
        #expect(work(Self.thumbnail) == 0)
        #expect(queue.brokenReason(key) == nil && queue.deadline == nil)
    }

    /// Failures of the system and of decoders are not stored for later runs.
    @Test(arguments: ["is-killed", "crashes", "babbles"])
    func failuresOfDecodersAreNotStored(_ action: String) {
        let stage = QueueStage()
        stage.add(0, "a.jpg", Array("HOSTILE \(action)".utf8))
        stage.add(1, "b.jpg", TestPicture.card(80, 50).jpeg())
        let decoder = Binaries.hostileDecoder("decoder", in: stage.folder)
        let queue = stage.queue(decoder: decoder, workers: 1)
        stage.get([0, 1], side: 128, queue)
        #expect(stage.reasons[0] != nil && stage.bitmaps[1] != nil)
        _ = stage.waitFor(stage.thumbnailPath(1, "normal"))
        #expect(QueueStage.names(in: stage.cacheFolder + "/thumbnails") == ["normal"])
        #expect(QueueStage.names(in: stage.cacheFolder + "/thumbnails/normal").count == 1)
    }

    /// Each attempt has two decoders, and both are killed; the third attempt gets the picture.
    @Test func aThumbnailAppearsAfterItsDecodersWereKilled() {
        let stage = QueueStage()
        let path = stage.add(0, "a.jpg", Array("HOSTILE is-killed".utf8))
        let queue = stage.queue(
            decoder: Binaries.hostileDecoder("decoder", in: stage.folder), workers: 1)
        stage.get([0], side: 128, queue)
        #expect(stage.bitmaps.isEmpty)
        #expect(stage.reasons[0]?.hasPrefix("the system stopped the decoder") == true)
        // The pause after the second attempt is 8 seconds.
        stage.run(queue) { (queue.deadline?.seconds(since: MonotonicClock.now()) ?? 0) > 5 }
        #expect(stage.bitmaps.isEmpty)
        TestFile.write(TestPicture.card(80, 50).jpeg(), to: path)
        stage.setModified(path, 1_600_000_000)
        stage.run(queue) { stage.bitmaps[0] != nil }
        #expect(stage.bitmaps[0]?.size == PixelSize(width: 80, height: 50))
        #expect(queue.brokenReason(ThumbnailKey(picture: 0)) == nil)
    }

    /// A decoder that cannot be started now may be started later.
    @Test func aDecoderThatCanBeStartedLaterMakesTheThumbnail() {
        let stage = QueueStage()
        stage.add(0, "a.jpg", TestPicture.card(80, 50).jpeg())
        let path = stage.folder / "decoder"
        let queue = stage.queue(decoder: path, workers: 1)
        stage.get([0], side: 128, queue)
        #expect(stage.reasons[0] == "the decoder cannot be started")
        let pause = queue.deadline?.seconds(since: MonotonicClock.now()) ?? 0
        #expect(pause > 1 && pause <= 2)
        symlink(Binaries.decoder, path)
        stage.run(queue) { stage.bitmaps[0] != nil }
        #expect(stage.bitmaps[0] != nil)
    }
}

/// One black pixel.
///
/// `@unchecked Sendable`: the memory does not change and exists as long as the object.
private final class OnePixel: PixelMemory, @unchecked Sendable {
    let bytes = UnsafeRawBufferPointer(
        UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 4).initialized)

    deinit { bytes.deallocate() }
}

extension UnsafeMutableRawBufferPointer {
    /// The same memory, with zeros.
    fileprivate var initialized: UnsafeMutableRawBufferPointer {
        initializeMemory(as: UInt8.self, repeating: 0)
        return self
    }
}
