import CLinux
import Edits
import Geometry
import Glibc
import ImageTypes

@testable import DecodeClient
@testable import ImageWire

/// All messages that a compromised decoder can send about a picture, with the sealed memory they carry.
///
/// The input is a kind byte, which says what was requested of the picture, then a list of records. A
/// record is a flags byte (`Record`), the length of the message in two bytes (little-endian), and the
/// message. A record with memory continues with the length and bytes of the start of the memory in the
/// same encoding, then one byte with the length of the memory in pages.
struct ConversationHarness: Harness {
    let name = "conversation"
    var seeds: [[UInt8]] { Seeds.conversations }

    /// Bits of a record's flags byte.
    enum Record {
        static let hasMemory: UInt8 = 1
        static let isUnsealed: UInt8 = 2
        /// The viewer sends the message, not the decoder.
        static let isRequest: UInt8 = 4
    }

    private static let edit = EditRequest(PictureEdit(turn: .rotatedLeft))
    private static let mostRecords = 64
    private static let pageLength = 4096

    func run(_ bytes: UnsafeRawBufferPointer) {
        var reader = RecordReader(bytes)
        guard let kind = reader.byte() else { return }
        let request: DecodeClient.Request =
            switch kind >> 1 & 7 {
            case 0: .picture
            case 1: .thumbnail(ThumbnailRequest(side: 32, wantsSRGBCopy: kind & 32 != 0))
            case 2: .header
            case 3: .animation
            case 4: .metadata
            case 5: .edit(.plan(Self.edit))
            case 6: .edit(.write(Self.edit))
            default: .edit(.fingerprint(FingerprintRequest()))
            }
        var validator = ReplyValidator(1, request)
        if kind & 1 != 0 { validator.isDecoding = true }
        for _ in 0..<Self.mostRecords {
            guard let flags = reader.byte(), let message = reader.block() else { return }
            if flags & Record.isRequest != 0 {
                ask(message, &validator)
                continue
            }
            do throws(WireError) {
                let reply = try DecodeReply(message)
                var memory: Int32?
                if flags & Record.hasMemory != 0 {
                    memory = self.memory(reader.block() ?? [], Int(reader.byte() ?? 0), flags)
                }
                if case .edited(let id, let edit) = reply {
                    let file = try memory.map { memory throws(WireError) in
                        try SealedFile(taking: memory)
                    }
                    use(try validator.accept(edit, of: id, file))
                    continue
                }
                let pixels = try memory.map { memory throws(WireError) in
                    try SealedMemory(taking: memory)
                }
                use(try validator.accept(reply, pixels))
                if let copy = pixels?.sRGBCopy { ViewerSink.read(copy) }
            } catch { return }
        }
    }

    private func ask(_ message: [UInt8], _ validator: inout ReplyValidator) {
        switch try? DecodeRequest(message) {
        case .decode: validator.isDecoding = true
        case .frame: validator.owedFrames += 1
        case .tile(_, let tile): validator.owedTiles.append(tile)
        default: break
        }
    }

    private func memory(_ start: [UInt8], _ pages: Int, _ flags: UInt8) -> Int32 {
        let memory = clinux_memfd_create("fuzzing")
        _ = start.withUnsafeBytes { write(memory, $0.baseAddress, $0.count) }
        ftruncate(memory, pages * Self.pageLength)
        if flags & Record.isUnsealed == 0 { _ = clinux_add_seals(memory, 1, 1) }
        return memory
    }

    private func use(_ event: DecodeEvent?) {
        switch event {
        case .pixels(_, let bitmap, _), .frame(_, _, let bitmap), .tile(_, _, let bitmap):
            ViewerSink.read(bitmap)
        case .opened, .waiting, .info, .gain, .finished, .failed, .metadata, .edited, nil: break
        }
    }
}

/// Reads the fields of records; returns nil past the end.
private struct RecordReader {
    private var rest: UnsafeRawBufferPointer.SubSequence

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func block() -> [UInt8]? {
        guard let low = byte(), let high = byte() else { return nil }
        let block = Array(rest.prefix(Int(low) | Int(high) << 8))
        rest = rest.dropFirst(block.count)
        return block
    }
}
