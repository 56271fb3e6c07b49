import CFUSE
import Glibc
import SystemCalls

/// The answers of a file system that shows a folder; nothing may be cached.
struct FolderMirror {
    private let root: String
    /// The paths below the folder, by number of the node minus `FUSE_ROOT_ID`.
    private var paths = ["."]
    private var numbers: [String: UInt64] = [".": UInt64(FUSE_ROOT_ID)]
    /// The entries of open folders, with their kinds; the index of a folder is its handle.
    private var listings: [[(name: String, kind: UInt8)]] = []

    init(_ root: String) {
        self.root = root
    }

    /// The operation and the file of a request; nil for a request that tests cannot influence.
    func subject(of request: Request) -> Subject? {
        guard let operation = request.operation else { return nil }
        let path = path(of: request)
        return Subject(
            operation: operation,
            path: operation == .lookup ? Self.join(path, request.name) : path)
    }

    private func path(of request: Request) -> String {
        let index = Int(request.header.nodeid) - Int(FUSE_ROOT_ID)
        return paths.indices.contains(index) ? paths[index] : "."
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder == "." ? name : folder + "/" + name
    }

    private mutating func number(of path: String) -> UInt64 {
        if let number = numbers[path] { return number }
        let number = UInt64(paths.count) + UInt64(FUSE_ROOT_ID)
        paths.append(path)
        numbers[path] = number
        return number
    }

    // MARK: Replies

    mutating func reply(to request: Request) -> Reply {
        do throws(SystemError) {
            return try answer(to: request)
        } catch { return .failure(error.code) }
    }

    private mutating func answer(to request: Request) throws(SystemError) -> Reply {
        let path = path(of: request)
        switch request.operation {
        case .lookup: return try lookUp(Self.join(path, request.name))
        case .getattr:
            var reply = fuse_attr_out()
            reply.attr = try attributes(of: path)
            return .structure(reply)
        case .readlink: return try readLink(path)
        case .open: return try open(path)
        case .read: return try read(request)
        case .statfs: return .structure(Self.statistics)
        case .release:
            if let argument = request.argument(fuse_release_in.self) { close(Int32(argument.fh)) }
            return .success([])
        case .flush, .releasedir: return .success([])
        case .opendir: return try openFolder(path)
        case .readdir: return list(request)
        case nil: return Self.other(request)
        }
    }

    /// Requests that tests cannot influence.
    private static func other(_ request: Request) -> Reply {
        switch request.header.opcode {
        case FUSE_INIT.rawValue: initialize(request)
        // An interruption is ignored, as by a server that has gone.
        case FUSE_FORGET.rawValue, FUSE_BATCH_FORGET.rawValue, FUSE_INTERRUPT.rawValue: .none
        case FUSE_DESTROY.rawValue: .success([])
        default: .failure(ENOSYS)
        }
    }

    private static func initialize(_ request: Request) -> Reply {
        guard let offer = request.argument(fuse_offer.self) else { return .failure(EPROTO) }
        var reply = fuse_init_out()
        reply.major = UInt32(FUSE_KERNEL_VERSION)
        reply.minor = min(UInt32(FUSE_KERNEL_MINOR_VERSION), offer.minor)
        reply.max_readahead = offer.maxReadAhead
        // Folders are read, and names looked up, by several processes at a time.
        reply.flags = offer.flags & UInt32(FUSE_PARALLEL_DIROPS | FUSE_ASYNC_READ)
        // As many reads as these may stall before they delay those of other files.
        reply.max_background = 1000
        reply.congestion_threshold = 1000
        reply.max_write = 4096
        return .structure(reply)
    }

    /// The beginning of `fuse_init_in`, which has all that older kernels send.
    private struct fuse_offer {
        var major: UInt32
        var minor: UInt32
        var maxReadAhead: UInt32
        var flags: UInt32
    }

    private mutating func lookUp(_ path: String) throws(SystemError) -> Reply {
        var reply = fuse_entry_out()
        reply.attr = try attributes(of: path)
        reply.nodeid = number(of: path)
        return .structure(reply)
    }

