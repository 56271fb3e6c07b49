import CompositorKit
import TestKit
import Testing

extension LiveTests {
    /// The examples of the documentation of the control socket.
    @Suite struct DocumentedMessageTests {
        private struct Example {
            var request: String
            var reply: String
        }

        /// The examples, in which `folder` stands for the folder of the pictures.
        private static func examples(_ folder: String) -> [Example] {
            let path = Binaries.package + "/Sources/Documentation/control.md"
            var examples: [Example] = []
            for line in (TestFile.text(path) ?? "").split(separator: "\n") {
                let text = String(line.drop { $0 == " " }.dropFirst(2)).replacing(
                    "/home/ann", with: folder)
                if line.hasPrefix("    → ") { examples.append(Example(request: text, reply: "")) }
                if line.hasPrefix("    ← ") { examples[examples.count - 1].reply = text }
            }
            return examples
        }

        /// Whether a text has the parts of a pattern between `…`, in this order.
        private static func matches(_ text: String, _ pattern: String) -> Bool {
            let parts = pattern.split(separator: "…", omittingEmptySubsequences: false)
            guard parts.count > 1 else { return text == pattern }
            guard text.hasPrefix(parts[0]), text.hasSuffix(parts[parts.count - 1]) else {
                return false
            }
            var rest = text.dropFirst(parts[0].count)
            for part in parts.dropFirst().dropLast() where !part.isEmpty {
                guard let range = rest.firstRange(of: part) else { return false }
                rest = rest[range.upperBound...]
            }
            return rest.count >= parts[parts.count - 1].count
        }

        @Test func everyExampleIsTrue() throws {
            let stage = try Stage.shown(
                in: .program, pictures: [Stage.small, Stage.small, Stage.small])
            let examples = Self.examples(stage.folder.path)
            #expect(examples.count >= 40)
            let peer = try MessagePeer(stage)
            for example in examples {
                let reply = try #require(peer.ask(example.request), "\(example.request)")
                #expect(
                    Self.matches(reply, example.reply),
                    "\(example.request)\n\(reply)\n\(example.reply)")
                if !example.request.contains("quit") { stage.untilSeen() }
            }
            #expect(stage.untilEnded() == 0)
            #expect(stage.errors == "")
        }

        @Test func everyCommandHasAnExample() {
            let requests = Self.examples("").map(\.request)
            let help = Binaries.vitrine(["msg", "--help"]).output
            let commands = help.split(separator: "\n").filter {
                $0.hasPrefix("  ") && !$0.hasPrefix("   ")
            }.compactMap { $0.split(separator: " ").first }
            #expect(commands.count > 20)
            for command in commands {
                #expect(requests.contains { $0.contains("\"command\":\"\(command)\"") })
            }
        }
    }
}
