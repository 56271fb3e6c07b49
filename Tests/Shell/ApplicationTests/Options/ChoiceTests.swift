import Folders
import Settings
import TOML
import Testing
import Viewer

@testable import Application

/// Settings that a person chooses by commands, in menus and in the header of the grid.
@Suite struct ChoiceTests {
    @Test(arguments: [false, true])
    func aChoiceIsStoredUnlessTheCommandLineHasTheSetting(isFixed: Bool) throws {
        var options = Options()
        if isFixed { try options.set("viewer.checkerboard=false") }
        let stored = options.choose([("viewer.checkerboard", .flag(true))], lasts: false)
        #expect(options.values.viewer.checkerboard)
        #expect(stored.map(\.name) == (isFixed ? [] : ["viewer.checkerboard"]))
        // Files are read again, and do not have the choice.
        _ = options.applySettings([])
        #expect(options.values.viewer.checkerboard == isFixed)
    }

    @Test func aChoiceOfARunWithoutAFileLasts() {
        var options = Options()
        _ = options.choose([("viewer.keep_zoom", .flag(true))], lasts: true)
        _ = options.applySettings([])
        #expect(options.values.viewer.keepZoom)
    }

    @Test func anOrderIsStoredByItsParts() {
        var options = Options()
        let first = options.sort(ListingOrder(.modified, isReversed: true), lasts: false)
        #expect(first.map(\.name) == ["collection.sort", "collection.descending"])
        let second = options.sort(ListingOrder(.modified), lasts: false)
        #expect(second.map(\.name) == ["collection.descending"])
    }

    /// A second choice of the order at random shuffles again; the files say only that it is random.
    @Test func anOrderAtRandomIsShuffledAgain() {
        var options = Options()
        #expect(options.sort(ListingOrder(.random(seed: 1)), lasts: false).count == 1)
        #expect(options.sort(ListingOrder(.random(seed: 2)), lasts: false).isEmpty)
        #expect(options.values.collection.order.key == .random(seed: 2))
        let values = options.values
        let text = Array("[collection]\nsort = \"random\"\n".utf8)
        _ = options.applySettings([
            SettingsFiles.File(path: FilePath(Array("/config.toml".utf8)), content: .bytes(text))
        ])
        #expect(options.values == values, "the files have what was chosen: nothing changes")
    }
}
