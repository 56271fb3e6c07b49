import Folders
import Glibc
import TestKit
import Testing

@testable import Desktop

/// Where `insideAMount` finds its folders; the outer test sets it.
private let variable = "VITRINE_TRASH_TEST"

/// The trash of a file system of its own, which bindfs mounts in a mount namespace.
@Suite struct TrashMountTests {
    /// Runs the tests below in namespaces in which this process may mount.
    @Test(
        .enabled(if: getenv(variable) == nil),
        .enabled(if: SandboxSupport.isWhole, "\(SandboxSupport.obstacle)"))
    func otherFileSystems() throws {
        let folder = TemporaryFolder()
        for name in ["home", "below", "mount"] { folder.folder(name) }
        let script = """
            bindfs -o "fsname=test" "$1/below" "$1/mount" || exit 77
            HOME=$1/home XDG_DATA_HOME=$1/home/data DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent \
            \(variable)=$1/mount "$2" --testing-library swift-testing --filter insideAMount \
            && test -e "$1/below/inside"
            """
        let result = ChildProcess.run([
            "unshare", "-rm", "sh", "-c", script, "sh", folder.path, CommandLine.arguments[0],
        ])
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }

    private var mount: FilePath { FilePath(String(cString: getenv(variable))) }

    private func file(_ name: String, _ text: String = "pixels") -> FilePath {
        let path = mount.appending(Array(name.utf8))
        TestFile.write(Array(text.utf8), to: path.description)
        return path
    }

    private func move(_ path: FilePath) throws -> TrashEntry {
        let entry = try #require(try Trash.move(path))
        #expect(FileStatus.withoutLinks(path) == nil)
        #expect(TestFile.text(entry.file.description) == "pixels")
        #expect(Trash.originalPath(entry) == path)
        return entry
    }

    /// The cases share a mount, so that they run in their order.
    @Test(.enabled(if: getenv(variable) != nil)) func insideAMount() throws {
        let user = Array("\(getuid())".utf8)
        let own = mount.appending(Array(".Trash-".utf8) + user)
        let shared = mount.appending(Array(".Trash".utf8))

        // No trash folder yet.
        let path = file("a b.png")
        let entry = try move(path)
        #expect(entry.folder == own)
        // The path in the text is relative to the mount.
        #expect(TestFile.text(entry.info.description)?.contains("Path=a%20b.png") == true)
        let other = mount.appending(Array("sub/c.png".utf8))
        try Trash.setOriginalPath(other, of: entry)
        #expect(TestFile.text(entry.info.description)?.contains("Path=sub/c.png") == true)
        #expect(Trash.originalPath(entry) == other)
        rename(entry.file.description, path.description)
        unlink(entry.info.description)

        // A shared trash that is a link is refused.
        symlink("/tmp", shared.description)
        #expect(try move(path).folder == own)
        unlink(shared.description)
        // One without the sticky bit, too.
        mkdir(shared.description, 0o777)
        #expect(try move(file("d.png")).folder == own)
        // With it, it comes first.
        chmod(shared.description, 0o1777)
        let common = try move(file("e.png"))
        #expect(common.folder == shared.appending(user))
        _ = file("inside")
    }
}
