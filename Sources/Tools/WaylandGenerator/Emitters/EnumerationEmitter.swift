/// Writes an enumeration as an open type.
///
/// Unknown values are kept, since a compositor may be newer than this build.
struct EnumerationEmitter {
    let enumeration: Enumeration

    func emit(into text: inout SourceText) {
        let name = Naming.enumeration(enumeration.name)
        let conformance =
            enumeration.isBitfield ? "OptionSet, Hashable" : "RawRepresentable, Hashable"
        text.comment(enumeration.summary)
        text.block("package struct \(name): \(conformance), Sendable") { text in
            text.line("package let rawValue: UInt32")
            text.line("package init(rawValue: UInt32) { self.rawValue = rawValue }")
            for entry in enumeration.entries {
                // The empty option set is written [], not as a member.
                if enumeration.isBitfield, entry.value == 0 { continue }
                text.comment(entry.summary, since: entry.since)
                let member = Naming.member(entry.name)
                text.line("package static let \(member) = Self(rawValue: \(entry.value))")
            }
        }
    }
}
