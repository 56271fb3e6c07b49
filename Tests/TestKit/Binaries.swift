import Glibc

/// The programs under test.
package enum Binaries {
    /// The package's folder.
    package static let package: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(3)
        return parts.joined(separator: "/")
    }()

    /// The viewer as it is released, else the debug build; VITRINE_BINARY names another one.
    package static var vitrine: String {
        if let path = getenv("VITRINE_BINARY") { return String(cString: path) }
        let release = package + "/.build/release/vitrine"
        return access(release, X_OK) == 0 ? release : package + "/.build/debug/vitrine"
    }

    package static var decoder: String { vitrine + "-decode" }

    /// Runs the viewer to its end.
    package static func vitrine(
        _ arguments: [String], input: [UInt8]? = nil, environment: [String]? = nil,
        seconds: Double = 60
    ) -> ChildProcess {
        ChildProcess.run(
            [vitrine] + arguments, input: input, environment: environment, seconds: seconds)
    }
}
