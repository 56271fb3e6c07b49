import Glibc

/// The programs under test.
package enum Binaries {
    /// The package's folder.
    package static let package: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(4)
        return parts.joined(separator: "/")
    }()

    /// The viewer as it is released, else the debug build; VITRINE_BINARY names another one.
    package static var vitrine: String {
        if let path = getenv("VITRINE_BINARY") { return String(cString: path) }
        let release = package + "/.build/release/vitrine"
        return access(release, X_OK) == 0 ? release : package + "/.build/debug/vitrine"
    }

    package static var decoder: String { vitrine + "-decode" }

    /// A copy, in a folder, of the decoder that misbehaves; its name says how, or the file that it is
    /// given.
    package static func hostileDecoder(_ name: String, in folder: TemporaryFolder) -> String {
        let program = package + "/.build/debug/HostileDecoder"
        // A copy and no link, since a process is known by the file it runs.
        _ = ChildProcess.run(["/bin/cp", program, folder / name])
        return folder / name
    }

    /// Runs the viewer to its end.
    package static func vitrine(
        _ arguments: [String], input: [UInt8]? = nil, environment: [String]? = nil,
        seconds: Double = 60
    ) -> ChildProcess {
        ChildProcess.run(
            [vitrine] + arguments, input: input, environment: environment, seconds: seconds)
    }
}
