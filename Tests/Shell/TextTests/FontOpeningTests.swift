import Glibc
import Testing
import Threads

@testable import Text

/// How long texts wait for the first fonts.
@Suite struct FontOpeningTests {
    @Test func withoutALimitNothingIsStarted() {
        let opening = FontOpening()
        let mayLayOut = opening.wait { Issue.record("the caller looks for the fonts") }
        #expect(mayLayOut)
    }

    /// The thread that looks for the fonts may begin after the wait has begun.
    @Test func fontsThatComeInTimeAreWaitedFor() {
        for _ in 0..<20 {
            // On a busy machine the other thread may begin late.
            let opening = FontOpening(patience: 60_000)
            opening.limitWaits()
            let mayLayOut = opening.wait { usleep(5000) }
            #expect(mayLayOut)
            #expect(!opening.takeSubstitution())
            #expect(opening.wait { Issue.record("fonts are looked for again") })
        }
    }

    @Test func fontsThatDoNotComeAreReplacedUntilTheyAreThere() {
        let opening = FontOpening()
        let release = Signal()
        opening.limitWaits()
        #expect(!opening.wait { release.wait() })
        #expect(!opening.wait { Issue.record("fonts are looked for twice") })
        release.raise()
        // Again, as the program does when the first picture is there.
        opening.run {}
        while !opening.wait(opening: {}) { usleep(1000) }
        let edition = opening.edition
        #expect(opening.takeSubstitution() && opening.edition == edition + 1)
        #expect(!opening.takeSubstitution() && opening.edition == edition + 1)
    }
}
