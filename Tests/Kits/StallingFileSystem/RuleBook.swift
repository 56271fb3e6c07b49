import Synchronization

/// What happens to an operation, perhaps for one file only.
struct Rule: Sendable {
    enum Effect: Sendable {
        case stalls
        case fails(Int32)
        case delays(milliseconds: Int)
    }

    let operation: Operation
    let name: String?
    let effect: Effect

    init(_ operation: Operation, _ name: String?, _ effect: Effect) {
        self.operation = operation
        self.name = name
        self.effect = effect
    }
}

/// The operation that a request asks for, and the path of the file below the folder.
struct Subject: Hashable, Sendable {
    let operation: Operation
    let path: String

    func matches(_ operation: Operation?, _ name: String?) -> Bool {
        guard operation == nil || operation == self.operation else { return false }
        guard let name else { return true }
        return path == name || path.hasSuffix("/" + name)
    }
}

/// The rules and the counters, which the test and the thread of the file system share.
final class RuleBook: Sendable {
    private struct Contents {
        var rules: [Rule] = []
        var received: [Subject: Int] = [:]
        var waiting: [Subject: Int] = [:]
    }

    private let contents = Mutex(Contents())

    func add(_ rule: Rule) { contents.withLock { $0.rules.append(rule) } }

    func removeAll() { contents.withLock { $0.rules = [] } }

    /// What happens to an operation; nil if it is answered as usual.
    func effect(on subject: Subject) -> Rule.Effect? {
        contents.withLock { contents in
            contents.rules.last { subject.matches($0.operation, $0.name) }?.effect
        }
    }

    func received(_ subject: Subject) {
        contents.withLock {
            $0.received[subject, default: 0] += 1
            $0.waiting[subject, default: 0] += 1
        }
    }

    func answered(_ subject: Subject) {
        contents.withLock { $0.waiting[subject, default: 1] -= 1 }
    }

    func count(of operation: Operation?, _ name: String?, isWaiting: Bool) -> Int {
        contents.withLock { contents in
            (isWaiting ? contents.waiting : contents.received).reduce(0) { sum, entry in
                entry.key.matches(operation, name) ? sum + entry.value : sum
            }
        }
    }
}
