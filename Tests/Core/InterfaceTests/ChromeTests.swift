import Commands
import CoreTestKit
import Geometry
import Gestures
import ImageTypes
import Motion
import SceneModel
import Testing

@testable import Interface

@Suite final class ChromeTests {
    private static let surface = Size(width: 1280, height: 800)
    private static let items = [
        Menu.Item(title: "Fit", command: .fit), Menu.Item(title: "Fill", command: .fill),
    ]
    private let place = Point(x: 400, y: 300)
    private var chrome = Chrome(
        .viewer,
        on: BarLayout(surface: surface, theme: Theme(), text: .fixed, reducesMotion: true))

    private func at(_ milliseconds: Double) -> Moment { Moment(milliseconds: milliseconds) }

    private var bars: ViewerBars {
        ViewerBars(
            chrome.layout, ViewerFacts(name: "a.jpg", index: 0, count: 2, percent: 100))
    }

    private func handle(_ gesture: ChromeGesture, at moment: Moment) -> Chrome.Response {
        let bars = bars
        return chrome.handle(
            .chrome(gesture), bars: bars.widgets, filmstrip: bars.filmstripArea, at: moment)
    }

    private func press(_ command: Command, at moment: Moment) -> Chrome.Response {
        let widgets = bars.widgets
        return chrome.handle(command, bars: widgets, at: moment)
    }

    /// Presses and releases a finger.
    private func tap(_ point: Point, at moment: Moment = .zero) -> Chrome.Response {
        _ = handle(.down(at: point, isPointer: false), at: moment)
        return handle(.tap(at: point), at: moment)
    }

    private func center(of id: String) throws -> Point {
        let widget = try #require(bars.widgets.lazy.compactMap { $0.widget(id) }.first)
        return widget.rect.center
    }

    /// A panel of `count` rows that is shown.
    private func showInformation(rows count: Int) {
        var facts = Information.Facts(name: "photo.jpg", folder: "")
        facts.metadata.entries = (0..<count).map { .init(.camera, "Label", "Value \($0)") }
        chrome.setInformation(Information(facts), isOther: true)
        chrome.toggleInformation(at: .zero)
    }

    // MARK: Bars

    @Test func buttonsActOnATap() throws {
        #expect(chrome.area(bars: bars.areas, at: .zero) == ChromeArea())
        chrome.toggleBars(at: .zero)
        let back = try center(of: "back")
        #expect(chrome.area(bars: bars.areas, at: .zero).contains(back))
        #expect(tap(back) == .act(.back))
        #expect(tap(try center(of: "rotate-clockwise")) == .act(.command(.rotateClockwise)))
        // Between the bars the picture is touched.
        #expect(!chrome.area(bars: bars.areas, at: .zero).contains(Point(x: 640, y: 300)))
    }

    @Test func aPressedButtonIsMarkedUntilTheFingerLeavesOrIsCancelled() throws {
        chrome.toggleBars(at: .zero)
        let back = try center(of: "back")
        #expect(handle(.down(at: back, isPointer: false), at: .zero) == .consumed)
        #expect(chrome.focus.pressed == "back")
        #expect(handle(.cancelled, at: at(10)) == .consumed)
        #expect(chrome.focus.pressed == nil)
        _ = handle(.down(at: back, isPointer: false), at: at(20))
        #expect(handle(.dragged(by: Vector(dx: 30, dy: 0)), at: at(30)) == .consumed)
        #expect(chrome.focus.pressed == nil)
        #expect(handle(.dragEnded, at: at(50)) == .consumed)
        // A free part of the bars moves the window, once.
        _ = handle(.down(at: Point(x: 640, y: 30), isPointer: false), at: at(60))
        #expect(handle(.dragged(by: Vector(dx: 30, dy: 0)), at: at(70)) == .window(.move))
        #expect(handle(.dragged(by: Vector(dx: 60, dy: 0)), at: at(80)) == .consumed)
        #expect(handle(.dragEnded, at: at(90)) == .consumed)
    }

