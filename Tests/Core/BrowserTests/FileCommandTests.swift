import Commands
import CoreTestKit
import Edits
import Geometry
import Gestures
import Grid
import Input
import Interface
import Motion
import SceneModel
import Testing

@testable import Browser
@testable import Viewer

/// Buttons, menus and messages for work on files, and the marks of pictures.
@Suite struct FileCommandTests {
    private func rig(_ mode: BrowserModel.Mode) -> BrowserRig {
        var rig = BrowserRig(mode)
        rig.rest()
        rig.effects = []
        return rig
    }

    private func widget(_ rig: BrowserRig, _ isRight: @escaping (Widget) -> Bool) -> Widget? {
        func find(_ widget: Widget) -> Widget? {
            isRight(widget) ? widget : widget.children.lazy.compactMap(find).first
        }
        return find(rig.browser.interface(title: "", name: { "\($0)" }, at: rig.moment))
    }

    private func tap(_ name: String, _ rig: inout BrowserRig) throws {
        rig.tap(
            try #require(widget(rig) { $0.name == name && $0.action != nil }, "\(name)").rect.center
        )
        rig.pass(to: rig.now + 100)
    }

    // MARK: Messages

    /// Undo is one tap, or Tab and Return, for ten seconds.
    @Test(arguments: [BrowserModel.Mode.grid, .viewer], [false, true])
    func aMessageOffersToUndo(mode: BrowserModel.Mode, byKeys: Bool) throws {
        var rig = rig(mode)
        let start = rig.now
        rig.show(Toast("Deleted “a.jpg”", undo: .undo))
        rig.pass(to: start + 9500)
        #expect(rig.frame.toast == "Deleted “a.jpg”")
        if byKeys {
            rig.key("Tab")
            #expect(rig.frame.focus == "toast-action")
            rig.key("Return")
        } else {
            try tap("Undo", &rig)
        }
        #expect(rig.effects == [.files(.undo)] && rig.frame.toast == nil)
        rig.show(Toast("Deleted “b.jpg”", undo: .undo))
        rig.pass(to: rig.now + 10_100)
        #expect(rig.frame.toast == nil)
    }

    /// Undo takes back the last change, so the message about an earlier one goes.
    @Test func onlyTheLastChangeOffersUndo() {
        var rig = rig(.viewer)
        for name in ["a", "b", "c"] { rig.show(Toast("Deleted “\(name)”", undo: .undo)) }
        rig.show(Toast("Saved"))
        #expect(rig.frame.toast == "Deleted “c”")
        rig.hands.target.endUndoMessage(at: rig.moment)
        #expect(rig.frame.toast == "Saved")
        rig.show(Toast("Deleted “d”", undo: .undo))
        rig.pass(to: rig.now + 5100)
        #expect(rig.frame.toast == "Deleted “d”")
    }

    /// Undo by touch does not mark a picture of the grid.
    @Test func undoLeavesTheFocusAlone() throws {
        var rig = rig(.grid)
        rig.show(Toast("Deleted", undo: .undo))
        try tap("Undo", &rig)
        #expect(rig.frame.grid?.cells.contains { $0.isFocused } == false)
        rig.key("Delete")
        #expect(rig.effects == [.files(.undo), .files(.delete)])
        #expect(rig.frame.grid?.cells.first { $0.isFocused }?.index == 0)
    }

    // MARK: Menus

    /// Parts of a menu open in its place, and lead back.
    @Test func partsOfTheMenuOpenInItsPlace() throws {
        var rig = rig(.viewer)
        rig.touch([.down(id: 0, at: Point(x: 700, y: 300))], after: 50)
        rig.pass(to: rig.now + 700)
        rig.touch([.up(id: 0)])
        try tap("File", &rig)
        let menu = try #require(widget(rig) { $0.role == .menu })
        #expect(menu.rect.x == 700)
        try tap("Back", &rig)
        try tap("Edit", &rig)
        try tap("Flip horizontally", &rig)
        #expect(rig.effects == [.files(.flipHorizontally)])
        #expect(widget(rig) { $0.role == .menu } == nil)
    }

    /// The same by keys: Right opens a part, Left leads back.
    @Test func keysOpenPartsOfTheMenu() {
        var rig = rig(.viewer)
        for key in ["Menu", "Down", "Right", "Left", "Down", "Right", "Return"] { rig.key(key) }
        #expect(rig.effects == [.files(.openWith)])
    }

    /// No menu has more rows than a person reads, and all of them are on the surface.
    @Test(arguments: [BrowserModel.Mode.grid, .viewer])
    func menusAreShort(mode: BrowserModel.Mode) {
        var rig = rig(mode)
        var files = FileFacts()
        (files.undoTitle, files.redoTitle, files.hasCommands) = ("Delete", "Rename", true)
        rig.hands.target.setFiles(files)
        if mode == .grid { rig.send(.key(KeyEvent(name: "space", modifiers: .control))) }
        let kinds: [Widget.MenuKind] = [.edit, .send, .file, .view, .picture]
        for kind in kinds {
            let items =
                mode == .grid
                ? rig.browser.gridBars.items(of: kind) : rig.browser.viewer.items(of: kind)
            #expect(items.count <= (kind == .picture ? 13 : 8), "\(kind)")
        }
    }

    // MARK: Marks

    @Test func marksAreShownInTheBarAndInTheGrid() throws {
        var rig = rig(.viewer)
        rig.key("Return")
        rig.pass(to: rig.now + 500)
        func heart(_ rig: BrowserRig) -> Widget? { widget(rig) { $0.id == "favourite" } }
        #expect(heart(rig)?.face == .mark(.heart) && heart(rig)?.states.contains(.checked) == false)
        rig.hands.target.setMarks([0: PictureMark(isFavourite: true, rating: 3)])
        #expect(
            heart(rig)?.face == .mark(.heartFilled) && heart(rig)?.states.contains(.checked) == true
        )
        try tap("Favourite", &rig)
        #expect(rig.effects == [.files(.favourite)])
        rig.key("g")
        rig.rest()
        #expect(widget(rig) { $0.id == "picture/0" }?.description == "favourite, 3 stars")
        #expect(rig.frame.grid?.cells.first?.mark == PictureMark(isFavourite: true, rating: 3))
    }

    /// Marks follow their pictures when the listing changes.
    @Test func marksFollowTheirPictures() {
        var rig = rig(.viewer)
        rig.hands.target.setMarks([
            3: PictureMark(isFavourite: true), 4: PictureMark(rating: 2), 5: PictureMark(),
        ])
        var effects: [ViewerEffect] = []
        rig.hands.target.update(
            to: GridContents(count: 59), mapping: { $0 == 3 ? nil : $0 > 3 ? $0 - 1 : $0 },
            nearest: { $0 }, at: rig.moment, effects: &effects)
        #expect(rig.browser.grid.marks == [3: PictureMark(rating: 2)])
        #expect(rig.browser.viewer.pictureFacts.marks == rig.browser.grid.marks)
    }

    // MARK: The selection

    @Test func aSelectionHasItsButtons() throws {
        var rig = rig(.grid)
        rig.key("Right")
        rig.send(.key(KeyEvent(name: "space", modifiers: .control)))
        for (name, command) in [
            ("Favourite", Command.favourite), ("Copy to…", .copyTo), ("Move to…", .moveTo),
            ("Delete", .delete),
        ] {
            rig.effects = []
            try tap(name, &rig)
            #expect(rig.effects == [.files(command)])
        }
        try tap("Share and open", &rig)
        try tap("Print…", &rig)
        #expect(rig.effects.last == .files(.print))
    }
}
