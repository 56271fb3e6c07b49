import JSON

/// The batches of changes, from the oldest to the newest, and which of them are undone: a value that the
/// lines of the journal make.
struct ChangeHistory: Hashable, Sendable {
    struct Step: Hashable, Sendable {
        /// The change that was made last: the first one, or the one that reversed it.
        var change: FileChange
        var isUndone = false
    }

    struct Batch: Hashable, Sendable {
        let id: String
        let title: String
        var steps: [Step] = []
        var isUndone = false
    }

    private(set) var batches: [Batch] = []
    /// The hidden folders of changes that have not ended.
    private(set) var workFolders: [[UInt8]] = []

    /// A line of the journal.
    enum Line: Hashable, Sendable {
        case begin(id: String, title: String)
        case step(id: String, number: Int, Step)
        case end(id: String, isUndone: Bool)
        case work([UInt8])
        case free([UInt8])
    }

    /// The batch that is undone next; its index.
    var undoable: Int? { batches.lastIndex { !$0.isUndone && !$0.steps.isEmpty } }

    /// The batch that is redone next: the first of those undone at the end.
    ///
    /// A batch of which no step could be undone has nothing to redo.
    var redoable: Int? {
        let first = undoable.map { $0 + 1 } ?? 0
        return batches[first...].firstIndex { $0.steps.contains(where: \.isUndone) }
    }

    mutating func apply(_ line: Line) {
        switch line {
        case .begin(let id, let title):
            // After a new change, what was undone before is not redone any more.
            batches.removeAll(where: \.isUndone)
            batches.append(Batch(id: id, title: title))
        case .step(let id, let number, let step):
            guard let index = batches.lastIndex(where: { $0.id == id }) else { return }
            if number < batches[index].steps.count {
                batches[index].steps[number] = step
            } else if number == batches[index].steps.count {
                batches[index].steps.append(step)
                // A batch may go on after another viewer has undone its first steps.
                if !step.isUndone { batches[index].isUndone = false }
            }
        case .end(let id, let isUndone):
            guard let index = batches.lastIndex(where: { $0.id == id }) else { return }
            batches[index].isUndone = isUndone
        case .work(let folder): workFolders.append(folder)
        case .free(let folder): workFolders.removeAll { $0 == folder }
        }
    }

    /// The most folders that `lines` names: those of the last changes.
    private static let mostWorkFolders = 64

    /// The lines that make this history without the oldest batches: those that are left have at most
    /// `limit` bytes together, or are the newest one.
    func lines(upTo limit: Int) -> [Line] {
        var kept: [Batch] = []
        var length = 0
        for batch in batches.reversed() where !batch.steps.isEmpty {
            length += (batch.lines + [batch.end]).reduce(0) { $0 + $1.text.utf8.count }
            guard kept.isEmpty || length <= limit else { break }
            kept.append(batch)
        }
        kept.reverse()
        // The ends come last: a batch that is undone would be dropped by the beginning of the next one.
        return workFolders.suffix(Self.mostWorkFolders).map { .work($0) }
            + kept.flatMap(\.lines) + kept.map(\.end)
    }
}

extension ChangeHistory.Batch {
    /// The lines of the batch without its end.
    fileprivate var lines: [ChangeHistory.Line] {
        [.begin(id: id, title: title)]
            + steps.enumerated().map { .step(id: id, number: $0, $1) }
    }

    fileprivate var end: ChangeHistory.Line { .end(id: id, isUndone: isUndone) }
}

extension ChangeHistory.Line {
    /// The line, with its newline.
    var text: String {
        var line = JSONLine()
        switch self {
        case .begin(let id, let title):
            line.add("batch", id)
            line.add("title", title)
        case .step(let id, let number, let step):
            line.add("batch", id)
            line.add("step", number)
            line.add("undone", step.isUndone)
            line.add("change", json: step.change.json)
        case .end(let id, let isUndone):
            line.add("batch", id)
            line.add("undone", isUndone)
        case .work(let folder): line.add("work", EscapedBytes.text(of: folder))
        case .free(let folder): line.add("free", EscapedBytes.text(of: folder))
        }
        return line.close()
    }

    /// Nil for a line of another form, such as one that a loss of power has cut.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let value = try? JSONReader.read(Array(bytes)) else { return nil }
        if let folder = EscapedBytes.bytes(of: value["work"]?.string) {
            self = .work(folder)
        } else if let folder = EscapedBytes.bytes(of: value["free"]?.string) {
            self = .free(folder)
        } else if let id = value["batch"]?.string {
            let isUndone = value["undone"] == .bool(true)
            if let title = value["title"]?.string {
                self = .begin(id: id, title: title)
            } else if let number = value["step"]?.number.flatMap({ Int(exactly: $0) }), number >= 0
            {
                guard let change = value["change"].flatMap({ FileChange($0) }) else { return nil }
                self = .step(id: id, number: number, .init(change: change, isUndone: isUndone))
            } else {
                self = .end(id: id, isUndone: isUndone)
            }
        } else {
            return nil
        }
    }
}
