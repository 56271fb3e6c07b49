import Pacing
import Testing

/// The governors of cross-fades and of all other frames.
@Suite struct FrameGovernorsTests {
    /// Paints frames that cost `whole` milliseconds with all pixels; returns their resolutions.
    @discardableResult
    private func paint(
        _ count: Int, of whole: Double, inFade: Bool, _ governors: inout FrameGovernors
    ) -> [Double] {
        (0..<count).map { _ in
            let resolution = governors.resolution(inFade: inFade)
            governors.painted(
                in: whole * resolution * resolution, budget: 14, at: resolution, isWhole: true,
                inFade: inFade)
            return resolution
        }
    }

    /// Fades of twice the cost are slow once: later ones begin at the resolution that was learned, and
    /// the frames between them keep theirs.
    @Test func fadesAreLearnedApart() {
        var governors = FrameGovernors(for: .compositor)
        paint(200, of: 10, inFade: false, &governors)
        let first = paint(40, of: 20, inFade: true, &governors)
        #expect(first.first == 1 && first.last == 0.75)
        for _ in 0..<20 {
            #expect(paint(240, of: 10, inFade: false, &governors).allSatisfy { $0 == 1 })
            #expect(paint(40, of: 20, inFade: true, &governors).allSatisfy { $0 == 0.75 })
        }
    }
}
