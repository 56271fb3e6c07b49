/// Entries by their ids, without hashing.
///
/// An id consists of a slot number in the low 32 bits and the slot's number of earlier uses above.
/// Slots are reused, so that the table does not grow as entries come and go. Ids are never reused, also
/// not by a table that continues after another one.
struct EntrySlots {
    private static let slotBits = 32

    private var slots: [Entry?] = []
    /// For each slot, the id of its next entry.
    private var nextIDs: [Int] = []
    private var free: [Int] = []
    private(set) var count = 0
    /// The number of earlier uses that a new slot begins with.
    private let firstUse: Int
    /// A number of uses that no id has; a table that begins there has other ids than this one.
    private(set) var nextUse: Int

    /// Creates an empty table; `firstUse` is the `nextUse` of the table before.
    init(firstUse: Int = 0) {
        (self.firstUse, nextUse) = (firstUse, firstUse)
    }

    static func slot(of id: Int) -> Int { id & (1 << slotBits - 1) }

    /// Number of slots; the slot of every id is below this number.
    var slotCount: Int { slots.count }

    var all: some Sequence<Entry> { slots.lazy.compactMap { $0 } }

    /// The entry in a slot; nil if the slot is free.
    subscript(slot slot: Int) -> Entry? { slots[slot] }

    /// The entry with this id, nil if there is none (any more); setting nil removes the entry.
    subscript(id: Int) -> Entry? {
        get {
            let slot = Self.slot(of: id)
            guard slots.indices.contains(slot), let entry = slots[slot], entry.id == id else {
                return nil
            }
            return entry
        }
        set {
            let slot = Self.slot(of: id)
            guard slots.indices.contains(slot), slots[slot]?.id == id else { return }
            slots[slot] = newValue
            guard newValue == nil else { return }
            count -= 1
            free.append(slot)
        }
    }

    /// Inserts the entry that `make` returns for a new id; returns the id.
    mutating func insert(_ make: (Int) -> Entry) -> Int {
        let slot = free.popLast() ?? slots.count
        if slot == slots.count {
            slots.append(nil)
            nextIDs.append(firstUse << Self.slotBits + slot)
        }
        let id = nextIDs[slot]
        nextIDs[slot] += 1 << Self.slotBits
        nextUse = max(nextUse, id >> Self.slotBits + 1)
        slots[slot] = make(id)
        count += 1
        return id
    }
}
