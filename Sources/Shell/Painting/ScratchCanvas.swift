import Geometry
import Glibc
import Synchronization

/// Scratch memory for some rows of a canvas, few enough to stay in a core's cache until they are
/// copied to another canvas.
struct ScratchCanvas: ~Copyable {
    private let block: Block
    private let size: PixelSize
    private let stride: Int

    private static let cacheLine = 64

    /// Memory that was allocated.
    ///
    /// `@unchecked Sendable`: a block belongs to one canvas, or to the list of unused blocks.
    private struct Block: @unchecked Sendable {
        let memory: UnsafeMutableRawPointer
        let length: Int
    }

    /// Blocks of canvases that are gone: new memory causes page faults, which take longer than the painting.
    private static let unused = Mutex<[Block]>([])
    /// Three canvases for each of two threads.
    private static let mostUnused = 6

    /// Takes or allocates memory for `rows` rows of a canvas of `size`; nil if there is no memory.
    init?(rows: Int, of size: PixelSize) {
        stride = (size.width * 4 + Self.cacheLine - 1) & ~(Self.cacheLine - 1)
        self.size = size
        let length = stride * rows
        let found = Self.unused.withLock { blocks in
            blocks.lastIndex { $0.length == length }.map { blocks.remove(at: $0) }
        }
        if let found {
            block = found
            return
        }
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, Self.cacheLine, length) == 0, let memory else { return nil }
        block = Block(memory: memory, length: length)
    }

    deinit {
        let surplus = Self.unused.withLock { [block] blocks -> Block? in
            blocks.append(block)
            return blocks.count > Self.mostUnused ? blocks.removeFirst() : nil
        }
        if let surplus { free(surplus.memory) }
    }

    /// Frees the memory that no canvas uses.
    static func releaseUnused() {
        let blocks = unused.withLock { blocks in
            defer { blocks = [] }
            return blocks
        }
        for block in blocks { free(block.memory) }
    }

    /// The memory as a canvas from row `y` on, valid for the lifetime of this value.
    func canvas(from y: Int) -> Canvas {
        Canvas(rowsFrom: y, in: block.memory, of: size, stride: stride)
    }
}
