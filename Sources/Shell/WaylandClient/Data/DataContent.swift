package import SystemCalls

/// Data for other programs: a selection or a drag, as a list of MIME types.
///
/// The bytes are made when a program asks for a type, and for each program anew.
package struct DataContent {
    /// The offered MIME types, the best first; at most `DataExchange.mostTypes` are offered.
    package let types: [String]
    /// Makes the bytes of an offered type.
    ///
    /// `send` is called once, at once or later, on the thread of the connection: with nil if there are
    /// no bytes, which the other program sees as empty data.
    package let provide: (_ type: String, _ send: @escaping (DataBytes?) -> Void) -> Void

    package init(
        types: [String],
        provide: @escaping (_ type: String, _ send: @escaping (DataBytes?) -> Void) -> Void
    ) {
        self.types = types
        self.provide = provide
    }
}

/// The bytes of one MIME type.
package enum DataBytes: Sendable {
    case bytes([UInt8])
    /// A regular file, from its first byte to its end; read in pieces on another thread.
    case file(OwnedDescriptor)
}

/// Data that another program has sent.
package struct ReceivedData: Sendable {
    package let type: String
    package let contents: Contents

    package init(type: String, contents: Contents) {
        (self.type, self.contents) = (type, contents)
    }

    package enum Contents: Sendable {
        case bytes([UInt8])
        /// A file in memory, sealed against every change, at its start.
        case memory(OwnedDescriptor)
    }
}

/// Which type to read of those that another program offers.
package struct DataWant: Hashable, Sendable {
    package let type: String
    /// More bytes than these are refused.
    package let limit: Int
    /// Whether the bytes go to a file in memory.
    package let usesMemoryFile: Bool

    package init(type: String, limit: Int, usesMemoryFile: Bool = false) {
        self.type = type
        self.limit = limit
        self.usesMemoryFile = usesMemoryFile
    }
}

/// Why no data were received.
package enum DataFailure: Error, Hashable {
    /// Nothing is offered.
    case empty
    /// None of the offered types is wanted.
    case unusable
    case noAnswer
    case noData
    case tooLarge(limit: Int)
    case tooMany(limit: Int)
    case system(SystemError)
}

/// What may happen to dragged data.
package struct DragActions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let copy = DragActions(rawValue: 1)
    package static let move = DragActions(rawValue: 2)
    /// The target asks the person.
    package static let ask = DragActions(rawValue: 4)
}
