import Edits
import CLinux
import FileChanges
import Glibc
import ImageWire
import SystemCalls
import TestKit
import Testing
import Threads

/// A service on a thread with a client, in folders of their own.
final class ChangeBench {
    let folder: TemporaryFolder
    let client: ChangeClient

    /// With `other` the bench has the files and the journal of another bench, as a later run has.
    init(
        hasTrash: Bool = true, trashError: Int32? = nil, journal: String? = nil,
        in other: ChangeBench? = nil
    ) {
        folder = other?.folder ?? TemporaryFolder()
        folder.folder("trash")
        let trash = FolderTrash(folder: hasTrash ? folder / "trash" : nil, error: trashError)
        client = ChangeClient(journal: Array((journal ?? folder / "changes").utf8)) {
            guard let (ours, theirs) = try? PacketSocket.pair() else { return -1 }
            let isRunning = Thread.start { ChangeService.run(theirs, trash: trash) }
            return isRunning ? ours : -1
        }
        client.open()
    }

    func wait() {
        while client.isBusy {
            guard waitUntilReady(client.socket, milliseconds: 10_000) else {
                Issue.record("no reply")
                return
            }
            client.handleReadable()
        }
    }

    @discardableResult
    func perform(_ actions: FileAction..., contents: [UInt8]? = nil) -> ChangeClient.Result {
        var result = ChangeClient.Result(title: "")
        let steps = actions.map { action in
            var descriptor: Int32 = -1
            if let contents, action.hasContents {
                descriptor = clinux_memfd_create("test")
                try? writeAll(contents, to: descriptor)
            }
            return ChangeClient.Step(action, contents: descriptor)
        }
        client.perform("Test", steps) { result = $0 }
        wait()
        return result
    }

    @discardableResult
    func undo(redo: Bool = false) -> Swift.Result<BatchReversal, ChangeFailure> {
        var result = Swift.Result<BatchReversal, ChangeFailure>.failure(.interrupted)
        if redo { client.redo { result = $0 } } else { client.undo { result = $0 } }
        wait()
        return result
    }

    func path(_ name: String) -> [UInt8] { Array((folder / name).utf8) }

    func stamp(_ name: String) -> FileStamp? {
        var result: FileStamp?
        client.stamp(of: path(name)) { result = try? $0.get() }
        wait()
        return result
    }

