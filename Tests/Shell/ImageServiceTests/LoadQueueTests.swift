import ImageService
import Motion
import Testing

@Suite struct LoadQueueTests {
    private var queue = LoadQueue()
    private var complete: Set<Int> = []

    private func next() -> Int? { queue.next { complete.contains($0) } }

    @Test mutating func theMostUrgentPictureIsNext() {
        #expect(next() == nil)
        #expect(queue.want([3, 1, 2]) == [3, 1, 2])
        #expect(next() == 3)
        complete = [3, 1]
        #expect(next() == 2)
        complete = [1, 2, 3]
        #expect(next() == nil)
    }

    @Test mutating func onlyOnePictureIsDecodedAtATime() {
        _ = queue.want([1, 2])
        queue.begin(1)
        #expect(queue.current == 1)
        #expect(next() == nil)
        complete = [1]
        queue.end()
        #expect(queue.current == nil)
        #expect(next() == 2)
    }

    @Test mutating func onlyNewRequestsAreAdded() {
        _ = queue.want([1, 2])
        #expect(queue.want([2, 3]) == [3])
        #expect(queue.wanted == [2, 3])
        #expect(queue.want([]) == [])
        #expect(queue.want([2]) == [2])
    }

    @Test mutating func aMoreUrgentPictureCancelsTheCurrentOne() {
        _ = queue.want([1])
        queue.begin(1)
        #expect(!cancel(at: 0))
        _ = queue.want([2, 1])
        #expect(cancel(at: 0))
        #expect(queue.current == nil)
        #expect(next() == 2)
    }

    @Test mutating func aPictureThatIsNotWantedAnyMoreIsCancelled() {
        _ = queue.want([1])
        queue.begin(1)
        _ = queue.want([])
        #expect(cancel(at: 0))
        #expect(next() == nil)
    }

    /// While a key is held down, some pictures must be finished.
    @Test mutating func cancellationsAreRare() {
        _ = queue.want([1])
        queue.begin(1)
        _ = queue.want([2])
        #expect(cancel(at: 1000))
        queue.begin(2)
        _ = queue.want([3])
        #expect(!cancel(at: 1000 + LoadQueue.cancelInterval - 1))
        #expect(queue.current == 2)
        #expect(cancel(at: 1000 + LoadQueue.cancelInterval))
    }

    @Test mutating func aFailedPictureIsSkippedUntilItIsRequestedAnew() {
        _ = queue.want([1, 2])
        queue.begin(1)
        queue.fail(1)
        #expect(queue.current == nil)
        #expect(next() == 2)
        _ = queue.want([2, 1])
        complete = [2]
        #expect(next() == nil)
        _ = queue.want([2])
        _ = queue.want([1])
        #expect(next() == 1)
    }

    @Test mutating func aChangedPictureIsDecodedAfterItIsRequested() {
        _ = queue.want([1, 2])
        queue.fail(1)
        queue.begin(2)
        let isFirstCurrent = queue.forget([1])
        #expect(!isFirstCurrent && queue.current == 2)
        let isSecondCurrent = queue.forget([2])
        #expect(isSecondCurrent)
        #expect(queue.current == nil)
        #expect(next() == nil)
        #expect(queue.want([1, 2]) == [1, 2])
        #expect(next() == 1)
    }

    /// Fails the picture, and returns the length of the pause in milliseconds; nil without a pause.
    private mutating func pause(_ id: Int, from milliseconds: Double) -> Double? {
        queue.begin(id)
        queue.fail(id, retryingFrom: Moment(milliseconds: milliseconds))
        return queue.retryDeadline.map { $0.milliseconds - milliseconds }
    }

    @Test mutating func aFailureThatMayPassIsRetriedAfterPausesThatGrow() {
        _ = queue.want([1, 2])
        var now = 1000.0
        for pause in [2000.0, 8000, 30_000, 120_000, 120_000] {
            #expect(self.pause(1, from: now) == pause)
            now += pause
            #expect(queue.retry(at: Moment(milliseconds: now - 1)) == nil)
            #expect(next() == 2)
            #expect(queue.retry(at: Moment(milliseconds: now)) == 1)
            #expect(next() == 1)
            #expect(queue.retryDeadline == nil)
        }
        queue.begin(1)
        queue.end()
        #expect(pause(1, from: now) == 2000)
    }

    /// Nothing wakes the viewer up for a picture that is not shown.
    @Test mutating func aNeighbourWaitsUntilItIsTheMostUrgentPicture() {
        _ = queue.want([1, 2])
        #expect(pause(2, from: 0) == nil)
        #expect(queue.retry(at: Moment(milliseconds: 60_000)) == nil)
        _ = queue.want([2, 1])
        #expect(queue.retryDeadline == Moment(milliseconds: 2000))
        #expect(queue.retry(at: Moment(milliseconds: 60_000)) == 2)
        #expect(next() == 2)
    }

    @Test mutating func otherFailuresHaveNoDeadline() {
        _ = queue.want([1])
        queue.begin(1)
        queue.fail(1)
        #expect(queue.retryDeadline == nil)
        #expect(queue.retry(at: Moment(milliseconds: 60_000)) == nil)
    }

    @Test mutating func aChangedFileOrANewRequestEndsThePause() {
        _ = queue.want([1])
        #expect(pause(1, from: 0) == 2000)
        _ = queue.forget([1])
        _ = queue.want([1])
        #expect(queue.retryDeadline == nil && next() == 1)
        #expect(pause(1, from: 0) == 2000)
        _ = queue.want([2])
        _ = queue.want([1])
        #expect(queue.retryDeadline == nil && next() == 1)
    }

    private mutating func cancel(at milliseconds: Double) -> Bool {
        queue.cancelOutranked(at: Moment(milliseconds: milliseconds)) { [complete] in
            complete.contains($0)
        }
    }
}
