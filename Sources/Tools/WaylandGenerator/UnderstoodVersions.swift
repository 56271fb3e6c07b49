/// The newest versions of the interfaces of one description that the code understands.
///
/// A newer description has messages that no code handles, so the bindings end at these versions, and
/// no object is bound in a newer version.
struct UnderstoodVersions: Equatable {
    /// 0 leaves all other interfaces out: those of a newer description may refer to unknown ones.
    var general: Int
    /// Those that differ from `general`, by the names of the interfaces.
    var particular: [String: Int] = [:]

    /// The fields of a line of the manifest: a version, then `INTERFACE=VERSION`; nil for anything
    /// else.
    init?(_ fields: some Collection<String>) {
        guard let general = fields.first.flatMap({ $0 == "0" ? 0 : Self.version($0) }) else {
            return nil
        }
        self.general = general
        for field in fields.dropFirst() {
            let parts = field.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, let version = Self.version(parts[1])
            else { return nil }
            particular[String(parts[0])] = version
        }
    }

    private static func version(_ text: some StringProtocol) -> Int? {
        Int(text).flatMap { $0 > 0 ? $0 : nil }
    }

    subscript(interface: String) -> Int { particular[interface] ?? general }

    /// The interfaces without what is newer than the code.
    func limiting(_ interfaces: [Interface]) -> [Interface] {
        interfaces.filter { self[$0.name] > 0 }.map { $0.limited(to: self[$0.name]) }
    }
}

extension Interface {
    /// The interface as a description of that version has the interface, or the whole interface if
    /// its own version is lower.
    fileprivate func limited(to version: Int) -> Interface {
        var limited = self
        limited.version = min(self.version, version)
        limited.requests.removeAll { $0.since > version }
        limited.events.removeAll { $0.since > version }
        for index in enumerations.indices {
            limited.enumerations[index].entries.removeAll { $0.since > version }
        }
        return limited
    }
}
