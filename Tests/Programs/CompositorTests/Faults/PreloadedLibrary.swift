import Glibc
import TestKit

/// A library that tests preload into the viewer, built from a C file of the folder `Support`.
final class PreloadedLibrary: Sendable {
    private let folder = TemporaryFolder()
    private let name: String
    var path: String { folder / name + ".so" }

    /// Makes calls of the C library fail on command.
    static let faults = PreloadedLibrary("faults")
    /// Measures the turns of the input thread's loop.
    static let turns = PreloadedLibrary("turns")

    private init(_ name: String) {
        self.name = name
        let source = Binaries.package + "/Tests/Programs/CompositorTests/Support/\(name).c"
        _ = ChildProcess.run(["cc", "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"])
    }
}

/// Measures how long the input thread of a program is away from its loop.
final class TurnMeter {
    private let file: String
    private let page: UnsafeMutablePointer<Int64>

    /// Makes the file `path`, in which the program writes.
    init?(_ path: String) {
        file = path
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        guard descriptor >= 0, ftruncate(descriptor, 4096) == 0 else { return nil }
        let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        page = memory.bindMemory(to: Int64.self, capacity: 512)
    }

    deinit { munmap(page, 4096) }

    /// What the program's environment must contain, with the other libraries that it preloads.
    func environment(with other: [String]) -> [String] {
        let key = "LD_PRELOAD="
        var libraries = other.filter { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
        libraries.append(PreloadedLibrary.turns.path)
        let own = [key + libraries.joined(separator: ":"), "VITRINE_TURNS=" + file]
        return other.filter { !$0.hasPrefix(key) } + own
    }

    /// The longest turn since the last call in milliseconds, without the waits for a processor.
    func takeLongest() -> Double {
        defer { page.pointee = 0 }
        return Double(page.pointee) / 1e6
    }
}
