import CLinux
import EventLoop
import Glibc
import Motion
import SystemCalls

/// Sends the bytes of one MIME type to a program, which reads them from a pipe.
///
/// A write never waits. A program that stops reading ends the transfer after a while, as does one
/// that closes its end. A file is read in pieces on other threads.
final class OutgoingTransfer {
    /// How long to wait for the bytes to be made, in milliseconds.
    static let longestMaking = 60_000.0
    /// How long a program may not read, in milliseconds.
    static let patience = 10_000.0
    /// How many bytes of a file are read at once.
    private static let pieceSize = 1 << 20
    /// How many bytes are written in a turn of the loop.
    private static let mostPerTurn = 1 << 20

    private let pipe: OwnedDescriptor
    /// Makes the bytes, also when it is offered no more.
    private var content: DataContent?
    private let sources: EventSources
    private let backgroundJobs: BackgroundJobs
    private let clock: () -> Moment
    private let onEnd: (OutgoingTransfer) -> Void
    private var source: EventSources.Source?
    private(set) var deadline: Moment?
    private var bytes: ArraySlice<UInt8> = []
    /// The file of which more is to be read, and from where on.
    private var file: (descriptor: OwnedDescriptor, offset: Int)?

    /// Takes ownership of the writing end of a pipe.
    init(
        of content: DataContent, to descriptor: Int32, _ sources: EventSources,
        _ backgroundJobs: BackgroundJobs,
        clock: @escaping () -> Moment, onEnd: @escaping (OutgoingTransfer) -> Void
    ) {
        self.content = content
        pipe = OwnedDescriptor(descriptor)
        self.sources = sources
        self.backgroundJobs = backgroundJobs
        self.clock = clock
        self.onEnd = onEnd
        deadline = clock().advanced(byMilliseconds: Self.longestMaking)
        clinux_set_nonblocking(descriptor, 1)
    }

    deinit { if let source { sources.remove(source) } }

    /// Starts sending; nil sends nothing.
    func send(_ data: DataBytes?) {
        // Ended by its deadline before the bytes were made, or sent already.
        guard deadline != nil, source == nil else { return }
        switch data {
        case .bytes(let bytes): self.bytes = bytes[...]
        case .file(let descriptor): file = (descriptor, 0)
        case nil: return end()
        }
        source = sources.add(quietDescriptor: pipe.descriptor) { [unowned self] in write() }
        progress()
    }

    /// Ends the transfer; the program sees the end of the data.
    func end() {
        guard deadline != nil else { return }
        deadline = nil
        if let source { sources.remove(source) }
        source = nil
        (bytes, file, content) = ([], nil, nil)
        onEnd(self)
    }

    /// Renews the patience, and waits for the pipe or reads the next piece of the file.
    private func progress() {
        deadline = clock().advanced(byMilliseconds: Self.patience)
        if !bytes.isEmpty { return wait(forPipe: true) }
        guard let file else { return end() }
        wait(forPipe: false)
        let isReading = backgroundJobs.run({ [descriptor = file.descriptor, offset = file.offset] in
            Self.piece(of: descriptor, from: offset)
        }) { [weak self] in self?.received($0) }
        if !isReading { end() }
    }

    private static func piece(of file: OwnedDescriptor, from offset: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: pieceSize) { buffer, count in
            let memory = UnsafeMutableRawBufferPointer(buffer)
            count = (try? readBytes(of: file.descriptor, from: offset, into: memory)) ?? 0
        }
    }

    private func received(_ piece: [UInt8]) {
        guard deadline != nil, let file else { return }
        self.file = piece.isEmpty ? nil : (file.descriptor, file.offset + piece.count)
        bytes = piece[...]
        progress()
    }

    /// Without anything to write, only the end of the pipe is of interest.
    private func wait(forPipe: Bool) {
        if let source { sources.setWants(read: false, write: forPipe, of: source) }
    }

    private func write() {
        // The program has closed its end while the next piece is read.
        guard !bytes.isEmpty else { return end() }
        var written = 0
        while !bytes.isEmpty, written < Self.mostPerTurn {
            do throws(SystemError) {
                let count = try reporting {
                    bytes.withUnsafeBytes {
                        clinux_write_now(pipe.descriptor, $0.baseAddress, $0.count)
                    }
                }
                bytes = bytes.dropFirst(count)
                written += count
            } catch {
                guard error.code == EAGAIN || error.code == EINTR else { return end() }
                break
            }
        }
        if written > 0 { progress() }
    }
}
