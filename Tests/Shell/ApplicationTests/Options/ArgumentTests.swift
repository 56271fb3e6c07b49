import Desktop
import Folders
import Glibc
import Grid
import SystemCalls
import TestKit
import Testing
import Viewer

@testable import Application

/// Arguments that are no paths of the file system: descriptors of the process, and URIs.
@Suite struct ArgumentTests {
    private let folder = TemporaryFolder()

    private func options(_ arguments: [String]) throws(UsageError) -> Options {
        try Options(arguments.map { Array($0.utf8) })
    }

    /// A descriptor of a file of this text, as a shell opens one for `<`.
    private func descriptor(_ text: String) throws -> Int32 {
        let path = folder.file("contents", text)
        return try reporting { open(path, O_RDONLY | O_CLOEXEC) }
    }

    // MARK: Descriptors

    @Test func descriptorsAreReadInPlaceOfFiles() throws {
        let number = try descriptor("picture")
        defer { close(number) }
        let names = ["-", "/dev/fd/\(number)", "/proc/self/fd/\(number)", "/dev/stdin"]
        var options = try options(names + ["a.png"])
        try options.takeDescriptors()
        #expect(options.paths.map(\.description) == names + ["a.png"])
        let inputs = names.map { options.inputs[FilePath($0)] }
        #expect(options.inputs.count == 4 && !inputs.contains(nil))
        // The same descriptor is the same input.
        #expect(inputs[0] == inputs[3] && inputs[1] == inputs[2] && inputs[0] != inputs[1])
        #expect(options.listing.inputs == options.inputs)
    }

    @Test func aDescriptorOfAFolderIsTheFolder() throws {
        folder.folder("album")
        let number = try reporting { open(folder / "album", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        defer { close(number) }
        var options = try options(["/dev/fd/\(number)", "/dev/fd/\(number)/a.png"])
        try options.takeDescriptors()
        let real = FilePath(folder / "album").target
        #expect(options.paths == [real, FilePath("\(real)/a.png")] && options.inputs.isEmpty)
    }

    /// A number that is free at the start would be that of a socket of the program later.
    @Test(arguments: ["--script", "--trace", "--shot", "--ui"])
    func aClosedDescriptorIsNoFile(option: String) throws {
        var options = try options(["--headless", "9x9", option, "/dev/fd/9999", "a.png"])
        let error = #expect(throws: UsageError.self) { try options.takeDescriptors() }
        #expect(error?.reason == "/dev/fd/9999: there is no such file")
        var picture = try self.options(["/dev/fd/9999"])
        try picture.takeDescriptors()
        #expect(picture.inputs.isEmpty && picture.paths == [FilePath("/dev/fd/9999")])
    }

    @Test func settingsAreReadFromADescriptor() throws {
        let number = try descriptor("viewer.enlarge = true\nnothing = 1\n")
        defer { close(number) }
        var options = try options([
            "--config", "/dev/fd/\(number)", "--set", "grid.columns=9", "a.png",
        ])
        try options.takeDescriptors()
        try options.readSettings()
        #expect(options.values.viewer.enlarge && options.values.grid.columns == 9)
        // They stay when the files of the user change.
        let file = SettingsFiles.File(
            path: FilePath("f.toml"), content: .bytes(Array("viewer.enlarge = false".utf8)))
        let problems = options.applySettings([file])
        #expect(options.values.viewer.enlarge)
        #expect(
            problems == [
                "/dev/fd/\(number):2: nothing: is not a setting; vitrine --print-config prints all"
            ])
    }

    @Test func settingsOfABadDescriptorAreAWrongArgument() throws {
        let long = try descriptor(String(repeating: "# a comment\n", count: 100_000))
        defer { close(long) }
        let reasons = [
            (long, "more than 1 MiB, so nothing of it is used"), (9999, "there is no such file"),
        ]
        for (number, reason) in reasons {
            var options = try options(["--config", "/dev/fd/\(number)", "a.png"])
            try options.takeDescriptors()
            let error = #expect(throws: UsageError.self) { try options.readSettings() }
            #expect(error?.reason == "--config: /dev/fd/\(number): \(reason)")
        }
    }

    /// While a pipe is open, the album has the other pictures.
    @Test func anAlbumDoesNotWaitForAPipe() throws {
        var ends: [Int32] = [-1, -1]
        try reporting { pipe(&ends) }
        defer { close(ends[0]) }
        let paths = [FilePath(folder.file("a.png", "a")), FilePath("/dev/fd/\(ends[0])")]
        var listing = ListingOptions()
        listing.inputs = [paths[1]: GivenInput(ends[0], name: paths[1])]
        let album = Album(paths, options: listing)
        album.readFirst(within: 10_000)
        #expect(album.count == 1 && !album.isComplete && album.title(0) == "a.png")
        try writeAll([1], to: ends[1])
        close(ends[1])
        while !album.isComplete {
            var ready = pollfd(fd: album.pollDescriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&ready, 1, 10_000) == 1)
            #expect(album.fetchChange()?.isReplacement != true)
        }
        #expect(album.count == 2 && album.title(1) == "/dev/fd/\(ends[0])")
    }

