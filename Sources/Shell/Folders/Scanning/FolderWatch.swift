import Glibc
import SystemCalls

/// The changes in watched folders, which the server of `FolderClient` watches by inotify(7).
struct FolderWatch: ~Copyable {
    /// A change of a name in a watched folder, or of the folder itself.
    struct Event {
        var watch: Int32
        var mask: UInt32
        /// The same for the two halves of a rename; 0 for all other events.
        var cookie: UInt32
        /// Empty for a change of the folder itself.
        var name: [UInt8]

        func has(_ bits: some BinaryInteger) -> Bool {
            mask & UInt32(truncatingIfNeeded: bits) != 0
        }
    }

    /// Readable when there are events.
    let descriptor: Int32
    var table = WatchTable()

    /// Takes over an inotify(7) instance; with -1 no events are reported.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Forgets the ways of pictures, and ends the watches that nobody needs any more.
    mutating func forgetWays(of pictures: Set<ListingBuilder.Place>) {
        for number in table.forget(pictures) { inotify_rm_watch(descriptor, number) }
    }

    /// Ends those of `watches` that nobody needs any more.
    func removeUnneeded(_ watches: Set<Int32>) {
        for number in watches where !table.isNeeded(number) { inotify_rm_watch(descriptor, number) }
    }

    /// Reads all pending events, in order.
    func read() -> [Event] {
        guard descriptor >= 0 else { return [] }
        var events: [Event] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = retrying { Glibc.read(descriptor, &buffer, buffer.count) }
            guard count > 0 else { return events }
            buffer.withUnsafeBytes {
                Self.parse(UnsafeRawBufferPointer(rebasing: $0[..<count]), into: &events)
            }
        }
    }

    private static func parse(_ bytes: UnsafeRawBufferPointer, into events: inout [Event]) {
        let header = MemoryLayout<inotify_event>.size
        var offset = 0
        while offset + header <= bytes.count {
            let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let end = offset + header + Int(event.len)
            guard end <= bytes.count else { return }
            let name = bytes[(offset + header)..<end].prefix { $0 != 0 }
            events.append(
                Event(watch: event.wd, mask: event.mask, cookie: event.cookie, name: Array(name)))
            offset = end
        }
    }
}
