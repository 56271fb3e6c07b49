import Glibc

/// What this system lets decoders do for their sandbox.
///
/// A chroot and many containers refuse namespaces. `meson-helpers/test` finds that out, and sets
/// VITRINE_PARTIAL_SANDBOX: tests of the sandbox and tests that mount file systems are skipped then, and all
/// others pass.
package enum SandboxSupport {
    /// Whether all measures of the sandbox can be in force.
    package static let isWhole = getenv("VITRINE_PARTIAL_SANDBOX") == nil

    /// Why tests of the sandbox, and tests that mount file systems in namespaces of their own, are skipped.
    package static let obstacle = "this system refuses namespaces or an empty root"

    /// The measures that a refusal of user namespaces takes away, by their names in messages.
    private static let refusable = ["namespaces", "PID namespace", "empty root"]

    /// The error output of a viewer without the line that names the refused measures, in any language.
    package static func withoutNotice(_ errors: String) -> String {
        guard !isWhole else { return errors }
        let lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.filter { line in
            !refusable.contains { line.contains("\($0): no (") }
        }.joined(separator: "\n")
    }
}
