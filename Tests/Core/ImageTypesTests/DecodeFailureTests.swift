import ImageTypes
import Testing

/// Which failures a slideshow tries again.
@Suite struct DecodeFailureTests {
    @Test(arguments: [.killed, .stalled, DecodeFailure.unreadable(reason: "input/output error")])
    func theSystemIsTheReason(_ failure: DecodeFailure) { #expect(failure.mayPass) }

    @Test(arguments: [
        .crashed, .hung, .empty, .cutShort, .notAFile(kind: "a pipe"),
        DecodeFailure.damaged(reason: "bad"),
    ])
    func theFileIsTheReason(_ failure: DecodeFailure) { #expect(!failure.mayPass) }
}
