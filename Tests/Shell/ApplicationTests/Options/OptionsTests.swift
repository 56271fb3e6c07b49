import Browser
import Folders
import Geometry
import ImageTypes
import TOML
import Testing
import Viewer

@testable import Application

@Suite struct OptionsTests {
    private func options(_ arguments: String...) throws(UsageError) -> Options {
        try Options(arguments.map { Array($0.utf8) })
    }

    private func reason(_ arguments: String...) -> String? {
        do throws(UsageError) {
            _ = try Options(arguments.map { Array($0.utf8) })
            return nil
        } catch { return error.reason }
    }

    @Test func optionsMayStandAnywhere() throws {
        let options = try options("a", "--fullscreen", "b", "--size", "640x480", "c")
        #expect(options.paths.map(\.description) == ["a", "b", "c"])
        #expect(options.isFullscreen)
        #expect(options.windowSize == Size(width: 640, height: 480))
    }

    @Test func aLaterOptionReplacesAnEarlierOne() throws {
        #expect(try !options("--fullscreen", "--windowed", "a").isFullscreen)
        #expect(try options("--grid", "--viewer", "a").start.mode == .viewer)
    }

    @Test func aValueMayFollowAnEqualsSign() throws {
        #expect(try options("--refresh=144", "a").headless.refresh == 144)
        #expect(try options("--set=decode.max_disk=10", "a").values.limits.disk == 10 << 20)
        #expect(reason("--fullscreen=yes", "a") == "--fullscreen takes no value")
    }

    @Test func twoDashesEndTheOptions() throws {
        let options = try options("--", "--grid", "-", "--")
        #expect(options.paths.map(\.description) == ["--grid", "-", "--"])
        #expect(options.start.mode == nil)
    }

    @Test func withoutAPathThePicturesFolderIsShown() throws {
        var options = try options("--fullscreen")
        #expect(options.paths.isEmpty)
        // Without the folder a window has a page that says how to begin; headless there is none.
        try options.completePaths(pictures: nil)
        #expect(options.paths.isEmpty)
        var headless = try self.options("--headless", "300x200")
        #expect(throws: UsageError.self) { try headless.completePaths(pictures: nil) }
        try options.completePaths(pictures: FilePath("/pictures"))
        #expect(options.paths == [FilePath("/pictures")])
        try options.completePaths(pictures: nil)
        #expect(options.paths == [FilePath("/pictures")])
    }

    /// Without a compositor turns are kept only where the command line says so; the table of settings, of
    /// which the settings page is made, says the same.
    @Test func turnsAreKeptAsTheSettingsSay() throws {
        let set = "--set=files.save_turns="
        let cases: [(arguments: [String], isOn: Bool)] = [
            (["a"], true), ([set + "false", "a"], false), ([set + "true", "a"], true),
            (["--headless", "300x200", "a"], false),
            (["--headless", "300x200", set + "true", "a"], true),
            ([set + "true", "--headless", "300x200", "a"], true),
            (["--headless", "300x200", set + "false", "a"], false),
        ]
        for (arguments, isOn) in cases {
            var options = try Options(arguments.map { Array($0.utf8) })
            #expect(options.values.savesTurns == isOn, "\(arguments)")
            let rows = options.values.descriptions
            let row = try #require(rows.first { $0.name == "files.save_turns" })
            #expect(row.value?.plainText == (isOn ? "true" : "false"), "\(arguments)")
            // The same after settings files are read.
            _ = options.applySettings([])
            #expect(options.values.savesTurns == isOn, "\(arguments)")
        }
    }

    /// A single dash is standard input.
    @Test func aDashIsAPath() throws {
        #expect(try options("-").paths == [FilePath(Array("-".utf8))])
    }

    @Test func aPathNeedNotBeValidUnicode() throws {
        let path: [UInt8] = [0xff, 0x2f, 0x80]
        #expect(try Options([path]).paths.map(\.bytes) == [path])
    }

    @Test func formatsIsACommandOnlyIfItIsAlone() throws {
        #expect(try options("formats").action == .formats)
        #expect(try options("formats", "a").action == .show)
    }

    @Test func aFolderStartsInTheGridUnlessAModeIsGiven() throws {
        var given = try options("folder")
        #expect(!given.start.isInGrid)
        given.start.hasFolder = true
        #expect(given.start.isInGrid)
        given.start.mode = .viewer
        #expect(!given.start.isInGrid)
        #expect(try options("--grid", "file").start.isInGrid)
    }

    @Test func onlyAHeadlessRunThatWaitsIsReproducible() throws {
        #expect(try !options("a").headless.isReproducible)
        #expect(try options("--headless", "9x9", "a").headless.isReproducible)
        #expect(try !options("--headless", "9x9", "--async-decode", "a").headless.isReproducible)
    }

    @Test func aViewportHasASizeAndAScale() throws {
        #expect(
            try Options.viewport("300x200")
                == Viewport(size: Size(width: 300, height: 200), scale: 1))
        #expect(
            try Options.viewport("300x200@1.5")
                == Viewport(size: Size(width: 300, height: 200), scale: 1.5))
        for text in [
            "", "300", "300x", "0x200", "300x200@", "300x200@0.2", "300x200@9", "300x200@nan",
            "300x200@2@2", "16384x200@2", "16385x1",
        ] {
            #expect(throws: UsageError.self, "\(text)") { try Options.viewport(text) }
        }
    }

    @Test func aShotHasATimeAndAPath() throws {
        let shot = try Options.shot(Array("12.5:a:b.png".utf8), of: "--shot-at", "FILE.png")
        #expect(shot == .init(milliseconds: 12.5, path: FilePath(Array("a:b.png".utf8))))
        for text in ["", "12", "12:", ":a.png", "-1:a.png", "x:a.png", "1e9:a.png", "nan:a.png"] {
            #expect(throws: UsageError.self, "\(text)") {
                try Options.shot(Array(text.utf8), of: "--shot-at", "FILE.png")
            }
        }
    }

    @Test(arguments: ["--script", "--shot", "--shot-at=1:a.png", "--async-decode"])
    func optionsOfAHeadlessRunNeedOne(_ option: String) {
        let arguments = option.contains("=") || option == "--async-decode" ? [] : ["file"]
        let given = ([option] + arguments + ["a"]).map { Array($0.utf8) }
        #expect(throws: UsageError.self) { try Options(given) }
        #expect(throws: Never.self) {
            try Options([Array("--headless=9x9".utf8)] + given)
        }
    }

    @Test func optionsOfALiveSessionRefuseAHeadlessRun() {
        #expect(
            reason("--headless", "9x9", "--hud", "a") == "--hud works in a live session only")
        #expect(
            reason("--headless", "9x9", "--record", "f", "a")
                == "--record works in a live session only")
    }
}
