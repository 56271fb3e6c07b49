import Glibc

/// A folder of a test's own, gone with the test.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        var template = Array("/tmp/vitrine-test-XXXXXX".utf8CString)
        precondition(mkdtemp(&template) != nil, "no folder for the test")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // A compositor's test user passes through.
        chmod(path, 0o755)
    }

    deinit {
        _ = ChildProcess.run(["/bin/rm", "-rf", path])
    }

    /// Writes a file and gives its path.
    package func file(_ name: String, _ bytes: [UInt8]) -> String {
        TestFile.write(bytes, to: self / name)
        return self / name
    }

    /// Makes a folder in it.
    package func folder(_ name: String) { mkdir(path + "/" + name, 0o755) }

    package func file(_ name: String, _ text: String) -> String { file(name, Array(text.utf8)) }

    package static func / (folder: TemporaryFolder, name: String) -> String {
        folder.path + "/" + name
    }
}