    func text(_ name: String) -> String? {
        let descriptor = open(folder / name, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return (try? readToEnd(of: descriptor)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names in the folder apart from the trash and the journal.
    var names: [String] { names(in: "") }

    /// The names in a folder of the bench, apart from the trash and the journal.
    func names(in folder: String) -> [String] {
        guard let stream = opendir(self.folder / folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if ![".", "..", "trash", "changes"].contains(name) { names.append(name) }
        }
        return names.sorted()
    }
}

@Suite("Changes of files")
struct ChangeTests {
    @Test("A file goes to the trash with its sidecar, comes back by undo, and goes again by redo")
    func trash() throws {
        let bench = ChangeBench()
        _ = bench.folder.file("a.jpg", "picture")
        _ = bench.folder.file("a.jpg.xmp", "marks")
        let result = bench.perform(.trash(path: bench.path("a.jpg")))
        #expect(result.failures.isEmpty && result.done.count == 1)
        #expect(bench.names.isEmpty)
        let reversal = try bench.undo().get()
        #expect(reversal.count == 2 && reversal.path == bench.path("a.jpg"))
        #expect(bench.text("a.jpg") == "picture" && bench.text("a.jpg.xmp") == "marks")
        #expect(try bench.undo(redo: true).get().failures == 0)
        #expect(bench.names.isEmpty)
        _ = bench.undo()
        #expect(bench.text("a.jpg") == "picture")
    }

    @Test("A file moves to another file system, and comes back by undo")
    func otherFileSystem() throws {
        let bench = ChangeBench()
        // A tmpfs, which is a file system of its own.
        var name = Array("/dev/shm/vitrine-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&name))
        let other = String(cString: made)
        defer { _ = ChildProcess.run(["/bin/rm", "-r", other]) }
        var (here, there) = (stat(), stat())
        try #require(stat(bench.folder.path, &here) == 0 && stat(other, &there) == 0)
        try #require(here.st_dev != there.st_dev, "/dev/shm has to be a file system of its own")
        chmod(bench.folder.file("a.jpg", "picture"), 0o640)
        TestFile.write(Array("in the way".utf8), to: other + "/a.jpg")
        let target = Array((other + "/a.jpg").utf8)
        let result = bench.perform(
            .move(from: bench.path("a.jpg"), to: target, picksName: true))
        #expect(result.failures.isEmpty && bench.names.isEmpty)
        #expect(TestFile.text(other + "/a.jpg") == "in the way")
        // A link is moved itself, and a link to a device is no picture to copy.
        symlink("nowhere", bench.folder / "link.jpg")
        symlink("/dev/zero", bench.folder / "zero.jpg")
        bench.perform(
            .move(
                from: bench.path("link.jpg"), to: Array((other + "/link.jpg").utf8),
                picksName: false))
        #expect(ChildProcess.run(["/bin/readlink", other + "/link.jpg"]).output == "nowhere\n")
        #expect(bench.names == ["zero.jpg"])
        let copied = bench.perform(
            .copy(from: bench.path("zero.jpg"), to: bench.path("copy.jpg"), picksName: false))
        #expect(copied.failures.count == 1 && bench.names == ["zero.jpg"])
        #expect(TestFile.text(other + "/a (2).jpg") == "picture")
        var info = stat()
        #expect(stat(other + "/a (2).jpg", &info) == 0 && info.st_mode & 0o777 == 0o640)
        #expect(try bench.undo().get().failures == 0)
        _ = bench.undo()
        #expect(bench.text("a.jpg") == "picture" && TestFile.text(other + "/a (2).jpg") == nil)
        #expect(stat(bench.folder / "a.jpg", &info) == 0 && info.st_mode & 0o777 == 0o640)
    }

    @Test("Without a trash nothing is removed, and the reason is there")
    func noTrash() {
        let bench = ChangeBench(hasTrash: false)
        _ = bench.folder.file("a.jpg", "picture")
        let result = bench.perform(.trash(path: bench.path("a.jpg")))
        #expect(result.failures.first?.failure == .noTrash(reason: "there is no trash"))
        #expect(bench.text("a.jpg") == "picture")
        bench.perform(.remove(path: bench.path("a.jpg")))
        #expect(bench.names.isEmpty)
        #expect(bench.client.undoTitle.isEmpty)
    }

    @Test(
        "A trash that fails is told apart from a picture that cannot be removed",
        arguments: [ENOSPC, EACCES, EROFS, EIO, ENOENT])
    func trashFails(code: Int32) {
        let bench = ChangeBench(trashError: code)
        bench.folder.folder("locked")
        for name in ["a.jpg", "a.jpg.xmp", "locked/b.jpg"] {
            _ = bench.folder.file(name, "picture")
        }
        let result = bench.perform(.trash(path: bench.path("a.jpg")))
        #expect(result.failures.map(\.failure) == [.trashFails(code: code)])
        #expect(bench.text("a.jpg") == "picture" && bench.text("a.jpg.xmp") == "picture")
        bench.perform(.remove(path: bench.path("a.jpg")))
        #expect(bench.text("a.jpg") == nil && bench.text("a.jpg.xmp") == nil)
        let gone = bench.perform(.trash(path: bench.path("a.jpg")))
        #expect(gone.failures.map(\.failure) == [.system(code: ENOENT)])
        guard geteuid() != 0 else { return }
        chmod(bench.folder / "locked", 0o500)
        defer { chmod(bench.folder / "locked", 0o700) }
        let locked = bench.perform(.trash(path: bench.path("locked/b.jpg")))
        #expect(locked.failures.map(\.failure) == [.system(code: code)])
    }

    @Test("A file that comes back to a taken name gets another one")
    func restoreToTakenName() throws {
        let bench = ChangeBench()
        _ = bench.folder.file("a.jpg", "first")
        bench.perform(.trash(path: bench.path("a.jpg")))
        _ = bench.folder.file("a.jpg", "second")
        #expect(try bench.undo().get().path == bench.path("a (2).jpg"))
        #expect(bench.text("a.jpg") == "second" && bench.text("a (2).jpg") == "first")
    }

    @Test("A move never replaces a file; it picks another name if it may")
    func move() throws {
        let bench = ChangeBench()
        _ = bench.folder.file("a.jpg", "first")
        _ = bench.folder.file("b.jpg", "second")
        let (a, b) = (bench.path("a.jpg"), bench.path("b.jpg"))
        let refused = bench.perform(.move(from: a, to: b, picksName: false))
        #expect(refused.failures.first?.failure == .exists)
        let moved = bench.perform(.move(from: a, to: b, picksName: true))
        #expect(moved.done.first?.path == bench.path("b (2).jpg"))
        #expect(bench.text("b.jpg") == "second" && bench.text("b (2).jpg") == "first")
        _ = bench.undo()
        #expect(bench.names == ["a.jpg", "b.jpg"])
    }

    @Test("A copy keeps mode, times and attributes, and undo puts it into the trash")
    func copy() throws {
        let bench = ChangeBench()
        let source = bench.folder.file("a.jpg", "picture")
        chmod(source, 0o640)
        var times = [timespec(tv_sec: 1000, tv_nsec: 5), timespec(tv_sec: 2000, tv_nsec: 7)]
        utimensat(AT_FDCWD, source, &times, 0)
        let hasAttributes = setxattr(source, "user.test", "value", 5, 0) == 0
        bench.folder.folder("other")
        bench.perform(
            .copy(from: bench.path("a.jpg"), to: bench.path("other/a.jpg"), picksName: true))
        var info = stat()
        #expect(lstat(bench.folder / "other/a.jpg", &info) == 0)
        #expect(info.st_mode & 0o777 == 0o640)
        #expect(info.st_mtim.tv_sec == 2000 && info.st_mtim.tv_nsec == 7)
        var value = [UInt8](repeating: 0, count: 16)
        let length = getxattr(bench.folder / "other/a.jpg", "user.test", &value, 16)
        #expect(!hasAttributes || length == 5)
        #expect(try bench.undo().get().failures == 0)
        #expect(bench.text("other/a.jpg") == nil && bench.text("a.jpg") == "picture")
        #expect(try bench.undo(redo: true).get().failures == 0)
        #expect(bench.text("other/a.jpg") == "picture")
    }

    @Test("Replaced contents come back by undo, to the inode, and the new ones by redo")
    func replace() throws {
        let bench = ChangeBench()
        let source = bench.folder.file("a.jpg", "old")
        chmod(source, 0o604)
        let stamp = try #require(bench.stamp("a.jpg"))
        let action = FileAction.replace(
            path: bench.path("a.jpg"), expected: stamp, keepsTimes: true)
        #expect(bench.perform(action, contents: Array("new".utf8)).failures.isEmpty)
        #expect(bench.text("a.jpg") == "new" && bench.names == ["a.jpg"])
        let new = try #require(bench.stamp("a.jpg"))
        #expect(new.details.seconds == stamp.details.seconds && new.identity != stamp.identity)
        var info = stat()
        #expect(lstat(source, &info) == 0 && info.st_mode & 0o777 == 0o604)
        #expect(try bench.undo().get().failures == 0)
        #expect(bench.text("a.jpg") == "old" && bench.stamp("a.jpg") == stamp)
        #expect(try bench.undo(redo: true).get().failures == 0)
        #expect(bench.text("a.jpg") == "new" && bench.stamp("a.jpg") == new)
        #expect(bench.names == ["a.jpg"])
    }

    @Test("A file that somebody else has written is not replaced, and nothing is left")
    func changedMeanwhile() throws {
        let bench = ChangeBench()
        _ = bench.folder.file("a.jpg", "old")
        let stamp = try #require(bench.stamp("a.jpg"))
        _ = bench.folder.file("a.jpg", "other")
        let action = FileAction.replace(
            path: bench.path("a.jpg"), expected: stamp, keepsTimes: true)
        let result = bench.perform(action, contents: Array("new".utf8))
        #expect(result.failures.first?.failure == .changed)
        #expect(bench.text("a.jpg") == "other" && bench.names == ["a.jpg"])
    }

    @Test("A saved file takes a free name")
    func save() throws {
        let bench = ChangeBench()
        _ = bench.folder.file("a.jpg", "old")
        let action = FileAction.save(path: bench.path("a.jpg"), like: bench.path("a.jpg"))
        let result = bench.perform(action, contents: Array("new".utf8))
        #expect(result.done.first?.path == bench.path("a (2).jpg"))
        #expect(bench.text("a.jpg") == "old" && bench.text("a (2).jpg") == "new")
    }

    @Test("A later run undoes what an earlier one did")
    func acrossRuns() throws {
        let bench = ChangeBench()
        _ = bench.folder.file("a.jpg", "picture")
        bench.perform(.trash(path: bench.path("a.jpg")))
        let later = ChangeBench(journal: bench.folder / "changes")
        #expect(try later.undo().get().failures == 0)
        #expect(bench.text("a.jpg") == "picture")
    }

    @Test(
        "A viewer may end a batch after another one has undone it, or go on with it",
        arguments: [false, true])
    func lateEnd(goesOn: Bool) throws {
        let bench = ChangeBench()
        for name in ["a.jpg", "b.jpg", "c.jpg"] { _ = bench.folder.file(name, "picture") }
        bench.perform(.trash(path: bench.path("a.jpg")))
        let (socket, theirs) = try PacketSocket.pair()
        defer { close(socket) }
        let trash = FolderTrash(folder: bench.folder / "trash")
        Thread.start { ChangeService.run(theirs, trash: trash) }
        func send(_ request: ChangeRequest) -> ChangeReply? {
            guard PacketSocket.send(request.bytes, to: socket) else { return nil }
            guard waitUntilReady(socket, milliseconds: 10_000),
                case .message(let bytes, _) = PacketSocket.receive(
                    from: socket, limit: ChangeRequest.longest)
            else { return nil }
            return try? ChangeReply(bytes)
        }
        _ = send(.open(journal: bench.path("changes")))
        #expect(PacketSocket.send(ChangeRequest.begin(title: "Test").bytes, to: socket))
        _ = send(.perform(.trash(path: bench.path("b.jpg"))))
        #expect(bench.names == ["c.jpg"])
        _ = try bench.undo().get()
        #expect(bench.names == ["b.jpg", "c.jpg"])
        if goesOn {
            // The batch goes on, so that this step can be undone, too.
            _ = send(.perform(.trash(path: bench.path("c.jpg"))))
            #expect(bench.names == ["b.jpg"])
        }
        _ = send(.end)
        if goesOn {
            _ = try bench.undo().get()
            #expect(bench.names == ["b.jpg", "c.jpg"])
        }
        _ = try bench.undo().get()
        #expect(bench.names == ["a.jpg", "b.jpg", "c.jpg"])
    }

    @Test("Without a journal the same run undoes, and a later one what was written since")
    func withoutAJournal() throws {
        let place = TemporaryFolder()
        let obstacle = place.file("state", "not a folder")
        let bench = ChangeBench(journal: obstacle + "/changes")
        _ = bench.folder.file("a.jpg", "picture")
        bench.perform(.trash(path: bench.path("a.jpg")))
        #expect(bench.names == [])
        #expect(try bench.undo().get().failures == 0)
        #expect(bench.text("a.jpg") == "picture")
        bench.perform(
            .move(from: bench.path("a.jpg"), to: bench.path("b.jpg"), picksName: false))
        unlink(obstacle)
        bench.perform(
            .move(from: bench.path("b.jpg"), to: bench.path("c.jpg"), picksName: false))
        // The lines come in their order, those of the time before too.
        let later = ChangeBench(journal: obstacle + "/changes")
        for name in ["b.jpg", "a.jpg"] {
            #expect(try later.undo().get().failures == 0)
            #expect(bench.names == [name])
        }
        #expect(throws: ChangeFailure.self) { try later.undo().get() }
    }

    @Test("A journal that has grown in a long run is shortened, and the last change is undone")
    func longJournal() throws {
        let bench = ChangeBench()
        _ = bench.folder.file("a.jpg", "picture")
        // The state comes after the service has opened the journal.
        _ = bench.stamp("a.jpg")
        let line = String(repeating: "x", count: 1023) + "\n"
        _ = bench.folder.file("changes", String(repeating: line, count: 5 << 10))
        bench.perform(
            .move(from: bench.path("a.jpg"), to: bench.path("b.jpg"), picksName: false))
        // The state comes before the reply to another question.
        _ = bench.stamp("b.jpg")
        #expect(try #require(bench.text("changes")).utf8.count < 4 << 20)
        #expect(try bench.undo().get().failures == 0)
        #expect(bench.names == ["a.jpg"])
    }

    @Test("A journal that is too long to be read is left alone")
    func endlessJournal() throws {
        let folder = TemporaryFolder()
        let path = folder.file("changes", "")
        truncate(path, 65 << 20)
        let bench = ChangeBench(journal: path)
        _ = bench.folder.file("a.jpg", "picture")
        bench.perform(
            .move(from: bench.path("a.jpg"), to: bench.path("b.jpg"), picksName: false))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_size > 65 << 20)
    }

    @Test("What was undone before a new change is not redone, also by a later run")
    func redoAfterAChange() throws {
        let bench = ChangeBench()
        _ = bench.folder.file("a.jpg", "picture")
        bench.perform(.trash(path: bench.path("a.jpg")))
        _ = bench.undo()
        bench.perform(
            .move(from: bench.path("a.jpg"), to: bench.path("b.jpg"), picksName: false))
        // The state comes before the reply to another question.
        _ = bench.stamp("b.jpg")
        #expect(bench.client.redoTitle.isEmpty)
        _ = bench.undo()
        #expect(bench.names == ["a.jpg"])
        let later = ChangeBench(in: bench)
        #expect(try later.undo(redo: true).get().failures == 0)
        #expect(bench.names == ["b.jpg"])
        #expect(throws: ChangeFailure.self) { try later.undo(redo: true).get() }
    }

    @Test("A reply to something else fails the job, which is not sent again")
    func wrongReply() throws {
        var requests = 0
        var ends: [Int32] = []
        let client = ChangeClient(journal: []) {
            guard let (ours, theirs) = try? PacketSocket.pair() else { return -1 }
            ends.append(theirs)
            _ = PacketSocket.send(ChangeReply.marks([]).bytes, to: theirs)
            requests += 1
            return ours
        }
        defer { for end in ends { close(end) } }
        var result: ChangeClient.Result?
        client.perform("Test", [.init(.remove(path: Array("/a".utf8)))]) { result = $0 }
        client.handleReadable()
        #expect(result?.failures.map(\.failure) == [.interrupted])
        #expect(requests == 1 && !client.isBusy)
    }

    @Test("Marks make a sidecar, change it, and undo takes it away")
    func marks() throws {
        let bench = ChangeBench()
        _ = bench.folder.file("a.jpg", "picture")
        let path = bench.path("a.jpg")
        func marks() -> [SidecarMark]? {
            var read: [SidecarMark]?
            bench.client.readMarks(of: [path]) { read = $0 }
            bench.wait()
            return read
        }
        bench.perform(.mark(path: path, .rating(4)))
        #expect(marks() == [SidecarMark(rating: 4)])
        // Each of the two marks stays when the other one changes, also for a client that has read neither.
        bench.perform(.mark(path: path, .favourite(true)))
        #expect(marks() == [SidecarMark(isFavourite: true, rating: 4)])
        bench.perform(.mark(path: path, .favourite(true)))
        _ = bench.undo()
        #expect(marks() == [SidecarMark(rating: 4)])
        _ = bench.undo()
        #expect(bench.names == ["a.jpg"])
        // None at all is a mark, too: the file may have stars.
        bench.perform(.mark(path: path, .favourite(false)))
        #expect(bench.names == ["a.jpg"])
        bench.perform(.mark(path: path, .rating(0)))
        #expect(marks() == [SidecarMark(rating: 0)])
    }

    @Test("A folder that cannot be written is a message, and nothing changes")
    func readOnlyFolder() throws {
        guard geteuid() != 0 else { return }
        let bench = ChangeBench()
        bench.folder.folder("locked")
        _ = bench.folder.file("locked/a.jpg", "old")
        let stamp = try #require(bench.stamp("locked/a.jpg"))
        chmod(bench.folder / "locked", 0o555)
        defer { chmod(bench.folder / "locked", 0o755) }
        let action = FileAction.replace(
            path: bench.path("locked/a.jpg"), expected: stamp, keepsTimes: true)
        let result = bench.perform(action, contents: Array("new".utf8))
        #expect(result.failures.first?.failure == .system(code: EACCES))
        #expect(bench.text("locked/a.jpg") == "old")
    }
}
