import Folders
import Settings
import TOML
import Testing
import Viewer

@testable import Application

/// Settings that a person chooses by commands, in menus and in the header of the grid.
@Suite struct ChoiceTests {
    private func file(_ text: String, _ path: String = "/config.toml") -> SettingsFiles.File {
        SettingsFiles.File(path: FilePath(Array(path.utf8)), content: .bytes(Array(text.utf8)))
    }

    @Test(arguments: [false, true])
    func aChoiceIsStoredUnlessTheCommandLineHasTheSetting(isFixed: Bool) throws {
        var options = Options()
        if isFixed { try options.set("viewer.checkerboard=false") }
        let stored = options.choose([("viewer.checkerboard", .flag(true))])
        #expect(stored.map(\.name) == (isFixed ? [] : ["viewer.checkerboard"]))
        // Files are read again that do not have the choice: not yet, or never.
        _ = options.applySettings([])
        #expect(options.values.viewer.checkerboard)
        _ = options.applySettings([file("viewer.keep_zoom = true")])
        #expect(options.values.viewer.checkerboard && options.values.viewer.keepZoom)
    }

    /// What somebody writes into a settings file afterwards counts.
    @Test func aChoiceEndsWhenTheFilesSaySomethingElse() {
        var options = Options()
        let before = [file("viewer.checkerboard = true")]
        _ = options.applySettings(before)
        _ = options.choose([("viewer.checkerboard", .flag(false))])
        _ = options.applySettings(before)
        #expect(!options.values.viewer.checkerboard)
        // The choice has arrived; then another one is written by hand.
        _ = options.applySettings([file("viewer.checkerboard = false")])
        #expect(!options.values.viewer.checkerboard)
        _ = options.applySettings(before)
        #expect(options.values.viewer.checkerboard)
    }

    /// A setting that a program has set is the person's again after a choice.
    @Test func aChoiceReplacesWhatAProgramHasSet() throws {
        var options = Options()
        options.settingSources.override(Setting("viewer.checkerboard", .flag(true)))
        _ = options.applySettings([])
        #expect(options.values.viewer.checkerboard)
        _ = options.choose([("viewer.checkerboard", .flag(false))])
        _ = options.applySettings([])
        #expect(!options.values.viewer.checkerboard)
    }

    @Test func anOrderIsStoredByItsParts() {
        var options = Options()
        let first = options.sort(ListingOrder(.modified, isReversed: true))
        #expect(first.map(\.name) == ["collection.sort", "collection.descending"])
        let second = options.sort(ListingOrder(.modified))
        #expect(second.map(\.name) == ["collection.descending"])
    }

    /// A second choice of the order at random shuffles again; the files say only that it is random.
    @Test func anOrderAtRandomIsShuffledAgain() {
        var options = Options()
        #expect(options.sort(ListingOrder(.random(seed: 1))).count == 1)
        #expect(options.sort(ListingOrder(.random(seed: 2))).isEmpty)
        #expect(options.values.collection.order.key == .random(seed: 2))
        let values = options.values
        _ = options.applySettings([file("[collection]\nsort = \"random\"\n")])
        #expect(options.values == values, "the files have what was chosen: nothing changes")
    }
}
