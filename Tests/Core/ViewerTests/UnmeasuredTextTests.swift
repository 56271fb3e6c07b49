import Geometry
import Motion
import SceneModel
import Synchronization
import Testing

@testable import Interface
@testable import Viewer

/// Measuring a text opens the fonts, which takes as long as a small picture.
struct UnmeasuredTextTests {
    private final class CountingMeasurer: TextMeasurer {
        let count = Atomic(0)

        func measure(_ text: String, _ style: TextStyle, width: Double?) -> TextExtents {
            count.add(1, ordering: .relaxed)
            return TextExtents(width: 10, height: 10, baseline: 8, lines: 1, isShortened: false)
        }
    }

    @Test func noTextIsMeasuredBeforeTheFirstPicture() {
        let measurer = CountingMeasurer()
        var viewer = ViewerModel(
            viewport: Viewport(size: Size(width: 1920, height: 1080), scale: 1), count: 2, index: 0,
            settings: ViewerSettings(), text: TextMeasurement(measurer))
        viewer.setLooks(Theme(textScale: 1.5), windowControls: nil)
        let start = Moment(milliseconds: 0)
        _ = viewer.prune(at: start)
        _ = viewer.frame(at: start, title: "a.jpg")
        viewer.present(
            index: 0, size: Rig.photo, source: .init(picture: 0, revision: 1), at: start)
        let frame = viewer.frame(at: start, title: "a.jpg")
        #expect(frame.picture == Rig.photo)
        #expect(measurer.count.load(ordering: .relaxed) == 0)
    }
}
