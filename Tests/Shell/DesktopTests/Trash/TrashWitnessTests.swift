import TestKit
import Testing

/// The trash as gvfs sees it: the file manager of the desktop lists and restores what was deleted.
@Suite struct TrashWitnessTests {
    private let folder = TemporaryFolder()

    init() { for name in ["home", "data", "run"] { folder.folder(name) } }

    /// Runs a script on a session bus of its own, which starts gvfs; returns its output if it succeeds.
    private func run(_ script: String) -> String {
        // gvfs keeps descriptors for longer than the script runs, which a pipe would wait for.
        let done = ChildProcess.run(
            [
                "/bin/sh", "-c",
                "cd \"$0\" && exec dbus-run-session -- sh -euc \"$1\" >output 2>&1", folder.path,
                script,
            ],
            environment: [
                "PATH=/usr/bin:/bin", "HOME=" + (folder / "home"),
                "XDG_DATA_HOME=" + (folder / "data"), "XDG_RUNTIME_DIR=" + (folder / "run"),
                "LC_ALL=C.UTF-8",
            ])
        let output = TestFile.text(folder / "output") ?? ""
        #expect(done.status == 0, "\(output)")
        return output
    }

    @Test func aDeletedFileIsListedAndRestoredByGvfs() {
        let path = folder.file("a.jpg", "old contents")
        let listed = run(
            """
            '\(Binaries.changingProgram)' trash '\(folder.path)'
            test ! -e '\(path)'
            gio trash --list
            """)
        #expect(listed.contains("trash:///a.jpg\t\(path)\n"), "\(listed)")
        let left = run("gio trash --restore trash:///a.jpg && gio trash --list")
        #expect(!left.contains("trash:///a.jpg\t"), "\(left)")
        #expect(TestFile.text(path) == "old contents")
    }
}
