import CoreTestKit
import Edits
import Geometry
import Gestures
import Motion
import SceneModel
import Testing

@testable import Interface
@testable import Viewer

/// The numbers of widgets that assistive technology sets.
@Suite struct AccessibleValueTests {
    private func rig() -> Rig {
        var rig = Rig(
            [PixelSize(width: 3000, height: 2000)], on: Size(width: 1280, height: 800), index: 0)
        rig.rest()
        return rig
    }

    private func set(_ value: Double, of id: String, _ rig: inout Rig) throws {
        let widgets = rig.viewer.widgets(title: "a", at: Moment(milliseconds: rig.now))
        let widget = try #require(widgets.lazy.compactMap { $0.widget(id) }.first)
        var effects: [ViewerEffect] = []
        let moment = Moment(milliseconds: rig.now)
        rig.interaction.target.setValue(value, of: widget, at: moment, effects: &effects)
        rig.rest()
    }

    @Test(arguments: [(2.54, 2.5), (-90, -45), (0, 0)])
    func theDialIsSetToAnAngle(value: Double, degrees: Double) throws {
        var rig = rig()
        rig.key("c")
        rig.rest()
        try set(10, of: CropBars.dial, &rig)
        try set(value, of: CropBars.dial, &rig)
        let angle = rig.viewer.crop?.model.edit.crop?.angle ?? 0
        #expect(abs(angle - degrees) < 1e-6)
    }

    @Test func theZoomIsSetInPercent() throws {
        var rig = rig()
        rig.key("Tab")
        try set(100, of: "zoom", &rig)
        #expect(abs(rig.placement.zoom - 1) < 1e-6)
        let widgets = rig.viewer.widgets(title: "a", at: Moment(milliseconds: rig.now))
        let zoom = try #require(widgets.lazy.compactMap { $0.widget("zoom") }.first?.value)
        #expect(zoom.current == 100 && zoom.range.lowerBound < 41 && zoom.range.upperBound == 400)
        try set(1e9, of: "zoom", &rig)
        #expect(abs(rig.placement.zoom - 4) < 1e-6)
    }
}
