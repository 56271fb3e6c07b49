import Geometry
import Gestures
import Input
import Motion
import SceneModel
import Testing

@testable import Interface
@testable import Viewer

/// `viewer.keep_zoom`: the next picture shows the same zoom and the same place.
@Suite struct KeepZoomTests {
    private static let landscape = PixelSize(width: 6000, height: 4000)
    private static let half = PixelSize(width: 3000, height: 2000)
    private static let small = PixelSize(width: 40, height: 30)
    private static let portrait = PixelSize(width: 2000, height: 6000)

    private func rig(
        _ sizes: [PixelSize] = Array(repeating: landscape, count: 3), keeps: Bool = true,
        withheld: Set<Int> = []
    ) -> Rig {
        var settings = ViewerSettings()
        settings.keepZoom = keeps
        return Rig(sizes, settings: settings, withheld: withheld)
    }

    /// Enlarges the picture to three times fit, with its centre near a point.
    private func enlarge(_ rig: inout Rig, near center: Point = Point(x: 500, y: 700)) {
        let fit = rig.viewer.limits(rotation: 0).fit
        let target = rig.viewer.geometry.rest(
            zoom: 3 * fit, rotation: 0, near: center)
        rig.interaction.target.travel(
            from: rig.placement, to: target, pivot: .zero, at: Moment(milliseconds: rig.now))
        rig.rest()
        #expect(rig.placement == target)
    }

    /// The zoom relative to fit, and the place of the surface's centre on the picture, 0…1.
    private func view(_ rig: Rig) -> [Double] {
        let (placement, geometry) = (rig.placement, rig.viewer.geometry)
        let shown = geometry.rotatedSize(rotation: placement.rotation) * placement.zoom
        let arm = geometry.viewport.center - placement.center
        return [
            placement.zoom / geometry.limits(rotation: placement.rotation).fit,
            0.5 + arm.dx / shown.width, 0.5 + arm.dy / shown.height,
        ]
    }

    private func isSame(_ a: [Double], _ b: [Double]) -> Bool {
        zip(a, b).allSatisfy { abs($0 - $1) < 1e-6 }
    }

    @Test func keysKeepZoomAndPlace() {
        var rig = rig([Self.landscape, Self.half, Self.landscape])
        enlarge(&rig)
        let (placement, before) = (rig.placement, view(rig))
        for (key, index) in [("space", 1), ("space", 2), ("Home", 0), ("End", 2)] {
            rig.key(key)
            rig.rest()
            #expect(rig.viewer.index == index && isSame(view(rig), before), "\(key)")
        }
        #expect(abs(rig.placement.zoom - placement.zoom) < 1e-9)
    }

    /// 1 : 1, and a percentage that a person has typed, stay what they are in pixels, with the same place
    /// relative to the picture; a picture that is too small for that percentage changes nothing.
    @Test(arguments: ["1:1", "70"]) func chosenPercentagesStay(_ text: String) {
        var rig = rig([Self.landscape, Self.half, Self.small, Self.landscape])
        let percentage: Double
        if text == "1:1" {
            rig.key("1")
            percentage = 100
        } else {
            rig.interaction.target.chrome.editZoom(20, at: Moment(milliseconds: rig.now))
            for digit in text { rig.send(.key(KeyEvent(name: "\(digit)", text: "\(digit)"))) }
            rig.key("Return")
            percentage = Double(text) ?? 0
        }
        rig.rest()
        let zoom = percentage / 100 / rig.viewer.viewport.scale
        #expect(abs(rig.placement.zoom - zoom) < 1e-9)
        let place = view(rig).dropFirst()
        for index in 1...3 {
            rig.key("space")
            rig.rest()
            #expect(rig.viewer.index == index)
            if index != 2 {
                #expect(abs(rig.placement.zoom - zoom) < 1e-9)
                #expect(isSame(Array(view(rig).dropFirst()), Array(place)))
            }
        }
    }

    @Test func withoutTheSettingTheNextPictureIsAtFit() {
        var rig = rig(keeps: false)
        enlarge(&rig)
        rig.key("space")
        rig.rest()
        #expect(rig.placement == rig.viewer.geometry.fit(rotation: 0))
    }

