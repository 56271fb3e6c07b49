/// The sandbox measures that a decoder applies before it reads any input, in this order.
package enum SandboxMeasure: UInt8, CaseIterable, Hashable, Sendable {
    /// Limits on memory, file size, processor time, descriptors and threads (setrlimit(2)).
    case limits = 1
    /// An executed program gains no privileges (PR_SET_NO_NEW_PRIVS).
    case noNewPrivileges
    /// Own user, network and IPC namespaces (unshare(2)).
    case namespaces
    /// No capabilities, not even in the own namespaces (capset(2)).
    case noCapabilities
    /// No core files, and no other process of the user can read its memory (PR_SET_DUMPABLE).
    case noDumps
    /// Landlock: only libraries and fonts can be opened, for reading.
    case files
    /// seccomp: a system call that the decoder does not need ends the process.
    case calls

    /// The measure's name in messages.
    package var name: String {
        switch self {
        case .limits: "limits"
        case .noNewPrivileges: "no new privileges"
        case .namespaces: "namespaces"
        case .noCapabilities: "no capabilities"
        case .noDumps: "no dumps"
        case .files: "Landlock"
        case .calls: "seccomp"
        }
    }
}

/// The state of each sandbox measure.
package struct SandboxReport: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// Active; `version` is the version of the kernel interface, 0 if it has no versions.
        case inForce(version: Int)
        /// The kernel refused the measure or lacks it; `code` is the error number.
        case refused(code: Int)
        /// Not requested; tests leave out single measures.
        case notRequested
    }

    private var states: [SandboxMeasure: State] = [:]

    package init() {}

    package subscript(measure: SandboxMeasure) -> State {
        get { states[measure] ?? .notRequested }
        set { states[measure] = newValue == .notRequested ? nil : newValue }
    }
}

extension SandboxReport {
    /// Upper bound of an error number and of an interface version.
    private static let detailLimit = 4095

    func write(to writer: inout WireWriter) {
        for measure in SandboxMeasure.allCases {
            let (kind, detail): (UInt8, Int) =
                switch self[measure] {
                case .inForce(let version): (1, version)
                case .refused(let code): (2, code)
                case .notRequested: (3, 0)
                }
            writer.add(measure.rawValue)
            writer.add(kind)
            writer.add(UInt64(min(max(0, detail), Self.detailLimit)))
        }
    }

    /// Parses every measure exactly once, in order.
    init(from reader: inout WireReader) throws(WireError) {
        for measure in SandboxMeasure.allCases {
            guard try reader.number(UInt8.self) == measure.rawValue else { throw WireError() }
            let kind = try reader.number(UInt8.self)
            let detail = try reader.number(0...Self.detailLimit)
            switch kind {
            case 1: self[measure] = .inForce(version: detail)
            case 2 where detail > 0: self[measure] = .refused(code: detail)
            case 3 where detail == 0: self[measure] = .notRequested
            default: throw WireError()
            }
        }
    }
}
