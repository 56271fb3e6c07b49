import Glibc
import Pictures

/// Memory of the program's own that pixels are written into once.
///
/// `@unchecked Sendable`: it is written only by who made it, each row by one thread, before anyone else
/// hears of it; afterwards it is only read, and it is freed with the last reference.
final class OwnPixels: PixelMemory, @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    private let length: Int

    /// Nil where there is no memory for so many bytes.
    init?(length: Int) {
        guard let base = malloc(length) else { return nil }
        self.base = base
        self.length = length
    }

    deinit { free(base) }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: length) }

    /// The words of row `y`, where each row has `width`.
    func row(_ y: Int, width: Int) -> UnsafeMutablePointer<UInt32> {
        (base + y * width * 4).assumingMemoryBound(to: UInt32.self)
    }
}
