/// Entries by their ids, without hashing.
///
/// An id is a slot and, above it, how often the slot was given away before: slots are used again, so
/// that the table does not grow with what comes and goes, ids never are.
struct EntrySlots {
    private static let slotBits = 32

    private var slots: [Entry?] = []
    /// For each slot the id that its next entry gets.
    private var nextIDs: [Int] = []
    private var free: [Int] = []
    private(set) var count = 0

    static func slot(of id: Int) -> Int { id & (1 << slotBits - 1) }

    /// How many slots there are: every id's slot is below.
    var slotCount: Int { slots.count }

    var all: some Sequence<Entry> { slots.lazy.compactMap { $0 } }

    /// The entry of this id, nil where there is none (any more); setting nil removes it.
    subscript(id: Int) -> Entry? {
        get {
            guard let entry = slots[Self.slot(of: id)], entry.id == id else { return nil }
            return entry
        }
        set {
            let slot = Self.slot(of: id)
            guard slots[slot]?.id == id else { return }
            slots[slot] = newValue
            guard newValue == nil else { return }
            count -= 1
            free.append(slot)
        }
    }

    /// Makes an entry with an id of its own.
    mutating func insert(_ make: (Int) -> Entry) -> Int {
        let slot = free.popLast() ?? slots.count
        if slot == slots.count {
            slots.append(nil)
            nextIDs.append(slot)
        }
        let id = nextIDs[slot]
        nextIDs[slot] += 1 << Self.slotBits
        slots[slot] = make(id)
        count += 1
        return id
    }
}
