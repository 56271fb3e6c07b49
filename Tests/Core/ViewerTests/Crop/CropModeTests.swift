import CoreTestKit
import Edits
import Geometry
import Gestures
import Input
import Motion
import SceneModel
import Testing

@testable import Interface
@testable import Viewer

/// Crop mode of the viewer, by input events.
@Suite struct CropModeTests {
    private func cropping(
        _ sizes: [PixelSize] = [Rig.photo, Rig.photo],
        on size: Size = Size(width: 1280, height: 800)
    ) -> Rig {
        var rig = Rig(sizes, on: size)
        rig.key("c")
        rig.rest()
        return rig
    }

    private func saved(_ rig: Rig) -> [(PictureEdit, CropSave)] {
        rig.effects.compactMap {
            if case .saveCrop(let edit, let save, _) = $0 { (edit, save) } else { nil }
        }
    }

    @Test func thePictureMovesIntoTheFrameWithoutAJump() throws {
        var rig = Rig(on: Size(width: 1280, height: 800))
        let before = rig.placement
        rig.key("c")
        #expect((rig.placement.center - before.center).length < 0.5)
        #expect(abs(rig.placement.zoom - before.zoom) < 1e-9)
        rig.rest()
        let view = try #require(rig.viewer.crop?.model.target)
        let dial = try #require(rig.viewer.cropBars(at: .zero).dialRect)
        #expect(view.frame.width < 1280 && view.frame.maxY + CropHandle.reach <= dial.y)
        #expect(rig.isAtRest)
    }

    @Test func escapeReturnsToFitAndPagesDoNotTurnMeanwhile() {
        var rig = cropping()
        rig.key("space")
        rig.drag(from: Point(x: 900, y: 350), by: Vector(dx: -500, dy: 0), speed: 3000)
        rig.rest()
        #expect(rig.viewer.index == 0)
        rig.key("Escape")
        #expect(!rig.viewer.isCropping)
        rig.rest()
        #expect(rig.placement == rig.viewer.fitOfCurrentPage)
        #expect(saved(rig).isEmpty)
    }

    @Test func returnSavesACopyOfWhatIsSeen() throws {
        var rig = cropping()
        rig.key("bracketright")
        rig.key("bracketright")
        rig.key("r")
        rig.key("Return")
        let (edit, save) = try #require(saved(rig).first)
        #expect(save == CropSave(.copy, .exact))
        #expect(edit.turn == .rotatedLeft)
        #expect(abs((edit.crop?.angle ?? 0) - 2) < 1e-9)
        #expect(!rig.viewer.isCropping)
    }

    @Test func theKeysOfTheBriefDoWhatTheySay() throws {
        var rig = cropping()
        rig.key("plus")
        let zoomed = try #require(rig.viewer.crop?.model.target)
        rig.key("Left")
        let moved = try #require(rig.viewer.crop?.model.target)
        #expect(moved.placement.center.x < zoomed.placement.center.x)
        rig.send(.key(KeyEvent(name: "Left", modifiers: .shift)))
        let narrower = try #require(rig.viewer.crop?.model.target)
        #expect(narrower.width < moved.width && narrower.height > moved.height - 1)
        rig.key("a")
        #expect(rig.viewer.crop?.model.ratio == .original)
        rig.key("h")
        #expect(rig.viewer.crop?.model.turn == .mirrored)
        rig.key("v")
        #expect(rig.viewer.crop?.model.turn == .upsideDown)
        rig.key("0")
        #expect(rig.viewer.crop?.model.edit.isIdentity == true)
    }

    @Test func tabReachesEveryButtonAndTheDialTurnsByArrows() throws {
        var rig = cropping()
        var seen: Set<String> = []
        for _ in 0..<11 {
            rig.key("Tab")
            seen.insert(try #require(rig.viewer.chrome.focusedWidget))
        }
        #expect(
            seen.isSuperset(of: [
                "crop-cancel", "crop-save", "crop-ratio", "crop-zoom-in", "crop-zoom-out",
                CropBars.dial,
            ]))
        while rig.viewer.chrome.focusedWidget != CropBars.dial { rig.key("Tab") }
        rig.key("Right")
        #expect(abs((rig.viewer.crop?.model.edit.crop?.angle ?? 0) - 1) < 1e-9)
    }

