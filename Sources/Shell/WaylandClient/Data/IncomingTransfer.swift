import CLinux
import EventLoop
import Glibc
import Motion
import SystemCalls

/// Reads data from the pipe of another program, without waiting for it.
///
/// A program that sends nothing for a while, that takes too long, or that sends too much, ends the
/// transfer with a failure.
final class IncomingTransfer {
    typealias Outcome = Result<ReceivedData, DataFailure>

    /// How long a program may send nothing, in milliseconds.
    static let patience = 5000.0
    /// The longest transfer, in milliseconds.
    static let longest = 60_000.0
    /// How many bytes are read in a turn of the loop.
    private static let mostPerTurn = 1 << 20

    let want: DataWant
    private let pipe: OwnedDescriptor
    private let memory: OwnedDescriptor?
    private let sources: EventSources
    private let clock: () -> Moment
    private var onEnd: ((IncomingTransfer, Outcome) -> Void)?
    private var source: EventSources.Source?
    private var bytes: [UInt8] = []
    private var length = 0
    private let end: Moment
    private(set) var deadline: Moment?

    /// `request` gets the writing end of the pipe, which is closed after it.
    init(
        _ want: DataWant, _ sources: EventSources, clock: @escaping () -> Moment,
        request: (Int32) -> Void, onEnd: @escaping (IncomingTransfer, Outcome) -> Void
    ) throws(DataFailure) {
        self.want = want
        self.sources = sources
        self.clock = clock
        self.onEnd = onEnd
        let start = clock()
        end = start.advanced(byMilliseconds: Self.longest)
        deadline = start.advanced(byMilliseconds: Self.patience)
        var ends: [Int32] = [-1, -1]
        do throws(SystemError) {
            try reporting { clinux_pipe(&ends) }
            pipe = OwnedDescriptor(ends[0])
            defer { close(ends[1]) }
            memory =
                want.usesMemoryFile
                ? OwnedDescriptor(try reporting { clinux_memfd_create("vitrine-paste") }) : nil
            request(ends[1])
        } catch { throw .system(error) }
        source = sources.add(quietDescriptor: pipe.descriptor) { [unowned self] in read() }
    }

    deinit { if let source { sources.remove(source) } }

    /// Ends the transfer because its deadline has passed.
    func expire() { finish(.failure(.noAnswer)) }

    private func finish(_ outcome: Outcome) {
        guard let onEnd else { return }
        self.onEnd = nil
        deadline = nil
        if let source { sources.remove(source) }
        source = nil
        onEnd(self, outcome)
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var budget = Self.mostPerTurn
        while budget > 0 {
            let count: Int
            do throws(SystemError) {
                count = try reporting {
                    retrying { Glibc.read(pipe.descriptor, &buffer, buffer.count) }
                }
            } catch {
                if error.code == EAGAIN { break }
                return finish(.failure(.system(error)))
            }
            guard count > 0 else { return complete() }
            length += count
            guard length <= want.limit else {
                return finish(.failure(.tooLarge(limit: want.limit)))
            }
            do throws(SystemError) { try keep(buffer[..<count]) } catch {
                return finish(.failure(.system(error)))
            }
            budget -= count
        }
        deadline = min(end, clock().advanced(byMilliseconds: Self.patience))
    }

    private func keep(_ piece: ArraySlice<UInt8>) throws(SystemError) {
        guard let memory else { return bytes += piece }
        try writeAll(Array(piece), to: memory.descriptor)
    }

    private func complete() {
        guard length > 0 else { return finish(.failure(.noData)) }
        guard let memory else {
            return finish(.success(ReceivedData(type: want.type, contents: .bytes(bytes))))
        }
        do throws(SystemError) {
            let copy = try reporting { fcntl(memory.descriptor, F_DUPFD_CLOEXEC, 0) }
            do throws(SystemError) {
                let sealed = OwnedDescriptor(try reporting { clinux_make_constant(copy) })
                finish(.success(ReceivedData(type: want.type, contents: .memory(sealed))))
            } catch {
                close(copy)
                throw error
            }
        } catch { finish(.failure(.system(error))) }
    }
}