    private mutating func attributes(of path: String) throws(SystemError) -> fuse_attr {
        var info = stat()
        try reporting { lstat(root + "/" + path, &info) }
        var result = fuse_attr()
        result.ino = number(of: path)
        result.size = UInt64(info.st_size)
        result.blocks = UInt64(info.st_blocks)
        result.atime = UInt64(info.st_atim.tv_sec)
        result.mtime = UInt64(info.st_mtim.tv_sec)
        result.ctime = UInt64(info.st_ctim.tv_sec)
        result.atimensec = UInt32(info.st_atim.tv_nsec)
        result.mtimensec = UInt32(info.st_mtim.tv_nsec)
        result.ctimensec = UInt32(info.st_ctim.tv_nsec)
        result.mode = info.st_mode
        result.nlink = UInt32(info.st_nlink)
        result.uid = info.st_uid
        result.gid = info.st_gid
        result.blksize = UInt32(info.st_blksize)
        return result
    }

    private func readLink(_ path: String) throws(SystemError) -> Reply {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try reporting { readlink(root + "/" + path, &target, target.count) }
        return .success(target[..<count].map { UInt8(bitPattern: $0) })
    }

    /// The handle of a file is its descriptor.
    private func open(_ path: String) throws(SystemError) -> Reply {
        let descriptor = try reporting { Glibc.open(root + "/" + path, O_RDONLY | O_CLOEXEC) }
        return opened(UInt64(descriptor))
    }

    /// The reply to the opening of a file or folder with its handle.
    ///
    /// The last field has another name in newer headers.
    private func opened(_ handle: UInt64) -> Reply {
        var reply = fuse_open_out()
        reply.fh = handle
        return .structure(reply)
    }

    private func read(_ request: Request) throws(SystemError) -> Reply {
        guard let argument = request.argument(fuse_read_in.self) else { return .failure(EPROTO) }
        var bytes = [UInt8](repeating: 0, count: Int(argument.size))
        let count = try reporting {
            pread(Int32(argument.fh), &bytes, bytes.count, off_t(argument.offset))
        }
        return .success(Array(bytes[..<count]))
    }

    private static var statistics: fuse_statfs_out {
        var reply = fuse_statfs_out()
        reply.st.blocks = 1 << 20
        reply.st.bsize = 4096
        reply.st.frsize = 4096
        reply.st.namelen = 255
        return reply
    }

    // MARK: Folders

    /// The entries are those at this moment, as the kernel reads them in parts.
    private mutating func openFolder(_ path: String) throws(SystemError) -> Reply {
        let folder = try reporting { opendir(root + "/" + path) }
        defer { closedir(folder) }
        var entries: [(name: String, kind: UInt8)] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) }
            entries.append((name, entry.pointee.d_type))
        }
        listings.append(entries)
        return opened(UInt64(listings.count - 1))
    }

    /// The records of linux/fuse.h: `fuse_dirent`, the name, and zeros up to a multiple of 8 bytes.
    private func list(_ request: Request) -> Reply {
        guard let argument = request.argument(fuse_read_in.self),
            listings.indices.contains(Int(argument.fh))
        else { return .failure(EBADF) }
        var bytes: [UInt8] = []
        let entries = listings[Int(argument.fh)]
        for (index, entry) in entries.enumerated().dropFirst(Int(argument.offset)) {
            let name = Array(entry.name.utf8)
            var record = Self.words(UInt64(index + 2)) + Self.words(UInt64(index + 1))
            record += Self.words(UInt32(name.count)) + Self.words(UInt32(entry.kind)) + name
            record += [UInt8](repeating: 0, count: (8 - record.count % 8) % 8)
            guard bytes.count + record.count <= Int(argument.size) else { break }
            bytes += record
        }
        return .success(bytes)
    }

    private static func words(_ value: some BitwiseCopyable) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }
}
