import Edits

extension ChangeRequest {
    /// The longest request and reply in bytes.
    package static let longest = 1 << 16
    /// The longest title of a batch in bytes.
    static let longestTitle = 512
    /// The most pictures whose marks are read by one request.
    package static let mostMarks = 512

    package var bytes: [UInt8] {
        switch self {
        case .open(let journal):
            var writer = Envelope.open(231, id: 0)
            writer.add(journal)
            return writer.bytes
        case .begin(let title):
            var writer = Envelope.open(232, id: 0)
            writer.add(title, limit: Self.longestTitle)
            return writer.bytes
        case .perform(let action):
            var writer = Envelope.open(233, id: 0)
            action.add(to: &writer)
            return writer.bytes
        case .end: return Envelope.open(234, id: 0).bytes
        case .undo: return Envelope.open(235, id: 0).bytes
        case .redo: return Envelope.open(236, id: 0).bytes
        case .stop: return Envelope.open(237, id: 0).bytes
        case .readMarks(let paths):
            var writer = Envelope.open(238, id: paths.count)
            for path in paths { writer.add(path) }
            return writer.bytes
        case .stamp(let path):
            var writer = Envelope.open(239, id: 0)
            writer.add(path)
            return writer.bytes
        }
    }

    package init(_ bytes: [UInt8]) throws(WireError) {
        var (kind, count, reader) = try Envelope.read(bytes)
        let most = FileRequest.longestPath
        switch kind {
        case 231: self = .open(journal: try reader.path())
        case 232: self = .begin(title: try reader.text(limit: Self.longestTitle))
        case 233: self = .perform(try FileAction(&reader))
        case 234: self = .end
        case 235: self = .undo
        case 236: self = .redo
        case 237: self = .stop
        case 238:
            guard count <= Self.mostMarks else { throw WireError() }
            var paths: [[UInt8]] = []
            for _ in 0..<count { paths.append(try reader.bytes(limit: most)) }
            self = .readMarks(paths: paths)
        case 239: self = .stamp(path: try reader.path())
        default: throw WireError()
        }
        try reader.finish()
    }
}

extension FileAction {
    fileprivate func add(to writer: inout WireWriter) {
        switch self {
        case .trash(let path): writer.add(UInt8(1), path)
        case .remove(let path): writer.add(UInt8(2), path)
        case .move(let from, let to, let picksName):
            writer.add(UInt8(3), from)
            writer.add(to)
            writer.add(picksName)
        case .copy(let from, let to, let picksName):
            writer.add(UInt8(4), from)
            writer.add(to)
            writer.add(picksName)
        case .replace(let path, let expected, let keepsTimes):
            writer.add(UInt8(5), path)
            writer.add(expected)
            writer.add(keepsTimes)
        case .save(let path, let like):
            writer.add(UInt8(6), path)
            writer.add(like)
        case .mark(let path, let change):
            writer.add(UInt8(7), path)
            writer.add(change)
        }
    }

    fileprivate init(_ reader: inout WireReader) throws(WireError) {
        let kind = try reader.number(UInt8.self)
        let path = try reader.path()
        switch kind {
        case 1: self = .trash(path: path)
        case 2: self = .remove(path: path)
        case 3:
            let to = try reader.path()
            self = .move(from: path, to: to, picksName: try reader.flag())
        case 4:
            let to = try reader.path()
            self = .copy(from: path, to: to, picksName: try reader.flag())
        case 5:
            let stamp = try reader.stamp()
            self = .replace(path: path, expected: stamp, keepsTimes: try reader.flag())
        case 6: self = .save(path: path, like: try reader.path())
        case 7: self = .mark(path: path, try reader.markChange())
        default: throw WireError()
        }
    }
}

extension ChangeReply {
    package var bytes: [UInt8] {
        switch self {
        case .state(let undo, let redo):
            var writer = Envelope.open(241, id: 0)
            writer.add(undo, limit: ChangeRequest.longestTitle)
            writer.add(redo, limit: ChangeRequest.longestTitle)
            return writer.bytes
        case .done(let path):
            var writer = Envelope.open(242, id: 0)
            writer.add(path)
            return writer.bytes
        case .failed(let failure):
            var writer = Envelope.open(243, id: 0)
            writer.add(failure)
            return writer.bytes
        case .progress(let done, let all):
            var writer = Envelope.open(244, id: done)
            writer.add(UInt64(all))
            return writer.bytes
        case .reversed(let reversal):
            var writer = Envelope.open(245, id: reversal.count)
            writer.add(reversal.title, limit: ChangeRequest.longestTitle)
            writer.add(reversal.isRedo)
            writer.add(UInt64(reversal.failures))
            writer.add(reversal.failedPath)
            writer.add(reversal.failure != nil)
            if let failure = reversal.failure { writer.add(failure) }
            writer.add(reversal.path)
            writer.add(reversal.outcome.rawValue)
            writer.add(UInt64(reversal.pictures))
            writer.add(reversal.subject)
            writer.add(reversal.undo, limit: ChangeRequest.longestTitle)
            writer.add(reversal.redo, limit: ChangeRequest.longestTitle)
            return writer.bytes
        case .marks(let marks):
            var writer = Envelope.open(246, id: marks.count)
            for marks in marks { writer.add(marks) }
            return writer.bytes
        case .stamp(let stamp):
            var writer = Envelope.open(247, id: 0)
            writer.add(stamp)
            return writer.bytes
        }
    }

