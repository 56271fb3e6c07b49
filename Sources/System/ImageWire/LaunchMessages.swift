/// A request of the viewer to the fork server, which starts decoder processes.
///
/// Each message is one packet of a SOCK_SEQPACKET socket. `number` is the viewer's number for the
/// decoder.
package enum LaunchRequest: Hashable, Sendable {
    /// Starts a decoder, whose socket comes with the message; answered with `ended`, after its end.
    ///
    /// `niceness` is 0…19 as in nice(2).
    case start(number: Int, niceness: Int)
    /// Kills a decoder.
    case stop(number: Int)
    /// Prepares what decoders compute at first use, for the decoders that follow.
    case warmUp
}

/// A reply of the fork server to the viewer.
package struct LaunchReply: Hashable, Sendable {
    /// The viewer's number for the decoder that has ended.
    package var number: Int
    package var ending: DecoderEnding

    package init(number: Int, ending: DecoderEnding) {
        self.number = number
        self.ending = ending
    }
}

/// How a decoder process has ended.
package enum DecoderEnding: Hashable, Sendable {
    /// By itself, with an exit code.
    case exited
    /// By a signal, after this many seconds of processor time of all threads.
    case signalled(Int, processorSeconds: Int)
    /// The process could not be started; `code` is the error number.
    case notStarted(code: Int)
}

extension LaunchRequest {
    private static let mostNiceness = 19

    package var bytes: [UInt8] {
        switch self {
        case .start(let number, let niceness):
            var writer = Envelope.open(101, id: number)
            writer.add(UInt64(min(max(0, niceness), Self.mostNiceness)))
            return writer.bytes
        case .stop(let number): return Envelope.open(102, id: number).bytes
        case .warmUp: return Envelope.open(106, id: 0).bytes
        }
    }

    package init(_ bytes: [UInt8]) throws(WireError) {
        var (kind, number, reader) = try Envelope.read(bytes)
        switch kind {
        case 101:
            self = .start(number: number, niceness: try reader.number(0...Self.mostNiceness))
        case 102: self = .stop(number: number)
        case 106: self = .warmUp
        default: throw WireError()
        }
        try reader.finish()
    }
}

extension LaunchReply {
    private static let mostSignals = 64
    private static let mostErrors = 4095
    private static let mostSeconds = 1 << 40

    package var bytes: [UInt8] {
        var writer: WireWriter
        switch ending {
        case .exited: writer = Envelope.open(103, id: number)
        case .signalled(let signal, let seconds):
            writer = Envelope.open(104, id: number)
            writer.add(UInt64(signal))
            writer.add(UInt64(max(0, seconds)))
        case .notStarted(let code):
            writer = Envelope.open(105, id: number)
            writer.add(UInt64(code))
        }
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(WireError) {
        var (kind, number, reader) = try Envelope.read(bytes)
        self.number = number
        switch kind {
        case 103: ending = .exited
        case 104:
            let signal = try reader.number(0...Self.mostSignals)
            ending = .signalled(
                signal, processorSeconds: try reader.number(0...Self.mostSeconds))
        case 105: ending = .notStarted(code: try reader.number(0...Self.mostErrors))
        default: throw WireError()
        }
        try reader.finish()
    }
}
