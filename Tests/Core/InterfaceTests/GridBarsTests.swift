import Commands
import CoreTestKit
import Geometry
import SceneModel
import Testing

@testable import Interface

/// What the header of the grid and its menus say.
@Suite struct GridBarsTests {
    private func bars(_ width: Double = 1280, _ change: (inout GridFacts) -> Void = { _ in })
        -> GridBars
    {
        var facts = GridFacts()
        (facts.name, facts.count, facts.state) = ("album", 14, .complete)
        change(&facts)
        return GridBars(
            BarLayout(surface: Size(width: width, height: 800), theme: Theme(), text: .fixed), facts
        )
    }

    private func widget(_ id: String, _ bars: GridBars) -> Widget? {
        bars.widgets.lazy.compactMap { $0.widget(id) }.first
    }

    /// The zoom's names are those of what a person sees: "+" makes pictures larger.
    @Test func theZoomIsNamedAfterThePictures() {
        let names: [Command: String] = [.zoomIn: "Larger pictures", .zoomOut: "Smaller pictures"]
        for (command, name) in names {
            #expect(widget(command.rawValue, bars())?.name == name)
            #expect(bars().items(of: .view).first { $0.command == command }?.title == name)
        }
    }

    @Test func theMenuHasSections() {
        let items = bars().items(of: .grid)
        #expect(
            items.filter(\.beginsSection).map(\.title) == [
                "Select all", "Undo", "Open", "Settings…",
            ])
        #expect(items.count == 10 && items.contains { $0.action == .openMenu(.view) })
    }

    /// The header says that a filter is on, how many pictures there are without it, and leads back, also
    /// where no picture is left.
    @Test(arguments: [0, 3]) func theHeaderSaysThatOnlyFavouritesAreListed(count: Int) throws {
        let bars = bars {
            ($0.count, $0.total, $0.sortKey) = (count, 32, .modified)
            $0.files.showsFavouritesOnly = true
        }
        #expect(bars.facts.places == ["Favourites · \(count) of 32", "\(count) of 32"])
        let button = try #require(widget("favourites-only", bars))
        #expect(button.action == .command(.favouritesOnly) && button.states.contains(.checked))
        #expect(widget("favourites-only", self.bars()) == nil)
    }

    /// Two folders above have buttons of their own where there is room, and a menu leads to all of them.
    ///
    /// The name of the folder is always there.
    @Test(arguments: [320.0, 400, 1280], [1.0, 1.5, 3])
    func foldersAboveAreInAMenu(width: Double, scale: Double) throws {
        var facts = GridFacts()
        (facts.name, facts.count) = ("al", 4)
        facts.above = ["/", "home", "marina", String(repeating: "Pictures ", count: 9)]
        let layout = BarLayout(
            surface: Size(width: width, height: 800), theme: Theme(textScale: scale), text: .fixed)
        let bars = GridBars(layout, facts)
        let header = try #require(bars.widgets.first { $0.id == "header" })
        #expect(header.children.contains { $0.id == "folder" })
        #expect(header.children.contains { $0.action == .openMenu(.folders) })
        #expect(bars.items(of: .folders).map(\.action) == (1...4).map { .folder(.up($0)) })
        let direct = header.children.filter { $0.id.hasPrefix("folder-up") }
        #expect(direct.count == (width == 1280 ? 2 : 1))
        for widget in header.children {
            #expect(header.rect.intersection(widget.rect) == widget.rect, "\(widget.id)")
        }
    }

    /// Buttons are left out where there is too little room, one by one, and never reach into the header.
    @Test(arguments: [false, true]) func narrowBarsHaveFewerButtons(isFiltered: Bool) {
        var most = Int.max
        for width in stride(from: 1000.0, to: 60, by: -4) {
            let bars = bars(width) { $0.files.showsFavouritesOnly = isFiltered }
            guard let commands = widget("commands", bars) else { continue }
            #expect(commands.rect.x >= BarLayout.margin, "\(width)")
            #expect(commands.children.count <= most, "\(width)")
            most = commands.children.count
            if let header = widget("header", bars) {
                #expect(header.rect.maxX <= commands.rect.x, "\(width)")
            }
        }
    }

    // MARK: Empty pages

    /// Only a folder is called a folder.
    @Test(
        arguments: [
            (.complete, "No pictures here", "The folder has no pictures that can be shown."),
            (.failed("/a: denied", isFolder: true), "The folder cannot be read", "/a: denied"),
            (.failed("/a.png: none", isFolder: false), "No pictures here", "/a.png: none"),
        ] as [(GridFacts.State, String, String)])
    func anEmptyPageSaysWhatWasGiven(state: GridFacts.State, title: String, text: String) throws {
        let page = try #require(bars { ($0.count, $0.state) = (0, state) }.page)
        #expect(page.name == title)
        #expect(page.children.first { $0.id == "page-text" }?.name == text)
    }

    // MARK: The selection

    /// The bar of a selection shows its number on every surface, and as many buttons as fit.
    @Test(
        arguments: [
            (320.0, ["favourite", "send", "delete", "menu"]),
            (360, ["favourite", "send", "copy-to", "delete", "menu"]),
            (
                1280,
                [
                    "zoom-out", "zoom-in", "favourite", "send", "copy-to", "move-to", "delete",
                    "menu",
                ]
            ),
        ] as [(Double, [String])])
    func theSelectionHasItsBar(width: Double, ids: [String]) throws {
        let bars = bars(width) { $0.selected = 3 }
        let commands = try #require(widget("commands", bars))
        #expect(commands.children.map(\.id) == ids)
        let number = try #require(widget("folder", bars))
        #expect(number.name == "3 selected")
        guard case .text(let shown, _, _) = number.face else { return }
        #expect(shown == (width < 600 ? "3" : "3 selected"))
        // Apart from the buttons that change files.
        let header = try #require(widget("header", bars))
        #expect((header.widget("select-all") != nil) == (width > 600))
    }

    /// No button moves while pictures are selected.
    @Test(arguments: [320.0, 360, 400, 600]) func theButtonsStay(width: Double) {
        func places(_ count: Int) -> [Rect] {
            widget("commands", bars(width) { $0.selected = count })?.children.map(\.rect) ?? []
        }
        #expect([9, 35, 999].allSatisfy { places($0) == places(1) } && !places(1).isEmpty)
    }

    /// Without a selected picture nothing can be done but to select.
    @Test func withoutASelectionButtonsAreDisabled() throws {
        let bars = bars { $0.isSelecting = true }
        let disabled = try #require(widget("commands", bars)).children.filter {
            $0.states.contains(.disabled)
        }
        #expect(
            disabled.map(\.id) == ["favourite", "send", "copy-to", "move-to", "delete"])
        #expect(bars.items(of: .grid).map(\.title) == ["Select all", "Undo", "Redo"])
        #expect(bars.items(of: .grid).map(\.isEnabled) == [true, false, false])
    }

    @Test func theMenuOfASelectionIsAboutIt() {
        var files = FileFacts()
        files.undoTitle = "move"
        let bars = bars {
            ($0.selected, $0.areFavourites, $0.files) = (2, true, files)
        }
        #expect(
            bars.items(of: .grid).map(\.title) == [
                "Share and open", "File", "Favourite", "Rate…", "Undo move", "Redo",
                "Select all", "Slideshow", "View",
            ])
        #expect(bars.items(of: .grid)[2].isChecked == true)
        // The name of one picture, and one background.
        #expect(bars.items(of: .file).first { $0.command == .rename }?.isEnabled == false)
        #expect(!bars.items(of: .send).contains { $0.command == .setBackground })
    }

    @Test func theMenuSaysWhetherOnlyFavouritesAreListed() {
        for isOn in [false, true] {
            let items = bars { $0.files.showsFavouritesOnly = isOn }.items(of: .grid)
            #expect(items.first { $0.command == .favouritesOnly }?.isChecked == isOn)
        }
    }

    // MARK: The order

    /// Ticks are at the current key and at the current direction, which is worded for the key.
    @Test(arguments: [
        (SortChoice.Key.name, false, ["A to Z": true, "Z to A": false]),
        (.name, true, ["A to Z": false, "Z to A": true]),
        (.taken, true, ["Newest first": true, "Oldest first": false]),
        (.modified, false, ["Newest first": false, "Oldest first": true]),
        (.size, true, ["Largest first": true, "Smallest first": false]), (.random, false, [:]),
    ])
    func theMenuNamesKeysAndDirections(
        key: SortChoice.Key, isReversed: Bool, directions: [String: Bool]
    ) throws {
        let items = bars { ($0.sortKey, $0.isReversed) = (key, isReversed) }.items(of: .sort)
        let keys = items.prefix(SortChoice.Key.allCases.count)
        #expect(
            keys.map(\.title) == [
                "Name", "Date taken", "Date modified", "File size", "Rating", "Shuffled",
            ])
        #expect(keys.filter { $0.isChecked == true }.map(\.title) == [key.title])
        let rest = items.dropFirst(keys.count)
        #expect(rest.first?.beginsSection ?? true)
        #expect(
            Dictionary(uniqueKeysWithValues: rest.map { ($0.title, $0.isChecked ?? false) })
                == directions)
        // The natural direction is the first, and the action of a row gives what the row names.
        #expect(
            rest.map(\.action)
                == [key.isNaturallyReversed, !key.isNaturallyReversed].prefix(rest.count).map {
                    .sort(.direction(isReversed: $0))
                })
    }

    @Test(arguments: [
        (SortChoice.Key.name, false, 1280.0, "14 pictures"),
        (.taken, true, 1280, "14 pictures · date taken, newest first"),
        (.size, false, 1280, "14 pictures · file size, smallest first"),
        (.random, false, 1280, "14 pictures · shuffled"), (.taken, true, 320, "14 pictures"),
        (.taken, true, 448, "14 pictures · newest first"),
    ])
    func theHeaderNamesTheOrder(
        key: SortChoice.Key, isReversed: Bool, width: Double, text: String
    ) {
        let bars = bars(width) { ($0.sortKey, $0.isReversed) = (key, isReversed) }
        #expect(widget("count", bars)?.name == text)
    }
}