    // MARK: URIs

    private static let refusals = [
        "https://example.org/a.png": "not a file of this computer",
        "file://other.invalid/p.png": "not a file of this computer",
        "file:///dev/stdin": "not a file of this computer",
        "file:///a%zz.png": "the address of the file is damaged",
        "file:///a#b.png": "the address of the file is damaged",
    ]

    @Test func urisOfTheCommandLineArePaths() throws {
        let good = ["file:///a%20b.png", "file://localhost/c.png", "FILE:/d.png", "e.png"]
        var options = try options(good + Self.refusals.keys)
        #expect(options.readURIs { _ in [] })
        #expect(options.paths.map(\.description) == ["/a b.png", "/c.png", "/d.png", "e.png"])
    }

    @Test func aFileWithTheNameOfAURIWins() throws {
        let names = ["file:///a.png", "https://example.org/b.png"]
        var options = try options(names + ["file:///c.png"])
        #expect(options.readURIs { Set($0.filter { names.contains($0.description) }) })
        #expect(options.paths.map(\.description) == names + ["/c.png"])
    }

    /// The pictures folder is not shown instead.
    @Test func withRefusedURIsAloneNothingIsShown() throws {
        for uri in Self.refusals.keys {
            var options = try options([uri])
            #expect(!options.readURIs { _ in [] } && options.paths.isEmpty)
        }
        var none = try options([])
        #expect(none.readURIs { _ in [] })
    }

    @Test func refusalsSayWhy() {
        for (uri, reason) in Self.refusals {
            #expect(LocalFileURI.refusal(of: uri) == "\(uri): \(reason)")
        }
        let long = "https://example.org/" + String(repeating: "x", count: 100_000)
        #expect(LocalFileURI.refusal(of: long).utf8.count < 300)
    }

    // MARK: Messages

    private func openable(_ argument: String) throws(UsageError) -> String {
        try MessageProgram.openable(Array(argument.utf8))
    }

    @Test func aMessageNamesFilesAsTheViewerSeesThem() throws {
        let path = folder.file("a b.png", "a")
        #expect(try openable(path) == path)
        #expect(try openable("file://localhost\(folder.path)/a%20b.png") == path)
        let relative = try openable("x.png")
        #expect(relative.hasPrefix("/") && relative.hasSuffix("/x.png"))
        #expect(try openable("./x.png") == relative)
        #expect(try openable(folder.path + "/./a b.png") == path)
        let odd = try MessageProgram.openable(Array("/a".utf8) + [0xFF])
        #expect(odd == "file:///a%FF")
        let number = try reporting { open(path, O_RDONLY | O_CLOEXEC) }
        defer { close(number) }
        #expect(try openable("/dev/fd/\(number)") == FilePath(path).target.description)
        for (uri, reason) in Self.refusals {
            let error = #expect(throws: UsageError.self) { try openable(uri) }
            #expect(error?.reason == "\(uri): \(reason)")
        }
        var ends: [Int32] = [-1, -1]
        try reporting { pipe(&ends) }
        defer { for end in ends { close(end) } }
        for input in ["-", "/dev/fd/\(ends[0])"] {
            let error = #expect(throws: UsageError.self) { try openable(input) }
            #expect(error?.reason == "msg open takes files and folders, not standard input")
        }
    }

    /// Any program may write to the socket.
    @Test(arguments: Self.refusals.keys.sorted() + ["a.png", "", "-", "/dev/stdin", "/dev/fd/3"])
    func theViewerRefusesWhatIsNoFile(text: String) {
        #expect(throws: (any Error).self) { try RemoteControl.paths([text]) }
        #expect(throws: (any Error).self) { try RemoteControl.paths(["/a.png", text]) }
    }

    @Test func theViewerOpensFiles() throws {
        let paths = try RemoteControl.paths(["/a b", "file:///c%20d", "file://LOCALHOST/e"])
        #expect(paths == ["/a b", "/c d", "/e"].map { FilePath($0) })
        #expect(throws: (any Error).self) { try RemoteControl.file("/proc/self/fd/1") }
        #expect(try RemoteControl.file("/a.png") == FilePath("/a.png"))
    }
}