    /// A picture that loads late, and one that cannot be shown in between, change nothing.
    @Test func theViewOutlastsLoadingAndFailures() {
        var rig = rig(withheld: [1])
        enlarge(&rig)
        let before = view(rig)
        rig.key("space")
        rig.pass(to: rig.now + 400)
        rig.interaction.target.fail(
            index: 1, text: "damaged", at: Moment(milliseconds: rig.now))
        rig.rest()
        #expect(rig.viewer.index == 1 && !rig.viewer.hasPicture)
        rig.key("space")
        rig.rest()
        #expect(rig.viewer.index == 2 && isSame(view(rig), before))
    }

    /// A picture that shows less of the place does not change it for the one after.
    @Test func aDifferentShapeInBetweenChangesNothing() {
        var rig = rig([Self.landscape, Self.portrait, Self.landscape])
        enlarge(&rig)
        let before = view(rig)
        rig.key("space")
        rig.rest()
        let between = view(rig)
        #expect(abs(between[0] - before[0]) < 1e-6 && !isSame(between, before))
        rig.key("space")
        rig.rest()
        #expect(isSame(view(rig), before))
    }

    @Test func aRemovedPictureGivesItsViewToTheNext() {
        var rig = rig()
        enlarge(&rig)
        let before = view(rig)
        var effects: [ViewerEffect] = []
        rig.interaction.target.update(
            count: 2, mapping: { $0 == 0 ? nil : $0 - 1 }, nearest: { _ in 0 },
            at: Moment(milliseconds: rig.now), effects: &effects)
        rig.load()
        rig.rest()
        #expect(isSame(view(rig), before))
    }

    /// In every frame of a drag past the edge and of the page turn, the neighbour is where it would
    /// rest, one page further.
    @Test(arguments: [600.0, 3000]) func aNeighbourComesInByADragWithoutAJump(_ speed: Double) {
        var rig = rig([Self.landscape, Self.half])
        enlarge(&rig, near: Point(x: -9000, y: 700))
        let zoom = rig.placement.zoom
        var last: Placement?
        let count = rig.frames.count
        rig.drag(
            from: Point(x: 1700, y: 600), by: Vector(dx: -1400, dy: -90), speed: speed)
        rig.rest()
        #expect(rig.viewer.index == 1)
        for (moment, frame) in rig.frames[count...] {
            for case .picture(let item) in frame.scene.items where item.source.picture == 1 {
                // Half the pixels have twice the zoom.
                #expect(abs(item.placement.zoom - 2 * zoom) < 1e-9, "\(moment)")
                if let last {
                    // No faster than the finger or the page's spring, and never up and down again.
                    #expect(abs(item.placement.center.y - last.center.y) < 60)
                    #expect(item.placement.center.x <= last.center.x + 1e-6)
                }
                last = item.placement
            }
        }
        #expect(last == rig.placement)
    }

    @Test func theCommandSwitchesAndSaysSo() throws {
        var rig = rig(keeps: false)
        rig.key("k")
        #expect(rig.viewer.settings.keepZoom)
        #expect(rig.frame.message == "The next picture keeps zoom and place")
        enlarge(&rig)
        let before = view(rig)
        rig.key("space")
        rig.rest()
        #expect(isSame(view(rig), before))
        rig.key("Menu")
        try rig.choose("View", "Keep zoom")
        #expect(!rig.viewer.settings.keepZoom)
        rig.key("space")
        rig.rest()
        #expect(rig.placement == rig.viewer.geometry.fit(rotation: 0))
    }

    /// A page turn during a zoom animation goes to the zoom of the animation's end.
    @Test func aTurnDuringAZoomKeepsItsTarget() {
        var rig = rig()
        rig.key("1")
        rig.pass(to: rig.now + 40)
        #expect(rig.placement.zoom < 0.9)
        rig.key("space")
        rig.rest()
        #expect(rig.viewer.index == 1 && abs(rig.placement.zoom - 1) < 1e-9)
    }

    @Test func aTurnedPictureKeepsItsOwnRotation() {
        var rig = rig()
        rig.key("r")
        enlarge(&rig)
        rig.key("r")
        rig.rest()
        let before = view(rig)
        rig.key("space")
        rig.rest()
        #expect(rig.placement.rotation == 0)
        #expect(abs(view(rig)[0] - before[0]) < 1e-6)
    }
}
