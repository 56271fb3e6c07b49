import Browser
import Folders
import Geometry
import Glibc
import Input
import Motion
import TestKit
import Testing

@testable import Application
@testable import Viewer

/// What is remembered of a slideshow, and the small parts around it.
@Suite struct SlideshowMemoryTests {
    private static var memory: SlideshowMemory {
        var progress = SlideProgress(seed: .max)
        (progress.round, progress.rank, progress.last) = (3, 0x1234, 7)
        progress.early = [1: 2, .max: 0]
        progress.extras = [5: [0, 9], 6: [.max]]
        var memory = SlideshowMemory()
        (memory.place, memory.progress) = (0xabc, progress)
        return memory
    }

    @Test func whatIsWrittenIsRead() throws {
        let bytes = try #require(Self.memory.bytes)
        #expect(SlideshowMemory(bytes) == Self.memory)
        var place = SlideshowMemory()
        #expect(place.bytes == nil)
        place.place = 1
        #expect(
            place.bytes.map { String(decoding: $0, as: UTF8.self) } == "place 0000000000000001\n")
        #expect(try SlideshowMemory(#require(place.bytes)) == place)
    }

    /// Every damaged copy is refused or another value; none is a trap.
    @Test func damagedFilesAreIgnored() throws {
        let bytes = try #require(Self.memory.bytes)
        for count in 0..<bytes.count { _ = SlideshowMemory(Array(bytes.prefix(count))) }
        for index in bytes.indices {
            for byte in [0, 0x20, 0x30, 0x0A, 0x7A, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[index] = byte
                _ = SlideshowMemory(damaged)
            }
        }
        for text in [
            "", "\n", "place", "place 1", "place 000000000000000g", "place 000000000000000A",
            "place 0000000000000001 0000000000000001",
            "place 0000000000000001\nplace 0000000000000001",
            "early 0000000000000001 0000000000000001", "extra 0000000000000001",
            "place 0000000000000001\nmore 0000000000000001", "place ٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠١",
        ] { #expect(SlideshowMemory(Array(text.utf8)) == nil, "\(text)") }
        let line = "early 0000000000000001 0000000000000001\n"
        #expect(SlideshowMemory(bytes + Array(String(repeating: line, count: 5000).utf8)) == nil)
    }

    /// The file is bounded however many exceptions there are.
    @Test func exceptionsAreBounded() throws {
        var memory = Self.memory
        for key in 0..<5000 as Range<UInt64> {
            memory.progress?.early[key] = key
            memory.progress?.extras[key] = Array(repeating: key, count: 50)
        }
        let bytes = try #require(memory.bytes)
        #expect(bytes.count < SlideshowMemory.longest)
        let read = try #require(SlideshowMemory(bytes))
        #expect(read.progress?.early.count == 128 && read.progress?.extras.count == 128)
    }

    // MARK: Files

    /// The oldest files are removed, so that the folder does not grow.
    @Test func theFolderIsBounded() throws {
        let folder = TemporaryFolder()
        for number in 0..<40 {
            let path = folder.file("\(number)", "x")
            var times = [
                timespec(tv_sec: number, tv_nsec: 0), timespec(tv_sec: number, tv_nsec: 0),
            ]
            utimensat(AT_FDCWD, path, &times, 0)
        }
        let file = StateFile("new", in: FilePath(folder.path))
        try file.write([0x41])
        file.removeOldest(keeping: 32)
        let names = Set(ChildProcess.run(["ls", folder.path]).output.split(separator: "\n"))
        #expect(names == Set((9..<40).map { "\($0)" } + ["new"]))
    }

    @Test func workOnTheDiskKeepsItsOrderAndIsWaitedFor() {
        let folder = TemporaryFolder()
        let path = folder / "file"
        let disk = DiskWork()
        for number in 0..<10 {
            disk.add {
                usleep(2000)
                TestFile.write(Array("\(number)".utf8), to: path)
            }
        }
        disk.finish()
        #expect(TestFile.text(path) == "9" && !disk.isBusy)
        disk.add { TestFile.write([0x41], to: path) }
        disk.finish()
        #expect(TestFile.text(path) == "A")
    }

    // MARK: Keys

    @Test func theSamePathHasTheSameKey() {
        #expect(
            PathKey([FilePath("/a"), FilePath("/b")]).value
                != PathKey([FilePath("/b"), FilePath("/a")]).value)
        #expect(
            PathKey([FilePath("/a/b")]).value != PathKey([FilePath("/a"), FilePath("b")]).value)
        guard let working = getcwd(nil, 0) else { return }
        defer { free(working) }
        let folder = String(cString: working)
        #expect(PathKey([FilePath("x/y")]).value == PathKey([FilePath(folder + "/x/y")]).value)
    }

    // MARK: Pointer and clock

    private func moment(_ seconds: Double) -> Moment { Moment(milliseconds: seconds * 1000) }

    @Test func aPointerIsHiddenThreeSecondsAfterItsLastMove() {
        var pointer = IdlePointer()
        #expect(pointer.deadline(hides: true) == nil)
        pointer.handle(.move(to: .zero), at: moment(1))
        #expect(pointer.deadline(hides: true) == moment(4))
        #expect(pointer.deadline(hides: false) == nil)
        pointer.advance(to: moment(3.9), hides: true)
        #expect(!pointer.isHidden)
        pointer.advance(to: moment(4), hides: true)
        #expect(pointer.isHidden && pointer.deadline(hides: true) == nil)
        pointer.handle(.button(.left, isDown: true), at: moment(9))
        #expect(!pointer.isHidden && pointer.deadline(hides: true) == moment(12))
        pointer.advance(to: moment(12), hides: true)
        pointer.advance(to: moment(13), hides: false)
        #expect(!pointer.isHidden)
        pointer.handle(.leave, at: moment(14))
        #expect(pointer.deadline(hides: true) == nil)
    }
}
