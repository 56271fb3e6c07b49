import Geometry
import WaylandProtocol

/// The memory of a window's frames: slots, used in turn.
///
/// Two slots are enough for most compositors. A third one is needed during a resize, and for
/// compositors that keep buffers for long. Another one replaces a slot whose contents are read
/// (`ShownFrame`). A slot that was never painted takes no memory. A buffer
/// is a cheap view of its slot, so a resize makes new buffers in the same memory. A window that
/// outgrows the memory gets new memory; the old memory is freed when the compositor has released
/// it.
final class FramePool {
    /// How many slots there are, apart from those whose contents are read.
    private static let slotCount = 3
    private static let slotsAtRest = 2
    /// Memory that is more than this many times as large as needed is replaced.
    private static let mostWaste = 4
    private static let page = 4096
    /// Memory that a frame may lack without notice, in bytes: page faults take less than a millisecond.
    private static let littleMemory = 1 << 20

    private let shm: WlShm
    private var slots: [FrameSlot] = []
    /// The slot of the last commit; nil before the first one, and after a change of memory.
    private weak var newest: FrameSlot?
    /// Slots in replaced memory that are still in use.
    private var retired: [FrameSlot] = []
    /// Bytes of one slot.
    private var capacity = 0
    /// How many slots have been in use at once since memory was given back, and how many before that.
    private var (usedNow, usedBefore) = (0, 0)

    /// Called when the compositor has released a slot.
    var onRelease: (() -> Void)?

    init(shm: WlShm) {
        self.shm = shm
    }

    /// Returns the memory, enlarged if needed for frames of `size`; slots that have memory come first.
    ///
    /// New memory has room for a frame of the largest screen, so that fullscreen needs no new
    /// memory. Memory that is never painted costs nothing.
    func reserve(_ size: PixelSize, screen: PixelSize) throws(FrameError) -> FrameMemory {
        let needed = Self.bytes(size)
        let limit = Int(Int32.max) & ~(Self.page - 1)
        guard needed <= limit else { throw .tooLarge(bytes: needed) }
        let target = max(needed, min(Self.bytes(screen), limit))
        if !slots.isEmpty, needed <= capacity, capacity / Self.mostWaste <= target {
            return memory(needed)
        }
        let capacity = (target + Self.page - 1) & ~(Self.page - 1)
        var newSlots: [FrameSlot] = []
        for _ in 0..<Self.slotCount {
            newSlots.append(try FrameSlot(capacity: capacity, shm: shm))
        }
        retired += slots.filter { $0.status != .free }
        slots = newSlots
        (self.capacity, usedNow, usedBefore) = (capacity, 0, 0)
        return memory(needed)
    }

    private func memory(_ length: Int) -> FrameMemory {
        let places = slots.map(\.memory)
        return FrameMemory(
            places: places.filter(\.isPopulated) + places.filter { !$0.isPopulated },
            length: length)
    }

    /// How many free slots keep their memory at rest: the compositor shows a frame, and the next one is
    /// painted into another slot.
    private var keptCount: Int { max(1, Self.slotsAtRest - slots.count { !$0.isFree }) }

    /// How many slots the last motion has used at once.
    var usedCount: Int { max(usedNow, usedBefore) }

    /// Whether free slots have memory that a window at rest does not need.
    var hasExcessMemory: Bool {
        slots.count { $0.isFree && $0.memory.isPopulated } > keptCount
    }

    /// Gives back the memory of free slots that a window at rest does not need.
    func giveBackExcessMemory() {
        let free = slots.filter { $0.isFree && $0.memory.isPopulated }
            .sorted { $0.stale.area < $1.stale.area }
        for slot in free.dropFirst(keptCount) {
            slot.memory.giveBack()
            slot.stale = .everything
        }
        if usedNow > 0 { (usedBefore, usedNow) = (usedNow, 0) }
    }