    package init(_ bytes: [UInt8]) throws(WireError) {
        var (kind, count, reader) = try Envelope.read(bytes)
        switch kind {
        case 241:
            let undo = try reader.text(limit: ChangeRequest.longestTitle)
            self = .state(undo: undo, redo: try reader.text(limit: ChangeRequest.longestTitle))
        case 242: self = .done(path: try reader.path())
        case 243: self = .failed(try reader.failure())
        case 244: self = .progress(done: count, all: try reader.number(0...Int.max))
        case 245: self = .reversed(try reader.reversal(of: count))
        case 246:
            guard count <= ChangeRequest.mostMarks else { throw WireError() }
            var marks: [SidecarMark] = []
            for _ in 0..<count { marks.append(try reader.marks()) }
            self = .marks(marks)
        case 247: self = .stamp(try reader.stamp())
        default: throw WireError()
        }
        try reader.finish()
    }
}

// MARK: Parts

extension WireWriter {
    fileprivate mutating func add(_ kind: UInt8, _ path: [UInt8]) {
        add(kind)
        add(path)
    }

    fileprivate mutating func add(_ marks: SidecarMark) {
        add(marks.isFavourite)
        add(stars: marks.rating)
    }

    /// 0 stands for nil.
    mutating func add(stars: Int?) {
        add(UInt8(stars.map { PictureMark(rating: $0).rating + 1 } ?? 0))
    }

    fileprivate mutating func add(_ change: MarkChange) {
        switch change {
        case .favourite(let isFavourite):
            add(false)
            add(UInt8(isFavourite ? 1 : 0))
        case .rating(let stars):
            add(true)
            add(UInt8(min(max(stars, 0), PictureMark.mostStars)))
        }
    }

    mutating func add(_ stamp: FileStamp) {
        add(stamp.identity.device)
        add(stamp.identity.inode)
        add(Int64(stamp.details.seconds))
        add(UInt64(stamp.details.nanoseconds))
        add(UInt64(stamp.details.size))
    }

    fileprivate mutating func add(_ failure: ChangeFailure) {
        switch failure {
        case .noTrash(let reason):
            add(UInt8(1))
            add(reason, limit: Envelope.textLimit)
        case .exists: add(UInt8(2))
        case .changed: add(UInt8(3))
        case .system(let code):
            add(UInt8(4))
            add(code)
        case .refused(let reason):
            add(UInt8(5))
            add(reason, limit: Envelope.textLimit)
        case .interrupted: add(UInt8(6))
        case .companionOfAnother(let path): add(UInt8(7), path)
        case .companionStays(let path): add(UInt8(8), path)
        case .trashFails(let code):
            add(UInt8(9))
            add(code)
        }
    }
}

extension WireReader {
    fileprivate mutating func path() throws(WireError) -> [UInt8] {
        let path = try bytes(limit: FileRequest.longestPath)
        guard !path.contains(0) else { throw WireError() }
        return path
    }

    fileprivate mutating func marks() throws(WireError) -> SidecarMark {
        let isFavourite = try flag()
        return SidecarMark(isFavourite: isFavourite, rating: try stars())
    }

    /// The number of stars that `add(stars:)` wrote.
    mutating func stars() throws(WireError) -> Int? {
        let value = Int(try number(UInt8.self))
        guard value <= PictureMark.mostStars + 1 else { throw WireError() }
        return value == 0 ? nil : value - 1
    }

    fileprivate mutating func markChange() throws(WireError) -> MarkChange {
        let isRating = try flag()
        let value = try number(UInt8.self)
        guard value <= (isRating ? UInt8(PictureMark.mostStars) : 1) else { throw WireError() }
        return isRating ? .rating(Int(value)) : .favourite(value == 1)
    }

    mutating func stamp() throws(WireError) -> FileStamp {
        let device = try number(UInt64.self)
        let inode = try number(UInt64.self)
        let seconds = try number(Int64.self)
        let nanoseconds = try number(0...999_999_999)
        return FileStamp(
            identity: FileIdentity(device: device, inode: inode),
            details: FileDetails(
                seconds: Int(seconds), nanoseconds: nanoseconds, size: try number(0...Int.max)))
    }

    fileprivate mutating func failure() throws(WireError) -> ChangeFailure {
        switch try number(UInt8.self) {
        case 1: .noTrash(reason: try text(limit: Envelope.textLimit))
        case 2: .exists
        case 3: .changed
        case 4: .system(code: try number(Int32.self))
        case 5: .refused(reason: try text(limit: Envelope.textLimit))
        case 6: .interrupted
        case 7: .companionOfAnother(path: try path())
        case 8: .companionStays(path: try path())
        case 9: .trashFails(code: try number(Int32.self))
        default: throw WireError()
        }
    }

    fileprivate mutating func reversal(of count: Int) throws(WireError) -> BatchReversal {
        let title = try text(limit: ChangeRequest.longestTitle)
        var reversal = BatchReversal(title: title, isRedo: try flag())
        reversal.count = count
        reversal.failures = try number(0...Int.max)
        reversal.failedPath = try path()
        if try flag() { reversal.failure = try failure() }
        reversal.path = try path()
        guard let outcome = BatchReversal.Outcome(rawValue: try number(UInt8.self)) else {
            throw WireError()
        }
        reversal.outcome = outcome
        reversal.pictures = try number(0...Int.max)
        reversal.subject = try path()
        reversal.undo = try text(limit: ChangeRequest.longestTitle)
        reversal.redo = try text(limit: ChangeRequest.longestTitle)
        return reversal
    }
}
