import Commands
import CoreTestKit
import Geometry
import ImageTypes
import Gestures
import Motion
import SceneModel
import Testing

@testable import Interface

@Suite struct ChromeTests {
    private static let items = [
        Menu.Item(title: "Fit", command: .fit), Menu.Item(title: "Fill", command: .fill),
    ]
    private let place = Point(x: 400, y: 300)
    private var chrome = Chrome(
        on: Size(width: 1280, height: 800), reducesMotion: true, text: .fixed)

    private func at(_ milliseconds: Double) -> Moment { Moment(milliseconds: milliseconds) }

    private func texts(_ items: [SceneItem]) -> [String] {
        items.flatMap { item -> [String] in
            guard case .panel(let panel) = item else { return [] }
            return panel.labels.map(\.text)
        }
    }

    /// A panel of `count` rows that is shown.
    private mutating func showInformation(rows count: Int) {
        var facts = Information.Facts(name: "photo.jpg", folder: "")
        facts.metadata.entries = (0..<count).map { .init(.camera, "Label", "Value \($0)") }
        chrome.setInformation(Information(facts), isOther: true)
        chrome.toggleInformation(at: .zero)
    }

    // MARK: Bar

    @Test mutating func theBarHasACloseButton() {
        let corner = Point(x: 1270, y: 10)
        #expect(chrome.tap(at: corner) == .ignored && chrome.area == ChromeArea())
        chrome.toggleBar()
        #expect(chrome.area.bar == Rect(x: 0, y: 0, width: 1280, height: 48))
        #expect(chrome.tap(at: corner) == .close)
        #expect(chrome.tap(at: Point(x: 600, y: 10)) == .ignored)
        let shown = chrome.items(title: "a.jpg", status: "1 / 2", at: .zero)
        #expect(texts(shown) == ["a.jpg", "1 / 2", "✕"])
    }

    @Test mutating func hidingLeavesOnlyTheInformationPanel() {
        showInformation(rows: 3)
        chrome.toggleBar()
        chrome.openMenu(Self.items, at: place)
        chrome.show(message: "Saved", at: .zero)
        chrome.hide()
        #expect(!chrome.showsBar && !chrome.showsMenu && chrome.messageText == nil)
        #expect(chrome.showsInformation)
    }

    // MARK: Message

    @Test mutating func aMessageEndsAfterFiveSeconds() {
        chrome.show(message: "Saved", at: at(100))
        #expect(chrome.messageText == "Saved" && chrome.deadline == at(5100))
        #expect(texts(chrome.items(title: "", status: "", at: at(100))) == ["Saved"])
        chrome.advance(to: at(5099))
        #expect(chrome.messageText == "Saved")
        chrome.advance(to: at(5100))
        #expect(chrome.messageText == nil && chrome.deadline == nil)
    }

    @Test mutating func aMessageReplacesTheLastOne() {
        chrome.show(message: "one", at: .zero)
        chrome.show(message: "two", at: at(1000))
        #expect(chrome.messageText == "two" && chrome.deadline == at(6000))
        chrome.show(message: nil, at: at(2000))
        #expect(chrome.messageText == nil)
    }

    // MARK: Menu

    @Test mutating func aTapPerformsARowAndClosesTheMenu() throws {
        chrome.openMenu(Self.items, at: place)
        let menu = try #require(chrome.menu)
        #expect(chrome.area.menu == menu.rect)
        #expect(chrome.tap(at: menu.row(1).center) == .perform(.fill))
        #expect(!chrome.showsMenu)
        chrome.openMenu(Self.items, at: place)
        #expect(chrome.tap(at: .zero) == .consumed && !chrome.showsMenu)
    }

    @Test mutating func keysMoveTheFocusAndPerform() {
        #expect(chrome.handleInMenu(.down) == .ignored)
        chrome.openMenu(Self.items, at: place)
        #expect(chrome.handleInMenu(.down) == .consumed)
        #expect(chrome.handleInMenu(.down) == .consumed)
        #expect(chrome.handleInMenu(.chrome) == .perform(.fill) && !chrome.showsMenu)
        chrome.openMenu(Self.items, at: place)
        #expect(chrome.handleInMenu(.leave) == .consumed && !chrome.showsMenu)
    }

    /// Without a focused row only the key that would show the bar is consumed.
    @Test mutating func otherKeysCloseTheMenu() {
        chrome.openMenu(Self.items, at: place)
        #expect(chrome.handleInMenu(.zoomIn) == .ignored && !chrome.showsMenu)
        chrome.openMenu(Self.items, at: place)
        #expect(chrome.handleInMenu(.chrome) == .consumed && !chrome.showsMenu)
        chrome.openMenu(Self.items, at: place)
        #expect(chrome.handleInMenu(.next) == .ignored && !chrome.showsMenu)
    }

    @Test mutating func aTapBesideClosesOneThing() {
        showInformation(rows: 3)
        chrome.openMenu(Self.items, at: place)
        #expect(chrome.tapBeside(at: .zero) && !chrome.showsMenu && chrome.showsInformation)
        #expect(chrome.tapBeside(at: .zero) && !chrome.showsInformation)
        #expect(chrome.tapBeside(at: .zero) == false)
    }

    @Test mutating func aResizeClosesTheMenu() {
        chrome.openMenu(Self.items, at: place)
        chrome.resize(to: Size(width: 500, height: 400))
        #expect(!chrome.showsMenu && chrome.bar.rect.width == 500)
    }

    // MARK: Information panel

    @Test mutating func onlyGesturesOnThePanelAreConsumed() throws {
        #expect(chrome.handleInPanel(.doubleTap(at: place), at: .zero) == false)
        showInformation(rows: 80)
        let center = try #require(chrome.panel.rect(at: .zero)).center
        #expect(
            chrome.handleInPanel(.doubleTap(at: Point(x: 100, y: 400)), at: .zero) == false)
        #expect(chrome.handleInPanel(.doubleTap(at: center), at: .zero) == true)
        #expect(chrome.handleInPanel(.tap(at: center, source: .touch), at: .zero) == true)
        // With an open menu the tap closes the menu.
        chrome.openMenu(Self.items, at: place)
        #expect(chrome.handleInPanel(.tap(at: center, source: .touch), at: .zero) == false)
    }

    @Test mutating func aDragScrollsAndBelongsToThePanelUntilItEnds() throws {
        showInformation(rows: 80)
        let center = try #require(chrome.panel.rect(at: .zero)).center
        var fingers = Manipulation(source: .touch, fingers: 1, base: center, centroid: center)
        #expect(chrome.handleInPanel(.manipulationBegan(fingers), at: .zero) == true)
        fingers.centroid = Point(x: 100, y: center.y - 150)
        #expect(chrome.handleInPanel(.manipulationChanged(fingers), at: at(10)) == true)
        #expect(chrome.panel.offset(at: at(10)) == 150)
        let release = Release(centroid: fingers.centroid)
        #expect(chrome.handleInPanel(.manipulationEnded(release), at: at(20)) == true)
        #expect(chrome.panel.offset(at: at(20)) == 150 && !chrome.panel.isHeld)
    }

    @Test mutating func keysScrollOnlyAContentThatDoesNotFit() {
        showInformation(rows: 2)
        #expect(chrome.scrollInformation(1, at: .zero) == false)
        chrome.hideInformation(at: .zero)
        showInformation(rows: 80)
        #expect(chrome.scrollInformation(1, at: .zero) == true)
        #expect(chrome.panel.offset(at: .zero) == 69)
    }
}
