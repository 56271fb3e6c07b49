/// The sandbox measures that a decoder applies before it reads any input, in this order.
package enum SandboxMeasure: UInt8, CaseIterable, Hashable, Sendable {
    /// Limits on memory, file size, processor time, descriptors and threads (setrlimit(2)).
    case limits = 1
    /// An executed program gains no privileges (PR_SET_NO_NEW_PRIVS).
    case noNewPrivileges
    /// Own user, network and IPC namespaces.
    case namespaces
    /// An own PID namespace: no other process can be named.
    case processes
    /// An own mount namespace, whose root holds libraries and fonts only.
    case root
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
        case .processes: "PID namespace"
        case .root: "empty root"
        case .noCapabilities: "no capabilities"
        case .noDumps: "no dumps"
        case .files: "Landlock"
        case .calls: "seccomp"
        }
    }

    /// Whether `decode.sandbox = required` decodes nothing without the measure.
    ///
    /// The other measures take away what these leave: names of files, numbers of processes, time
    /// after the end of the viewer.
    package var isRequired: Bool {
        switch self {
        case .limits, .noNewPrivileges, .namespaces, .files, .calls: true
        case .processes, .root, .noCapabilities, .noDumps: false
        }
    }

    /// Whether the fork server applies the measure, and its copies inherit the measure.
    ///
    /// The others concern one process, or forbid what the fork server does.
    package var isInherited: Bool {
        switch self {
        case .limits, .noNewPrivileges, .namespaces, .processes, .root, .noCapabilities, .noDumps:
            true
        case .files, .calls: false
        }
    }

    /// Calls `body` for each measure, in order.
    ///
    /// Unlike a loop over `allCases` it needs no generic type at run time, which would take a tenth of
    /// the time that a decoder takes to start.
    @inlinable
    package static func forEach<Failure>(
        _ body: (SandboxMeasure) throws(Failure) -> Void
    ) throws(Failure) {
        var number: UInt8 = 1
        while let measure = SandboxMeasure(rawValue: number) {
            try body(measure)
            number += 1
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

    /// 0 if not requested, else 1 more than the version, or the negative error number.
    ///
    /// Numbers, because their arrays need no generic type at run time.
    private var states = [Int](repeating: 0, count: 16)

    package init() {}

    package subscript(measure: SandboxMeasure) -> State {
        get {
            let state = states[Int(measure.rawValue)]
            if state == 0 { return .notRequested }
            return state > 0 ? .inForce(version: state - 1) : .refused(code: -state)
        }
        set {
            states[Int(measure.rawValue)] =
                switch newValue {
                case .notRequested: 0
                case .inForce(let version): version + 1
                case .refused(let code): -code
                }
        }
    }
}

extension SandboxReport {
    /// The measures that are not in force.
    package var lacking: [SandboxMeasure] {
        SandboxMeasure.allCases.filter {
            if case .inForce = self[$0] { false } else { true }
        }
    }

    /// Upper bound of an error number and of an interface version.
    private static let detailLimit = 4095

    func write(to writer: inout WireWriter) {
        SandboxMeasure.forEach { measure in
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
