import CLinux
import DecodeClient
import Geometry
import Glibc
import Motion
import ImageTypes

/// Decodes a file as the viewer does, in a decoder that is already running.
struct Bench {
    var decoder: String
    var target: PixelSize
    var file: String

    struct Figures {
        /// Milliseconds from opening the file to the first pixels, and to the last pixels.
        var first = 0.0
        var full = 0.0
        /// The peak memory of both processes in bytes; shared memory counts once.
        var memory = 0
    }

    /// Decodes the file once; the measurement of memory distorts the times.
    func run(measuresMemory: Bool = false) throws -> Figures {
        let client = try DecodeClient(DecoderLauncher(DecoderProgram(decoder)))
        // The decoder must be idle: a person selects a picture when nothing else is decoded.
        usleep(100_000)
        var figures = Figures()
        var kept: [Bitmap] = []
        let start = now()
        let descriptor = clinux_open_picture(file)
        guard descriptor >= 0 else {
            throw DecodeFailure.unreadable(reason: "the file cannot be opened")
        }
        client.start(.picture, 1, descriptor: descriptor, now: start)
        client.decode(1, target: target, acceptsPlanes: true, now: start)
        while true {
            var poll = pollfd(fd: client.pollDescriptors[0], events: Int16(POLLIN), revents: 0)
            _ = Glibc.poll(&poll, 1, measuresMemory ? 2 : 100)
            if measuresMemory { figures.memory = max(figures.memory, Self.memory()) }
            for event in client.handleReadable(poll.fd, now: now()) {
                let elapsed = now().seconds(since: start) * 1000
                switch event {
                case .pixels(_, let bitmap, _):
                    if kept.isEmpty { figures.first = elapsed }
                    kept = [bitmap]
                    figures.full = elapsed
                case .finished:
                    if measuresMemory { figures.memory = max(figures.memory, Self.memory()) }
                    return figures
                case .failed(_, let failure): throw failure
                case .info(_, let info) where info.backingFileBytes > 0:
                    client.sendBackingFile(
                        1,
                        descriptor: clinux_create_unnamed_file(
                            "/var/tmp", Int64(info.backingFileBytes)))
                default: break
                }
            }
        }
    }

    private func now() -> Moment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(milliseconds: Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6)
    }

    /// The memory of this process and its children in bytes; shared memory counts once.
    ///
    /// The source is `/proc/PID/status`, because a decoder's other memory files are not readable.
    private static func memory() -> Int {
        let children = text("/proc/self/task/\(getpid())/children").split(separator: " ")
        let processes = ["self"] + children.map(String.init)
        let own = processes.map { kilobytes("RssAnon", of: $0) }.reduce(0, +)
        let shared = ["RssShmem", "RssFile"].map { kind in
            processes.map { kilobytes(kind, of: $0) }.max() ?? 0
        }
        return (own + shared.reduce(0, +)) << 10
    }

    private static func kilobytes(_ kind: String, of process: String) -> Int {
        let lines = text("/proc/\(process)/status").split(separator: "\n")
        let fields =
            lines.first { $0.hasPrefix(kind + ":") }?.split { $0 == " " || $0 == "\t" } ?? []
        return fields.count > 1 ? Int(fields[1]) ?? 0 : 0
    }

    private static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(file, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}