    /// A slot for a frame of `size`: the free one whose contents need the least repainting.
    ///
    /// A small frame that a frame of size `next` follows leaves the memory that is present to that frame.
    /// Nil if the compositor holds all slots.
    func acquire(
        _ size: PixelSize, headroom: Double? = nil, before next: PixelSize? = nil,
        screen: PixelSize
    ) throws(FrameError) -> FrameSlot? {
        _ = try reserve(next ?? size, screen: screen)
        guard isAnyUsable else { return nil }
        let best = if let best = best(for: size, before: next) { best } else { try addSlot() }
        best.resize(to: size, headroom: headroom) { [weak self] slot in self?.released(slot) }
        best.status = .lent
        return best
    }

    /// The memory of the slot that `acquire` returns next for a whole frame, if much of the memory causes page
    /// faults.
    func missingMemory(_ size: PixelSize, screen: PixelSize) throws(FrameError) -> FrameMemory? {
        let length = try reserve(size, screen: screen).length
        guard isAnyUsable, let memory = best(for: size)?.memory,
            memory.missing(length: length) > Self.littleMemory
        else { return nil }
        return FrameMemory(places: [memory], length: length)
    }

    /// Whether another slot may be painted while the compositor holds others.
    private var isAnyUsable: Bool { slots.count { $0.status != .free } < Self.slotCount }

    /// Replaces slots that are free, but whose contents are read.
    private func addSlot() throws(FrameError) -> FrameSlot {
        let slot = try FrameSlot(capacity: capacity, shm: shm)
        slots.append(slot)
        return slot
    }

    /// With `next`, another slot than the one that a frame of size `next` needs, unless only that one is free.
    private func best(for size: PixelSize, before next: PixelSize? = nil) -> FrameSlot? {
        var free = slots.filter(\.isFree)
        if let next, free.count > 1 {
            let length = Self.bytes(next)
            // Of equal slots the first one, whose memory may just be prefaulted.
            let kept = free.min {
                $0.memory.missing(length: length) < $1.memory.missing(length: length)
            }
            free.removeAll { $0 === kept }
        }
        let length = Self.bytes(size)
        return free.min { first, second in
            let areas = (staleArea(first, at: size), staleArea(second, at: size))
            // Memory that is present is painted without page faults.
            return areas.0 == areas.1
                ? first.memory.missing(length: length) < second.memory.missing(length: length)
                : areas.0 < areas.1
        }
    }

    /// The pixels of the last commit; nil before the first one, and after a change of memory.
    var shownFrame: ShownFrame? { newest?.read() }

    /// Records that a slot was handed to the compositor; `damage` is the change since the previous
    /// frame.
    func committed(_ slot: FrameSlot, damage: [PixelRect]) {
        for other in slots where other !== slot {
            if other.size == slot.size, other.headroom == slot.headroom {
                other.stale.add(damage)
            } else {
                other.stale = .everything
            }
        }
        slot.status = .held
        newest = slots.first { $0 === slot }
        usedNow = max(usedNow, slots.count { $0.status != .free })
        slot.stale = .rects([])
        slot.memory.noteWritten(length: slot.stride * slot.size.height)
    }

    /// Returns a slot that was not committed; its contents are unknown.
    func abandon(_ slot: FrameSlot) {
        slot.stale = .everything
        slot.status = .free
        retired.removeAll { $0 === slot }
    }

    private func released(_ slot: FrameSlot) {
        guard slot.status == .held else { return }
        slot.status = .free
        retired.removeAll { $0 === slot }
        onRelease?()
    }

    private func staleArea(_ slot: FrameSlot, at size: PixelSize) -> Int {
        slot.size == size ? slot.stale.area : .max
    }

    /// Bytes of a frame; `Int.max` if a side is implausibly long.
    private static func bytes(_ size: PixelSize) -> Int {
        let side = 1 << 24
        guard size.width < side, size.height < side else { return .max }
        return FrameSlot.stride(width: size.width) * size.height
    }
}
