import TestKit
import Testing

@testable import Application

/// The man pages, as roff reads their requests.
@Suite struct ManualTests {
    /// Whether each quotation mark begins an argument after a space, or ends one before a space or the
    /// end of the line.
    private func isQuoted(_ line: Substring) -> Bool {
        let parts: [Substring] = line.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return true }
        guard parts.count % 2 == 1 else { return false }
        for index in stride(from: 0, to: parts.count, by: 2) {
            let part: Substring = parts[index]
            let isFirst = index == 0
            let isLast = index == parts.count - 1
            let isBegun = isFirst || isLast && part.isEmpty || part.hasPrefix(" ")
            let isEnded = isLast || part.hasSuffix(" ")
            guard isBegun && isEnded else { return false }
        }
        return true
    }

    private func badRequests(_ page: String) -> [Substring] {
        page.split(separator: "\n").filter { line in
            line.hasPrefix(".") && !line.hasPrefix(".\\\"") && !isQuoted(line)
        }
    }

    @Test func marksInsideArgumentsAreFound() {
        #expect(badRequests(".BR \"keys.COMMAND \" \"([\"KEY\", …])\"\n").count == 1)
        #expect(badRequests(".B \"one\n").count == 1)
        #expect(badRequests(".RI [ \"\\-\\-pid PID\" | \"a\" ]\n.B \"Left\"\n.PP\n").isEmpty)
    }

    @Test func argumentsOfThePagesAreQuoted() throws {
        #expect(badRequests(InstalledDocuments.manualSections).isEmpty)
        for name in ["vitrine", "vitrine-mqtt", "vitrine-thumbnailer"] {
            let path = Binaries.package + "/Sources/Distribution/\(name).1"
            let page = String(decoding: try #require(TestFile.read(path)), as: UTF8.self)
            #expect(badRequests(page).isEmpty, "\(name)")
        }
    }

    @Test func marksOfSettingsAreEscaped() {
        let sections = InstalledDocuments.manualSections
        #expect(sections.contains("\"([\\(dqPROGRAM\\(dq, \\(dqARGUMENT\\(dq, …])\""))
        #expect(sections.contains("\"([\\(dqKEY\\(dq, …])\""))
    }
}
