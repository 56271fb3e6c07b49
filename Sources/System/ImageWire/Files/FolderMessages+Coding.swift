extension FolderRequest {
    /// The longest request and reply in bytes.
    package static let longest = 1 << 16

    package var bytes: [UInt8] {
        switch self {
        case .find(let path):
            var writer = Envelope.open(211, id: 0)
            writer.add(path)
            return writer.bytes
        case .list(let path, let wantsDetails, let wantsSubfolders):
            var writer = Envelope.open(212, id: 0)
            writer.add(path)
            writer.add(wantsDetails)
            writer.add(wantsSubfolders)
            return writer.bytes
        case .inspect(let path, let wantsDetails):
            var writer = Envelope.open(213, id: 0)
            writer.add(path)
            writer.add(wantsDetails)
            return writer.bytes
        case .states(let paths):
            var writer = Envelope.open(214, id: paths.count)
            for path in paths { writer.add(path) }
            return writer.bytes
        case .read(let path, let limit):
            var writer = Envelope.open(215, id: 0)
            writer.add(path)
            writer.add(UInt64(max(0, limit)))
            return writer.bytes
        case .watch(let path):
            var writer = Envelope.open(216, id: 0)
            writer.add(path)
            return writer.bytes
        case .follow(let path):
            var writer = Envelope.open(217, id: 0)
            writer.add(path)
            return writer.bytes
        }
    }

    package init(_ bytes: [UInt8]) throws(WireError) {
        var (kind, count, reader) = try Envelope.read(bytes)
        // The system itself refuses paths that are too long.
        let most = Self.longest
        switch kind {
        case 211: self = .find(path: try reader.bytes(limit: most))
        case 212:
            let path = try reader.bytes(limit: most)
            let wantsDetails = try reader.flag()
            self = .list(
                path: path, wantsDetails: wantsDetails, wantsSubfolders: try reader.flag())
        case 213:
            let path = try reader.bytes(limit: most)
            self = .inspect(path: path, wantsDetails: try reader.flag())
        case 214:
            guard count <= Self.longest else { throw WireError() }
            var paths: [[UInt8]] = []
            for _ in 0..<count { paths.append(try reader.bytes(limit: most)) }
            self = .states(paths: paths)
        case 215:
            let path = try reader.bytes(limit: most)
            self = .read(path: path, limit: try reader.number(0...Int.max))
        case 216: self = .watch(path: try reader.bytes(limit: most))
        case 217: self = .follow(path: try reader.bytes(limit: most))
        default: throw WireError()
        }
        try reader.finish()
    }
}

extension FolderReply {
    package var bytes: [UInt8] {
        switch self {
        case .ready: return Envelope.open(221, id: 0).bytes
        case .failed(let code):
            var writer = Envelope.open(222, id: 0)
            writer.add(code)
            return writer.bytes
        case .found(let node):
            var writer = Envelope.open(223, id: 0)
            writer.add(node.kind.rawValue)
            writer.add(node.inode)
            writer.add(node.hasOtherNames)
            writer.add(node.details)
            return writer.bytes
        case .folder(let identity, let watching, let origin):
            var writer = Envelope.open(224, id: 0)
            writer.add(identity)
            writer.add(watching)
            writer.add(origin.rawValue)
            return writer.bytes
        case .items(let items, let isLast):
            var writer = Envelope.open(225, id: items.count)
            writer.add(isLast)
            for item in items {
                writer.add(item.kind.rawValue)
                writer.add(item.name)
                writer.add(item.inode)
                writer.add(item.details)
            }
            return writer.bytes
        case .states(let states):
            var writer = Envelope.open(226, id: states.count)
            for state in states { writer.add(state) }
            return writer.bytes
        case .stalled: return Envelope.open(227, id: 0).bytes
        case .answeredLate: return Envelope.open(228, id: 0).bytes
        case .contents(let bytes, let trust, let isLast):
            var writer = Envelope.open(229, id: 0)
            writer.add(bytes)
            writer.add(trust)
            writer.add(isLast)
            return writer.bytes
        case .followed(let watches, let isWhole):
            var writer = Envelope.open(230, id: watches.count)
            for watch in watches { writer.add(watch) }
            writer.add(isWhole)
            return writer.bytes
        }
    }

