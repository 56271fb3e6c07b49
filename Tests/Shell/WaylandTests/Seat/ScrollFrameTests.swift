import Input
import Testing
import WaylandProtocol

@testable import WaylandClient

@Suite struct ScrollFrameTests {
    /// A compositor may send steps without end, and never the end of the frame.
    @Test func stepsWithoutEndAreLimited() {
        var frame = ScrollFrame()
        for _ in 0..<9 {
            frame.add(value120: 120 * Int(Int32.max), along: .verticalScroll)
            frame.add(value120: 120 * Int(Int32.min), along: .horizontalScroll)
        }
        let steps = frame.events.compactMap { event -> Int? in
            guard case .axis(_, _, _, let value120) = event else { return nil }
            return value120
        }
        #expect(steps == [1 << 40, -(1 << 40)])
    }
}