    /// Who cannot pinch zooms by buttons, on a narrow surface by rows of the menu of the proportions.
    @Test(arguments: [Size(width: 1280, height: 800), Size(width: 320, height: 640)])
    func oneFingerZooms(_ size: Size) throws {
        var rig = cropping(on: size)
        func tap(_ id: String) throws {
            let bars = rig.viewer.cropBars(at: .zero)
            #expect(bars.areas.allSatisfy { $0.x >= 0 && $0.maxX <= size.width })
            rig.tap(
                try #require(bars.widgets.lazy.compactMap { $0.widget(id) }.first).rect.center)
        }
        func zoom(_ direction: String) throws {
            if rig.viewer.cropBars(at: .zero).hasZoomButtons {
                try tap("crop-zoom-\(direction)")
            } else {
                try tap("crop-ratio")
                try rig.choose("Zoom \(direction)")
            }
            rig.rest()
        }
        let before = try #require(rig.viewer.crop?.model.target.placement.zoom)
        try zoom("in")
        let zoomed = try #require(rig.viewer.crop?.model.target.placement.zoom)
        #expect(abs(zoomed / before - 1.25) < 1e-9)
        try zoom("out")
        #expect(rig.viewer.crop?.model.edit.isIdentity == true)
    }

    @Test func theDialFollowsAFinger() throws {
        var rig = cropping()
        let dial = try #require(rig.viewer.cropBars(at: .zero).dialRect)
        rig.drag(from: dial.center, by: Vector(dx: -80, dy: 0), speed: 200)
        rig.rest()
        let angle = try #require(rig.viewer.crop?.model.edit.crop?.angle)
        #expect(angle > 4 && angle < 9)
    }

    /// A tap on the ruler straightens by a tenth of a degree towards the finger.
    @Test func aTapOnTheDialStraightensByATenth() throws {
        var rig = cropping()
        let dial = try #require(rig.viewer.cropBars(at: .zero).dialRect)
        let ruler = CropBars.ruler(of: dial, rig.viewer.chrome.layout.theme)
        for (x, degrees) in [
            (ruler.maxX - 10, 0.1), (ruler.center.x + 20, 0.2), (dial.maxX - 4, 0.2),
            (ruler.x + 10, 0.1), (ruler.x + 10, 0), (ruler.x + 10, -0.1),
        ] {
            rig.tap(Point(x: x, y: dial.center.y))
            rig.rest()
            let angle = (rig.viewer.crop?.model.target.angle ?? .nan) * 180 / .pi
            #expect(abs(angle - degrees) < 1e-9, "\(x)")
        }
    }

    /// A tap on the number edits the angle; what is no angle is refused, and the text stays.
    @Test func theAngleIsTyped() throws {
        var rig = cropping()
        let dial = try #require(rig.viewer.cropBars(at: .zero).dialRect)
        func angle() -> Double { (rig.viewer.crop?.model.target.angle ?? .nan) * 180 / .pi }
        func type(_ text: String, over refused: String = "") {
            var input = TextInputEvent(commit: text)
            input.deletionBefore = refused.utf8.count
            rig.send(.textInput(input))
            rig.key("Return")
            rig.rest()
        }
        rig.tap(Point(x: dial.x + 20, y: dial.center.y))
        rig.rest()
        #expect(rig.viewer.chrome.prompt?.field == "0.0")
        type("much")
        #expect(rig.viewer.chrome.prompt?.isRefused == true && angle() == 0)
        type("-2,5", over: "much")
        #expect(rig.viewer.chrome.prompt == nil && abs(angle() + 2.5) < 1e-9)
        rig.key("period")
        rig.rest()
        #expect(abs(angle() + 2.4) < 1e-9)
        rig.key("bracketright")
        rig.rest()
        #expect(abs(angle() + 2) < 1e-9)
        #expect(rig.effects.isEmpty)
    }

    /// The texts of an angle.
    @Test(
        arguments: [
            ("2.0", 2), ("−2,5°", -2.5), (" 45 ", 45), ("٫5", 0.5), ("45.1", nil), ("", nil),
            ("nan", nil), ("inf", nil), ("1e9", nil), ("-0", 0),
        ] as [(String, Double?)])
    func anglesAreRead(text: String, degrees: Double?) {
        #expect(CropDial.degrees(typed: text) == degrees)
    }

    @Test func theSaveMenuOffersTheBlockGridOfAJPEG() throws {
        var rig = cropping()
        rig.interaction.target.setCropBlocks(
            CropBlocks(size: PixelSize(width: 16, height: 16), stored: Rig.photo))
        rig.key("plus")
        rig.rest()
        let save = try #require(
            rig.viewer.cropBars(at: .zero).widgets.lazy.compactMap { $0.widget("crop-save") }.first)
        rig.tap(save.rect.center)
        let titles = try #require(rig.viewer.chrome.menu).items.map(\.title)
        #expect(titles.count == 4)
        let lossless = try #require(
            titles.first { $0.hasPrefix("No loss of quality (") })
        try rig.choose(lossless, "Replace the original")
        let (edit, how) = try #require(saved(rig).first)
        #expect(how == CropSave(.replace, .losslessGrid))
        let rect = try #require(edit.crop?.rect)
        #expect(rect.x.truncatingRemainder(dividingBy: 16) == 0)
        #expect(rect.y.truncatingRemainder(dividingBy: 16) == 0)
    }

    @Test func aDoubleTapResets() {
        var rig = cropping()
        rig.key("plus")
        rig.rest()
        rig.doubleTap(Point(x: 640, y: 350))
        rig.rest()
        #expect(rig.viewer.crop?.model.edit.isIdentity == true)
    }

    @Test func anAnimationAndASmallPictureAreNotCropped() {
        var rig = Rig()
        rig.interaction.target.setPlayback(.playing)
        rig.key("c")
        #expect(!rig.viewer.isCropping)
        #expect(rig.viewer.chrome.messageText == "an animation cannot be cropped")
        var small = Rig([PixelSize(width: 15, height: 400)])
        small.key("c")
        #expect(!small.viewer.isCropping && small.viewer.hasMessage)
    }

    @Test func aPictureThatIsRemovedEndsTheCrop() {
        var rig = cropping()
        var effects: [ViewerEffect] = []
        rig.interaction.target.update(
            count: 1, mapping: { $0 == 0 ? nil : 0 }, nearest: { _ in 0 },
            at: Moment(milliseconds: rig.now), effects: &effects)
        #expect(!rig.viewer.isCropping)
    }

    @Test func theOutsideIsDimmedAndTheFrameIsLight() throws {
        let rig = cropping()
        let frame = try #require(rig.viewer.crop?.model.target.frame)
        let fills = rig.frame.scene.items.compactMap { item -> FillItem? in
            if case .fill(let fill) = item { fill } else { nil }
        }
        let dark = fills.filter { $0.color.alpha > 0.6 && $0.color.red == 0 }
        #expect(dark.count == 4)
        #expect(dark.allSatisfy { $0.rect.intersection(frame.inset(by: 1)).isEmpty })
        let covered = dark.reduce(0) { $0 + $1.rect.width * $1.rect.height }
        #expect(abs(covered + frame.width * frame.height - 1280 * 800) < 3000)
    }

    @Test(
        arguments: [
            Size(width: 320, height: 480), Size(width: 360, height: 640),
            Size(width: 640, height: 360),
            Size(width: 1280, height: 800), Size(width: 3840, height: 2160),
        ], [1.0, 2]) func everythingFitsTheSurface(_ size: Size, _ textScale: Double) throws
    {
        var rig = cropping(on: size)
        for isRightToLeft in [false, true] {
            rig.interaction.target.setLooks(
                Theme(textScale: textScale, isRightToLeft: isRightToLeft), windowControls: nil)
            let bars = rig.viewer.cropBars(at: .zero)
            let surface = Rect(origin: .zero, size: size)
            let buttons = bars.widgets.flatMap(\.focusOrder)
            // Nothing can be reset yet.
            #expect(buttons.count == (bars.hasZoomButtons ? 10 : 8))
            for button in buttons {
                #expect(button.rect.width >= 48 && button.rect.height >= 48)
                #expect(button.rect.intersection(surface) == button.rect, "\(button.id)")
            }
            for (number, bar) in bars.widgets.enumerated() {
                for other in bars.widgets.dropFirst(number + 1) {
                    #expect(bar.rect.intersection(other.rect).isEmpty, "\(bar.id) \(other.id)")
                }
                #expect(bar.rect.intersection(bars.frameArea.inset(by: -24)).isEmpty, "\(bar.id)")
            }
        }
    }
}