    package init(_ bytes: [UInt8]) throws(WireError) {
        var (kind, count, reader) = try Envelope.read(bytes)
        guard count <= FolderRequest.longest else { throw WireError() }
        switch kind {
        case 221: self = .ready
        case 222: self = .failed(code: try reader.number())
        case 223:
            guard let kind = FileNode.Kind(rawValue: try reader.number()) else {
                throw WireError()
            }
            var node = FileNode(
                kind, inode: try reader.number(), hasOtherNames: try reader.flag())
            node.details = try reader.details()
            self = .found(node)
        case 224:
            let identity = try reader.identity()
            let watching = try reader.watching()
            guard let origin = FolderOrigin(rawValue: try reader.number()) else {
                throw WireError()
            }
            self = .folder(identity, watching, origin)
        case 225:
            let isLast = try reader.flag()
            var items: [FolderItem] = []
            items.reserveCapacity(count)
            for _ in 0..<count { items.append(try reader.item()) }
            self = .items(items, isLast: isLast)
        case 226:
            var all: [FileState?] = []
            for _ in 0..<count { all.append(try reader.state()) }
            self = .states(all)
        case 227: self = .stalled
        case 228: self = .answeredLate
        case 229:
            let bytes = try reader.bytes(limit: FolderRequest.longest)
            let trust = try reader.trust()
            self = .contents(bytes, trust, isLast: try reader.flag())
        case 230:
            var watches: [Int32] = []
            for _ in 0..<count { watches.append(try reader.number()) }
            self = .followed(watches: watches, isWhole: try reader.flag())
        default: throw WireError()
        }
        try reader.finish()
    }
}

extension WireWriter {
    mutating func add(_ flag: Bool) { add(UInt8(flag ? 1 : 0)) }

    fileprivate mutating func add(_ trust: FileTrust) {
        switch trust {
        case .trusted: add(UInt8(0))
        case .writable: add(UInt8(1))
        case .foreign(let owner):
            add(UInt8(2))
            add(owner)
        }
    }

    fileprivate mutating func add(_ details: FileDetails?) {
        add(details != nil)
        guard let details else { return }
        add(Int64(details.seconds))
        add(UInt32(details.nanoseconds))
        add(UInt64(details.size))
    }

    fileprivate mutating func add(_ identity: FileIdentity) {
        add(identity.device)
        add(identity.inode)
    }

    /// The number of a watch is not negative, that of an error is positive.
    fileprivate mutating func add(_ watching: FolderWatching) {
        switch watching {
        case .watched(let number): add(number)
        case .refused(let code): add(-code)
        }
    }

    fileprivate mutating func add(_ state: FileState?) {
        add(state != nil)
        guard let state else { return }
        add(state.stamp)
        add(Int64(state.changed))
        add(state.isIndirect)
    }
}

extension WireReader {
    mutating func flag() throws(WireError) -> Bool {
        switch try number(UInt8.self) {
        case 0: return false
        case 1: return true
        default: throw WireError()
        }
    }

    fileprivate mutating func trust() throws(WireError) -> FileTrust {
        switch try number(UInt8.self) {
        case 0: return .trusted
        case 1: return .writable
        case 2: return .foreign(owner: try number())
        default: throw WireError()
        }
    }

    fileprivate mutating func identity() throws(WireError) -> FileIdentity {
        let device = try number(UInt64.self)
        return FileIdentity(device: device, inode: try number())
    }

    fileprivate mutating func watching() throws(WireError) -> FolderWatching {
        let number = try number(Int32.self)
        guard number > .min else { throw WireError() }
        return number < 0 ? .refused(-number) : .watched(number)
    }

    fileprivate mutating func state() throws(WireError) -> FileState? {
        guard try flag() else { return nil }
        let stamp = try stamp()
        let changed = Int(try number(Int64.self))
        return FileState(stamp: stamp, changed: changed, isIndirect: try flag())
    }

    fileprivate mutating func details() throws(WireError) -> FileDetails? {
        guard try flag() else { return nil }
        let seconds = Int(try number(Int64.self))
        let nanoseconds = Int(try number(UInt32.self))
        guard nanoseconds < 1_000_000_000 else { throw WireError() }
        return FileDetails(
            seconds: seconds, nanoseconds: nanoseconds, size: try number(0...Int.max))
    }

    fileprivate mutating func item() throws(WireError) -> FolderItem {
        guard let kind = FolderItem.Kind(rawValue: try number()) else { throw WireError() }
        let name = try bytes(limit: FileRequest.longestPath)
        let inode = try number(UInt64.self)
        return FolderItem(kind, name: name, inode: inode, details: try details())
    }
}
