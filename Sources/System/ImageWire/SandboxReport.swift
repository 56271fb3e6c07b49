/// What a decoder does to itself before it takes any input, in this order.
package enum SandboxMeasure: UInt8, CaseIterable, Hashable, Sendable {
    /// Bounds on memory, files, processor time, descriptors and threads (setrlimit(2)).
    case limits = 1
    /// No program that it might execute would gain anything (PR_SET_NO_NEW_PRIVS).
    case noNewPrivileges
    /// User, network and IPC namespaces of its own (unshare(2)).
    case namespaces
    /// No capabilities, also none over its own namespaces (capset(2)).
    case noCapabilities
    /// No core files, and no process of the user can look into it (PR_SET_DUMPABLE).
    case noDumps
    /// Landlock: no files but the libraries', for reading.
    case files
    /// seccomp: any system call that it does not need ends it.
    case calls

    /// Its name for a person.
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

/// What became of the measures.
package struct SandboxReport: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// In force; in the kernel's version of it, 0 where there are none.
        case inForce(version: Int)
        /// The kernel refused it or does not have it, with this errno.
        case refused(code: Int)
        /// Nobody asked for it: tests do without one.
        case leftOut
    }

    private var states: [SandboxMeasure: State] = [:]

    package init() {}

    package subscript(measure: SandboxMeasure) -> State {
        get { states[measure] ?? .leftOut }
        set { states[measure] = newValue == .leftOut ? nil : newValue }
    }
}

extension SandboxReport {
    /// As large as an errno, or the version of an interface, can be.
    private static let detailLimit = 4095

    func write(to writer: inout WireWriter) {
        for measure in SandboxMeasure.allCases {
            let (kind, detail): (UInt8, Int) =
                switch self[measure] {
                case .inForce(let version): (1, version)
                case .refused(let code): (2, code)
                case .leftOut: (3, 0)
                }
            writer.add(measure.rawValue)
            writer.add(kind)
            writer.add(UInt64(min(max(0, detail), Self.detailLimit)))
        }
    }

    /// Takes every measure once, in order, and nothing else.
    init(from reader: inout WireReader) throws(WireError) {
        for measure in SandboxMeasure.allCases {
            guard try reader.number(UInt8.self) == measure.rawValue else { throw WireError() }
            let kind = try reader.number(UInt8.self)
            let detail = try reader.number(0...Self.detailLimit)
            switch kind {
            case 1: self[measure] = .inForce(version: detail)
            case 2 where detail > 0: self[measure] = .refused(code: detail)
            case 3 where detail == 0: self[measure] = .leftOut
            default: throw WireError()
            }
        }
    }
}