    /// A button acts when a slow finger lifts, but for one that reads the name of the button; a free part opens the menu
    /// of the window once.
    @Test func aLongPressIsForTheFreePartsOfTheBar() throws {
        chrome.toggleBars(at: .zero)
        let (back, free) = (try center(of: "back"), Point(x: 640, y: 30))
        _ = handle(.down(at: back, isPointer: false), at: .zero)
        #expect(handle(.longPress(at: back), at: at(500)) == .consumed)
        #expect(chrome.focus.pressed == "back")
        #expect(handle(.tap(at: back), at: at(900)) == .act(.back))
        for start in [1000.0, 2000] {
            _ = handle(.down(at: free, isPointer: false), at: at(start))
            #expect(
                handle(.longPress(at: free), at: at(start + 500)) == .window(.showMenu(at: free)))
            #expect(
                handle(.dragged(by: Vector(dx: 30, dy: 0)), at: at(start + 600)) == .consumed)
            #expect(handle(.dragEnded, at: at(start + 700)) == .consumed)
        }
        // The finger that lifts after a long press is no tap of a double tap.
        _ = handle(.down(at: free, isPointer: false), at: at(3000))
        _ = handle(.longPress(at: free), at: at(3500))
        #expect(handle(.tap(at: free), at: at(3600)) == .consumed)
        #expect(tap(free, at: at(3700)) == .consumed)
        #expect(tap(free, at: at(3800)) == .window(.toggleMaximized))
    }

    @Test func barsLeaveThreeSecondsAfterTheLastUse() throws {
        chrome.showBars(at: .zero)
        #expect(chrome.deadline == at(3000))
        _ = tap(try center(of: "information"), at: at(1000))
        #expect(chrome.deadline == at(4000))
        chrome.advance(to: at(3999))
        #expect(chrome.showsBars)
        chrome.advance(to: at(4000))
        #expect(!chrome.showsBars && chrome.deadline == nil)
    }

    /// A finger that rests on a button sees the name of the button for a while, inside of the surface, and the button
    /// does nothing; the pointer sees the name and the key after a while.
    @Test func buttonsSayTheirNames() throws {
        let back = try center(of: "back")
        chrome.showBars(at: .zero)
        #expect(chrome.tipWidget(at: .zero) == nil)
        _ = handle(.down(at: back, isPointer: false), at: .zero)
        _ = handle(.longPress(at: back), at: at(500))
        let tip = try #require(chrome.tipWidget(at: at(500)))
        #expect(tip.children.map(\.name) == ["Close"])
        let surface = Rect(origin: .zero, size: chrome.layout.surface)
        #expect(tip.rect.intersection(surface) == tip.rect)
        #expect(
            tip.rect.intersection(Rect(center: back, size: Size(width: 48, height: 48))).isEmpty)
        #expect(handle(.tap(at: back), at: at(1000)) == .consumed)
        #expect(chrome.tipWidget(at: at(2900)) != nil && chrome.deadline == at(3000))
        chrome.advance(to: at(3000))
        #expect(chrome.tipWidget(at: at(3000)) == nil)
        let information = try center(of: "information")
        _ = handle(.hover(at: information), at: at(4000))
        #expect(chrome.tipWidget(at: at(4599)) == nil)
        chrome.advance(to: at(4600))
        let texts = chrome.tipWidget(at: at(4600))?.children.map(\.name) ?? []
        #expect(texts.first?.hasPrefix("Information") == true && texts.first?.contains("i") == true)
        _ = handle(.hover(at: nil), at: at(5000))
        #expect(chrome.tipWidget(at: at(5000)) == nil)
        // The name leaves with the bars.
        _ = handle(.down(at: back, isPointer: false), at: at(6000))
        _ = handle(.longPress(at: back), at: at(6500))
        #expect(chrome.tipWidget(at: at(6500)) != nil)
        chrome.hide(at: at(6600))
        #expect(chrome.tipWidget(at: at(6600)) == nil)
    }

    /// Never under a finger, with the focus, with an open menu, or below the pointer.
    @Test func barsInUseStay() throws {
        let back = try center(of: "back")
        chrome.showBars(at: .zero)
        _ = handle(.down(at: back, isPointer: false), at: .zero)
        chrome.advance(to: at(60_000))
        #expect(chrome.showsBars && chrome.deadline == nil)
        _ = handle(.cancelled, at: at(60_000))
        #expect(chrome.deadline == at(63_000))
        _ = handle(.hover(at: back), at: at(61_000))
        // The name of the button appears once.
        #expect(chrome.focus.hovered == "back" && chrome.deadline == at(61_600))
        chrome.advance(to: at(61_600))
        #expect(chrome.showsBars && chrome.deadline == nil)
        _ = handle(.hover(at: nil), at: at(70_000))
        #expect(chrome.deadline == at(73_000))
        chrome.openMenu(Self.items, at: place)
        #expect(chrome.deadline == nil)
        chrome.closeMenu()
        #expect(press(.focusNext, at: at(71_000)) == .consumed)
        #expect(chrome.focus.focused == "back" && chrome.deadline == nil)
    }

    @Test func aDoubleTapOnAFreePartMaximizes() {
        chrome.showBars(at: .zero)
        let free = Point(x: 640, y: 30)
        #expect(tap(free, at: .zero) == .consumed)
        #expect(tap(free, at: at(300)) == .window(.toggleMaximized))
    }

    @Test func theFilmstripIsScrubbed() throws {
        chrome.showBars(at: .zero)
        let strip = try #require(bars.filmstripArea)
        _ = handle(.down(at: strip.center, isPointer: false), at: .zero)
        let translation = Vector(dx: -40, dy: 0)
        #expect(handle(.dragged(by: translation), at: .zero) == .scrub(translation))
        #expect(handle(.dragEnded, at: .zero) == .endScrub)
    }

    @Test func hidingLeavesOnlyTheInformationPanel() {
        showInformation(rows: 3)
        chrome.toggleBars(at: .zero)
        chrome.openMenu(Self.items, at: place)
        chrome.show(message: "Saved", at: .zero)
        chrome.hide(at: .zero)
        #expect(!chrome.showsBars && !chrome.showsMenu && chrome.messageText == nil)
        #expect(chrome.showsInformation)
    }

    // MARK: Keys

    @Test func tabMovesTheFocusAndReturnActs() {
        #expect(press(.next, at: .zero) == .ignored)
        #expect(press(.focusNext, at: .zero) == .consumed && chrome.showsBars)
        let order = bars.widgets.flatMap(\.focusOrder).map(\.id)
        var seen = [chrome.focus.focused ?? ""]
        for _ in 1..<order.count {
            _ = press(.focusNext, at: .zero)
            seen.append(chrome.focus.focused ?? "")
        }
        #expect(seen == order)
        _ = press(.focusNext, at: .zero)
        #expect(chrome.focus.focused == order.first)
        _ = press(.focusPrevious, at: .zero)
        #expect(chrome.focus.focused == order.last)
        _ = press(.focusNext, at: .zero)
        #expect(press(.chrome, at: .zero) == .act(.back))
        #expect(press(.leave, at: .zero) == .consumed && chrome.focus.focused == nil)
        #expect(press(.leave, at: .zero) == .ignored)
    }

    @Test func theHelpScrollsAndCloses() throws {
        chrome.toggleHelp(at: .zero)
        #expect(chrome.showsHelp && chrome.area(bars: bars.areas, at: .zero) == ChromeArea())
        let before = try #require(chrome.help).widget(at: .zero)
        #expect(press(.down, at: .zero) == .consumed)
        #expect(try #require(chrome.help).widget(at: .zero) != before)
        // A drag scrolls, a tap inside does nothing, a tap beside closes.
        var fingers = Manipulation(source: .touch, fingers: 1, base: place, centroid: place)
        #expect(chrome.handleInPanels(.manipulationBegan(fingers), at: .zero) == true)
        fingers.centroid.y += 80
        #expect(chrome.handleInPanels(.manipulationChanged(fingers), at: .zero) == true)
        #expect(
            chrome.handleInPanels(.manipulationEnded(Release(centroid: place)), at: .zero) == true)
        #expect(try #require(chrome.help).widget(at: .zero) == before)
        #expect(chrome.tapBeside(at: place, .zero) == .consumed && chrome.showsHelp)
        let close = try #require(before.widget("help-close")).rect.center
        #expect(chrome.tapBeside(at: close, .zero) == .act(.closeSheet))
        #expect(chrome.tapBeside(at: Point(x: 2, y: 2), .zero) == .consumed && !chrome.showsHelp)
        chrome.toggleHelp(at: .zero)
        #expect(press(.leave, at: .zero) == .consumed && !chrome.showsHelp)
    }

    /// Bars below a sheet are as dim as the picture.
    @Test func aSheetDimsTheBars() throws {
        func brightness(_ items: [SceneItem]) -> [Double] {
            items.compactMap {
                guard case .layer(let layer) = $0 else { return nil }
                return layer.elements.compactMap {
                    switch $0 {
                    case .text(let label): label.color.red
                    case .paths(let drawing): drawing.color.red
                    case .box, .group: nil
                    }
                }.max()
            }
        }
        chrome.showBars(at: .zero)
        let plain = chrome.items(bars: bars.widgets, at: .zero)
        #expect(chrome.dimmed(plain, at: .zero) == plain)
        chrome.toggleHelp(at: .zero)
        let items = chrome.items(bars: bars.widgets, at: .zero)
        let dimmed = chrome.dimmed(items, at: .zero)
        let (before, after) = (brightness(items), brightness(dimmed))
        #expect(before.count == after.count && before.count > 2)
        #expect(zip(before, after).dropLast().allSatisfy { abs($1 - 0.55 * $0) < 1e-9 })
        #expect(before.last == after.last)
    }

    // MARK: Messages

    @Test func aMessageEndsAfterFiveSeconds() {
        chrome.show(message: "Saved", at: at(100))
        #expect(chrome.messageText == "Saved" && chrome.deadline == at(5100))
        #expect(chrome.overlays(at: at(100)).map(\.role) == [.notification])
        chrome.advance(to: at(5099))
        #expect(chrome.messageText == "Saved")
        chrome.advance(to: at(5100))
        #expect(chrome.messageText == nil && chrome.deadline == nil)
    }

    /// A message lies above the bars and the filmstrip, and is as high as two lines at most.
    @Test func aMessageCoversNoBar() throws {
        let text = String(repeating: "a message of many words ", count: 20)
        chrome.show(Toast(text, undo: .undo), at: .zero)
        let hidden = try #require(chrome.overlays(at: .zero).first).rect
        #expect(hidden.height <= 2.5 * chrome.layout.theme.body.size * 2)
        chrome.showBars(at: .zero)
        let bars = self.bars
        let message = try #require(chrome.overlays(above: bars.widgets, at: .zero).first)
        let below = bars.areas.filter { $0.y > 400 }
        #expect(below.count > 1)
        #expect(below.allSatisfy { message.rect.maxY + 8 <= $0.y })
        let button = try #require(message.widget("toast-action")).rect.center
        #expect(chrome.area(bars: bars.areas, at: .zero).contains(button))
    }

    @Test func aMessageAboutAPictureReplacesTheLastOne() {
        chrome.show(message: "one", at: .zero)
        chrome.show(message: "two", at: at(1000))
        #expect(chrome.messageText == "two" && chrome.deadline == at(6000))
        chrome.show(message: nil, at: at(2000))
        #expect(chrome.messageText == nil)
    }

    @Test func toastsQueueAndCanBeUndone() throws {
        chrome.show(Toast("Rotated", undo: .rotateAnticlockwise), at: .zero)
        chrome.show(Toast("Sorted"), at: at(100))
        #expect(chrome.messageText == "Rotated" && chrome.deadline == at(10_000))
        let toast = try #require(chrome.overlays(at: .zero).first)
        let undo = try #require(toast.widget("toast-action")).rect.center
        #expect(chrome.area(bars: [], at: .zero).contains(undo))
        #expect(tap(undo, at: at(500)) == .act(.command(.rotateAnticlockwise)))
        #expect(chrome.messageText == "Sorted" && chrome.deadline == at(5500))
        chrome.advance(to: at(5500))
        #expect(chrome.messageText == nil)
        for number in 0..<100 { chrome.show(Toast("\(number)"), at: at(6000)) }
        chrome.advance(to: at(6000 + 8 * 5000))
        #expect(chrome.messageText == nil)
    }

    // MARK: Menu

    @Test func aTapPerformsARowAndClosesTheMenu() throws {
        chrome.openMenu(Self.items, at: place)
        let menu = try #require(chrome.menu)
        #expect(chrome.area(bars: [], at: .zero).contains(menu.rect.center))
        #expect(tap(menu.row(1).center) == .act(.command(.fill)))
        #expect(!chrome.showsMenu)
        chrome.openMenu(Self.items, at: place)
        #expect(chrome.tapBeside(at: .zero, .zero) == .consumed && !chrome.showsMenu)
    }

    /// Keys are of no use to a person who has opened the menu by touch.
    @Test func aMenuShowsItsKeysUnlessItWasOpenedByTouch() throws {
        func showsKeys() throws -> Bool {
            chrome.openMenu(
                [Menu.Item(title: "Open", action: .command(.openFiles), detail: "Ctrl+O")],
                at: place)
            let row = try #require(chrome.menu).widget.children[0]
            chrome.closeMenu()
            #expect(row.description == "Ctrl+O")
            guard case .row(let face) = row.face else { return false }
            return face.detailWidth > 0
        }
        #expect(try !showsKeys())
        _ = press(.focusNext, at: .zero)
        #expect(try showsKeys())
        chrome.followInput(.chrome(.hover(at: nil)))
        #expect(try showsKeys())
        let gestures: [(Gesture, Bool)] = [
            (.chrome(.down(at: place, isPointer: false)), false),
            (.chrome(.hover(at: place)), true), (.longPress(at: place, source: .touch), false),
            (.longPress(at: place, source: .mouse), true), (.tap(at: place, source: .touch), false),
            (.chrome(.down(at: place, isPointer: true)), true),
        ]
        for (gesture, shows) in gestures {
            chrome.followInput(gesture)
            #expect(try showsKeys() == shows, "\(gesture)")
        }
    }

    @Test func keysMoveTheFocusAndPerform() {
        #expect(press(.down, at: .zero) == .ignored)
        chrome.openMenu(Self.items, at: place)
        #expect(press(.down, at: .zero) == .consumed)
        #expect(press(.down, at: .zero) == .consumed)
        #expect(press(.chrome, at: .zero) == .act(.command(.fill)) && !chrome.showsMenu)
        chrome.openMenu(Self.items, at: place)
        #expect(press(.leave, at: .zero) == .consumed && !chrome.showsMenu)
    }

    /// Without a focused row only the key that would show the bars is consumed.
    @Test func otherKeysCloseTheMenu() {
        chrome.openMenu(Self.items, at: place)
        #expect(press(.zoomIn, at: .zero) == .ignored && !chrome.showsMenu)
        chrome.openMenu(Self.items, at: place)
        #expect(press(.chrome, at: .zero) == .consumed && !chrome.showsMenu)
        chrome.openMenu(Self.items, at: place)
        #expect(press(.next, at: .zero) == .ignored && !chrome.showsMenu)
    }

    @Test func aTapBesideClosesOneThing() {
        showInformation(rows: 3)
        chrome.openMenu(Self.items, at: place)
        #expect(chrome.tapBeside(at: .zero, .zero) == .consumed)
        #expect(!chrome.showsMenu && chrome.showsInformation)
        #expect(chrome.tapBeside(at: .zero, .zero) == .consumed && !chrome.showsInformation)
        #expect(chrome.tapBeside(at: .zero, .zero) == .ignored)
    }

    @Test func aResizeClosesTheMenu() {
        chrome.openMenu(Self.items, at: place)
        var layout = chrome.layout
        layout.surface = Size(width: 500, height: 400)
        chrome.set(layout)
        #expect(!chrome.showsMenu && bars.layout.surface.width == 500)
    }

    // MARK: Information panel

    @Test func onlyGesturesOnThePanelAreConsumed() throws {
        #expect(chrome.handleInPanels(.doubleTap(at: place), at: .zero) == false)
        showInformation(rows: 80)
        let center = try #require(chrome.panel.rect(at: .zero)).center
        #expect(
            chrome.handleInPanels(.doubleTap(at: Point(x: 100, y: 400)), at: .zero) == false)
        #expect(chrome.handleInPanels(.doubleTap(at: center), at: .zero) == true)
        #expect(chrome.handleInPanels(.tap(at: center, source: .touch), at: .zero) == true)
        // With an open menu the tap closes the menu.
        chrome.openMenu(Self.items, at: place)
        #expect(chrome.handleInPanels(.tap(at: center, source: .touch), at: .zero) == false)
    }

    @Test func aDragScrollsAndBelongsToThePanelUntilItEnds() throws {
        showInformation(rows: 80)
        let center = try #require(chrome.panel.rect(at: .zero)).center
        var fingers = Manipulation(source: .touch, fingers: 1, base: center, centroid: center)
        #expect(chrome.handleInPanels(.manipulationBegan(fingers), at: .zero) == true)
        fingers.centroid = Point(x: 100, y: center.y - 150)
        #expect(chrome.handleInPanels(.manipulationChanged(fingers), at: at(10)) == true)
        #expect(chrome.panel.offset(at: at(10)) == 150)
        let release = Release(centroid: fingers.centroid)
        #expect(chrome.handleInPanels(.manipulationEnded(release), at: at(20)) == true)
        #expect(chrome.panel.offset(at: at(20)) == 150 && !chrome.panel.isHeld)
    }

    @Test func keysScrollOnlyAContentThatDoesNotFit() {
        showInformation(rows: 2)
        #expect(chrome.scrollInformation(1, at: .zero) == false)
        chrome.hideInformation(at: .zero)
        showInformation(rows: 80)
        #expect(chrome.scrollInformation(1, at: .zero) == true)
        #expect(chrome.panel.offset(at: .zero) == 69)
    }

    // MARK: Grid and viewer

    /// The information panel belongs to the viewer; the bars over the grid always stay.
    @Test func thePanelWaitsForTheViewer() {
        chrome.showInformation(at: at(0))
        chrome.move(over: .grid, at: at(100))
        #expect(!chrome.showsInformation && chrome.showsBars)
        chrome.hide(at: at(200))
        chrome.keepBars(false, at: at(200))
        chrome.advance(to: at(60_000))
        #expect(chrome.showsBars)
        chrome.move(over: .viewer, at: at(60_100))
        #expect(chrome.showsInformation && !chrome.showsBars)
    }

    /// A message stays with the person, but not one about the picture.
    @Test func messagesAreForTheGridAndTheViewer() {
        chrome.show(Toast("Saved"), at: at(0))
        chrome.show(message: "The next picture keeps zoom and place", at: at(0))
        chrome.move(over: .grid, at: at(100))
        #expect(chrome.messageText == "Saved")
        chrome.show(message: "about a picture", at: at(200))
        #expect(chrome.messageText == "Saved")
        chrome.move(over: .viewer, at: at(300))
        #expect(chrome.messageText == "Saved")
    }

    @Test func aMenuEndsWithWhatLiesBelow() {
        chrome.openMenu(Self.items, at: place)
        chrome.move(over: .grid, at: at(100))
        #expect(!chrome.showsMenu)
    }
}
