import Glibc

/// A temporary folder that is deleted on deinitialization.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        var template = Array("/tmp/vitrine-test-XXXXXX".utf8CString)
        precondition(mkdtemp(&template) != nil, "cannot create a temporary folder")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The user of the compositor tests must be able to enter the folder.
        chmod(path, 0o755)
    }

    deinit {
        _ = ChildProcess.run(["/bin/rm", "-rf", path])
    }

    /// Writes a file and returns its path.
    package func file(_ name: String, _ bytes: [UInt8]) -> String {
        TestFile.write(bytes, to: self / name)
        return self / name
    }

    /// Creates a subfolder.
    package func folder(_ name: String) { mkdir(path + "/" + name, 0o755) }

    package func file(_ name: String, _ text: String) -> String { file(name, Array(text.utf8)) }

    package static func / (folder: TemporaryFolder, name: String) -> String {
        folder.path + "/" + name
    }
}
