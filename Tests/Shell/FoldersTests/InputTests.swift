import CLinux
import Folders
import Glibc
import SystemCalls
import TestKit
import Testing
import Threads

/// Pictures of descriptors, in place of files.
@Suite struct InputTests {
    private let folder = TemporaryFolder()

    // MARK: Names of descriptors

    @Test(
        arguments: [
            ("/dev/stdin", 0), ("/dev/stdout", 1), ("/dev/stderr", 2), ("//dev/./stdin", 0),
            ("/dev/fd/0", 0), ("/dev/fd/63", 63), ("/dev/fd/63/", 63), ("/proc/self/fd/7", 7),
            ("/proc/thread-self/fd/7", 7), ("/proc/\(getpid())/fd/7", 7),
            ("/proc/self/task/12/fd/7", 7),
        ] as [(String, Int32)])
    func theseNameDescriptors(path: String, number: Int32) {
        let descriptor = FilePath(path).descriptor
        #expect(descriptor?.number == number && descriptor?.names == [])
    }

    @Test(arguments: [
        "", "-", "/", "stdin", "/dev", "/dev/fd", "/dev/null", "/dev/fd/", "/dev/fd/x",
        "/dev/fd/-1",
        "/dev/fd/+1", "/dev/fd/01", "/dev/fd/99999999999", "/proc/self/fd", "/proc/1/fd/0",
        "/proc/self/cwd/a.png", "/proc/self/task/12", "/proc/self/task/12/fd", "/tmp/dev/stdin",
        "/home/dev/fd/0", "/dev/fd/../stdin", "dev/stdin",
    ])
    func theseDoNot(path: String) { #expect(FilePath(path).descriptor == nil) }

    @Test func namesBelowAFolderBelongToTheDescriptor() throws {
        let number = try reporting { open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        defer { close(number) }
        let path = FilePath("/dev/fd/\(number)/sub/a.png")
        #expect(path.descriptor?.names == [Array("sub".utf8), Array("a.png".utf8)])
        let real = FilePath(folder.path).target
        #expect(path.descriptor?.openedPath == FilePath("\(real)/sub/a.png"))
        #expect(FilePath("/dev/fd/\(number)").descriptor?.openedPath == real)
    }

    @Test func onlyAFileThatIsThereHasAPath() throws {
        let path = folder.file("a.png", "a")
        let file = try reporting { open(path, O_RDONLY | O_CLOEXEC) }
        defer { close(file) }
        let name = FilePath("/dev/fd/\(file)")
        #expect(name.descriptor?.openedPath == FilePath(path).target)
        #expect(FilePath("\(name)/b").descriptor?.openedPath == nil)
        unlink(path)
        #expect(name.descriptor?.openedPath == nil)
        // Another file has the name.
        _ = folder.file("a.png (deleted)", "b")
        #expect(name.descriptor?.openedPath == nil)
        let (reading, writing) = try makePipe()
        defer { for end in [reading, writing] { close(end) } }
        #expect(FilePath("/dev/fd/\(reading)").descriptor?.openedPath == nil)
    }

    // MARK: Reading

    private func makePipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        try reporting { pipe(&ends) }
        for end in ends { clinux_set_cloexec(end, 1) }
        return (ends[0], ends[1])
    }

    /// A monitor of these paths, of which `path` is that of a descriptor.
    private func monitor(_ paths: [FilePath], _ path: FilePath, _ descriptor: Int32)
        -> FolderMonitor
    {
        var options = ListingOptions()
        options.inputs = [path: GivenInput(descriptor, name: path)]
        return FolderMonitor(paths, options: options)
    }

    /// The next update that satisfies `condition`, or the last one within five seconds.
    private func next(
        _ monitor: FolderMonitor, where condition: (ListingUpdate) -> Bool = { _ in true }
    ) throws -> ListingUpdate {
        var last: ListingUpdate?
        for _ in 0..<500 {
            waitUntilReady(monitor.pollDescriptor, milliseconds: 10)
            guard let update = monitor.fetchUpdate() else { continue }
            last = update
            if condition(update) { break }
        }
        return try #require(last)
    }

    private func contents(_ listing: Listing) -> [String?] {
        listing.entries.map { entry in
            entry.descriptor.map {
                String(decoding: firstBytes(of: $0, limit: 1 << 20), as: UTF8.self)
            }
        }
    }

    /// Whether the pipe blocks or not, and whether other paths come before it or after it.
    @Test(arguments: [false, true], [false, true])
    func otherPathsDoNotWaitForAPipe(blocks: Bool, isFirst: Bool) throws {
        let file = FilePath(folder.file("a.png", "a"))
        let (reading, writing) = try makePipe()
        defer { close(reading) }
        try reporting { clinux_set_nonblocking(reading, blocks ? 0 : 1) }
        let name = FilePath("/dev/fd/\(reading)")
        let monitor = monitor(isFirst ? [name, file] : [file, name], name, reading)
        let first = try next(monitor) { $0.listing.count == 1 }
        #expect(contents(first.listing) == [nil] && !first.isComplete)
        try writeAll(Array("pic".utf8), to: writing)
        // The folder is followed while the pipe is open.
        unlink("\(file)")
        #expect(try next(monitor) { $0.listing.count == 0 }.listing.count == 0)
        try writeAll(Array("ture".utf8), to: writing)
        close(writing)
        let last = try next(monitor) { $0.isComplete }
        #expect(contents(last.listing) == ["picture"] && last.isComplete)
        #expect(last.problems.isEmpty && last.listing.title(at: 0) == "\(name)")
        // Everything that is listed now has the same place after another look.
        monitor.rescan()
        let again = try next(monitor)
        #expect(again.listing.entries.map(\.id) == last.listing.entries.map(\.id))
    }

    @Test func standardInputHasAName() throws {
        let pasted = OwnedDescriptor(try reporting { clinux_memfd_create("test") })
        let path = FilePath("-")
        var options = ListingOptions()
        options.inputs = [path: GivenInput(pasted: pasted)]
        let update = FolderMonitor([path], options: options).waitUntilComplete()
        #expect(update.listing.title(at: 0) == "pasted picture")
        #expect(update.listing.entries[0].descriptor == pasted.descriptor)
        #expect(GivenInput(0, name: path).title == "standard input")
        #expect(GivenInput(0, name: FilePath("/dev/stdin")).title == "standard input")
    }

    /// One reading serves all who name the descriptor: the second reader of a pipe gets nothing.
    @Test func anInputThatIsGivenTwiceIsReadOnce() throws {
        let (reading, writing) = try makePipe()
        defer { close(reading) }
        try writeAll(Array("x".utf8), to: writing)
        close(writing)
        let paths = [FilePath("-"), FilePath("/dev/fd/\(reading)")]
        let input = GivenInput(reading, name: paths[1])
        var options = ListingOptions()
        for path in paths { options.inputs[path] = input }
        let updates = (0..<2).map { _ in
            FolderMonitor(paths, options: options).waitUntilComplete()
        }
        for update in updates {
            #expect(contents(update.listing) == ["x", "x"] && update.problems.isEmpty)
        }
    }

    @Test func whatCannotBeReadIsReportedOnce() throws {
        let (reading, writing) = try makePipe()
        close(writing)
        let device = try reporting { open("/dev/null", O_WRONLY | O_CLOEXEC) }
        defer { for end in [reading, device] { close(end) } }
        let terminal = try reporting { open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC) }
        defer { close(terminal) }
        let reasons = [
            reading: "is empty", device: "permission denied",
            terminal: "is a terminal; pipe a picture into it",
        ]
        for (descriptor, reason) in reasons {
            let name = FilePath("/dev/fd/\(descriptor)")
            let monitor = monitor([name], name, descriptor)
            let update = monitor.waitUntilComplete()
            #expect(update.problems.map(\.description) == ["\(name): \(reason)"])
            monitor.rescan()
            #expect(try next(monitor).problems.isEmpty)
        }
    }

    /// The file server is another process, and its descriptors are no pictures.
    @Test(arguments: ["/dev/stdin", "/dev/fd/3", "/proc/self/fd/4", "/dev/fd/9999"])
    func aDescriptorThatIsNoInputIsNoFile(path: String) {
        let update = FolderMonitor([FilePath(path)]).waitUntilComplete()
        #expect(update.problems.map(\.reason) == ["there is no such file"])
        #expect(update.listing.count == 0)
    }
}
