import Glibc
import SystemCalls
import TestKit
import Testing

@Suite struct FileReplacementTests {
    private let folder = TemporaryFolder()
    private var path: String { folder / "file" }

    private func write(
        _ bytes: [UInt8], to path: String, isSynced: Bool = false
    ) throws(SystemError) {
        try FileReplacement.write(bytes, to: Array(path.utf8), isSynced: isSynced)
    }

    /// The names in a folder.
    private func names(in path: String) -> [String] {
        ChildProcess.run(["/bin/ls", "-A", path]).output.split(separator: "\n").map(String.init)
    }

    private func mode(_ path: String) -> mode_t? {
        var info = stat()
        return lstat(path, &info) == 0 ? info.st_mode & 0o7777 : nil
    }

    @Test(arguments: [false, true])
    func theFileHasTheContentsAndIsPrivate(_ isSynced: Bool) throws {
        try write(Array("new".utf8), to: path, isSynced: isSynced)
        #expect(TestFile.text(path) == "new")
        #expect(mode(path) == 0o600)
        #expect(names(in: folder.path) == ["file"])
    }

    @Test(arguments: [false, true])
    func anExistingFileIsReplaced(_ isSynced: Bool) throws {
        _ = folder.file("file", "the old contents, which are longer")
        let reader = try reporting { open(path, O_RDONLY | O_CLOEXEC) }
        defer { close(reader) }
        try write(Array("new".utf8), to: path, isSynced: isSynced)
        #expect(TestFile.text(path) == "new")
        // Whoever has the old file open keeps its contents.
        #expect(firstBytes(of: reader, limit: 7) == Array("the old".utf8))
        #expect(names(in: folder.path) == ["file"])
    }

    @Test func aLinkIsReplacedAndItsTargetStays() throws {
        let target = folder.file("target", "old")
        symlink(target, path)
        try write(Array("new".utf8), to: path)
        #expect(TestFile.text(target) == "old")
        #expect(TestFile.text(path) == "new")
        #expect(mode(path) == 0o600)
    }

    /// The temporary file has a name that is possible, too.
    @Test(arguments: [1, 135, 136, 143, 248, 249, 255], ["a", "ü", "猫"])
    func longNames(count: Int, letter: String) throws {
        let name = String(
            String(repeating: "x", count: count % letter.utf8.count)
                + String(repeating: letter, count: count / letter.utf8.count))
        try write([1], to: folder / name)
        #expect(names(in: folder.path) == [name])
        for path in ["/folder/" + name, name] {
            let pattern = FileReplacement.temporaryName(beside: Array(path.utf8))
            let text = try #require(
                String(validating: pattern.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
            #expect(pattern.last == 0 && text.hasSuffix(".XXXXXX"))
            #expect(path.hasPrefix(text.dropLast(7)))
            #expect((text.split(separator: "/").last?.utf8.count ?? 0) <= 143)
        }
    }

    @Test func namesNeedNotBeUTF8() throws {
        let name = Array(folder.path.utf8) + [0x2F, 0xFF, 0xFE]
        try FileReplacement.write([1], to: name, isSynced: false)
        let descriptor = try reporting { name.withPathString { open($0, O_RDONLY | O_CLOEXEC) } }
        defer { close(descriptor) }
        #expect(firstBytes(of: descriptor, limit: 9) == [1])
    }

    // MARK: Failures

    @Test func aMissingFolderIsReported() {
        #expect(throws: SystemError(code: ENOENT)) { try write([1], to: folder / "none/file") }
        _ = folder.file("file", "")
        #expect(throws: SystemError(code: ENOTDIR)) { try write([1], to: path + "/below") }
    }

    @Test func aFolderIsNotReplaced() {
        folder.folder("file")
        #expect(throws: SystemError(code: EISDIR)) { try write([1], to: path) }
        #expect(names(in: folder.path) == ["file"])
    }

    @Test func aNameThatIsTooLongIsReported() {
        let long = folder / String(repeating: "x", count: 256)
        #expect(throws: SystemError(code: ENAMETOOLONG)) { try write([1], to: long) }
        #expect(names(in: folder.path).isEmpty)
    }

    /// Calls `body` with a small file system in memory; skipped where the test may not mount one.
    private func withSmallDisk(_ body: (String) throws -> Void) rethrows {
        let disk = folder / "disk"
        mkdir(disk, 0o700)
        guard mount("none", disk, "tmpfs", 0, "size=16k") == 0 else { return }
        defer { umount(disk) }
        try body(disk)
    }

    @Test(arguments: [false, true])
    func aFullDiskLeavesTheOldFile(_ isSynced: Bool) throws {
        try withSmallDisk { disk in
            try write(Array("old".utf8), to: disk + "/file")
            let large = [UInt8](repeating: 7, count: 1 << 20)
            #expect(throws: SystemError(code: ENOSPC)) {
                try write(large, to: disk + "/file", isSynced: isSynced)
            }
            #expect(TestFile.text(disk + "/file") == "old")
            #expect(names(in: disk) == ["file"])
            try write(Array("new".utf8), to: disk + "/file", isSynced: isSynced)
            #expect(TestFile.text(disk + "/file") == "new")
        }
    }

    @Test func aReadOnlyDiskLeavesTheOldFile() throws {
        try withSmallDisk { disk in
            try write(Array("old".utf8), to: disk + "/file")
            try reporting {
                mount("none", disk, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil)
            }
            #expect(throws: SystemError(code: EROFS)) { try write([1], to: disk + "/file") }
            #expect(TestFile.text(disk + "/file") == "old")
            #expect(names(in: disk) == ["file"])
        }
    }

    // MARK: Folders

    @Test func foldersAreMadeForTheUserOnly() {
        FileReplacement.makeFolders(Array((folder / "a/b//c/").utf8))
        for name in ["a", "a/b", "a/b/c"] { #expect(mode(folder / name) == 0o700) }
    }

    @Test func foldersThatExistKeepTheirMode() {
        folder.folder("a")
        FileReplacement.makeFolders(Array((folder / "a/b").utf8))
        FileReplacement.makeFolders(Array((folder / "a").utf8))
        #expect(mode(folder / "a") == 0o755)
        #expect(mode(folder / "a/b") == 0o700)
    }

    @Test func foldersThatCannotBeMadeAreLeftOut() {
        _ = folder.file("file", "")
        FileReplacement.makeFolders(Array((path + "/below/below").utf8))
        FileReplacement.makeFolders([])
        FileReplacement.makeFolders(Array("/".utf8))
        FileReplacement.makeFolders(Array((folder / String(repeating: "x", count: 9999)).utf8))
        #expect(names(in: folder.path) == ["file"])
    }
}
