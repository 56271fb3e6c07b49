import Geometry
import WaylandProtocol

/// The memory of a window's frames: three places, used in turn.
///
/// Two do for most compositors; a third is needed while a resize is under way, and where a compositor
/// holds on to buffers: a place that was never painted takes no memory. A buffer is a cheap view of its
/// place, so that a resize makes new ones in the same memory. A window that outgrows the memory gets new
/// memory; the old goes when the compositor has let go of it.
final class FramePool {
    private static let slotCount = 3
    /// Memory that is so many times as large as it would be made is given back.
    private static let mostWaste = 4
    private static let page = 4096

    private let shm: WlShm
    private var slots: [FrameSlot] = []
    /// Places in memory that was outgrown, still in use.
    private var retired: [FrameSlot] = []
    /// Bytes of one place.
    private var capacity = 0

    /// Called when the compositor has given a place back.
    var onRelease: (() -> Void)?

    init(shm: WlShm) {
        self.shm = shm
    }

    /// The memory, made large enough for frames of that size.
    ///
    /// New memory has room for the largest screen at once, so that going fullscreen needs no other;
    /// what is never painted costs nothing.
    func reserve(_ size: PixelSize, screen: PixelSize) throws(FrameError) -> FrameMemory {
        let needed = Self.bytes(size)
        let limit = Int(Int32.max) & ~(Self.page - 1)
        guard needed <= limit else { throw .tooLarge(bytes: needed) }
        let wanted = max(needed, min(Self.bytes(screen), limit))
        if !slots.isEmpty, needed <= capacity, capacity / Self.mostWaste <= wanted {
            return FrameMemory(places: slots.map(\.memory), length: needed)
        }
        let capacity = (wanted + Self.page - 1) & ~(Self.page - 1)
        var places: [FrameSlot] = []
        for _ in 0..<Self.slotCount {
            places.append(try FrameSlot(capacity: capacity, shm: shm))
        }
        retired += slots.filter { $0.status != .free }
        slots = places
        self.capacity = capacity
        return FrameMemory(places: slots.map(\.memory), length: needed)
    }

    /// A place for a frame of that size, the one whose contents need the least repainting; nil when
    /// the compositor holds all.
    func take(_ size: PixelSize, screen: PixelSize) throws(FrameError) -> FrameSlot? {
        _ = try reserve(size, screen: screen)
        let free = slots.filter { $0.status == .free }
        let best = free.min { first, second in
            staleArea(first, at: size) < staleArea(second, at: size)
        }
        guard let best else { return nil }
        best.resize(to: size) { [weak self] slot in self?.giveBack(slot) }
        best.status = .lent
        return best
    }

    /// Notes that the slot was handed to the compositor with what had changed since the frame
    /// before.
    func committed(_ slot: FrameSlot, damage: [PixelRect]) {
        for other in slots where other !== slot {
            if other.size == slot.size {
                other.stale.add(damage)
            } else {
                other.stale = .everything
            }
        }
        slot.status = .held
        slot.stale = .rects([])
    }

    /// Takes back a slot that was not committed; what is in it is unknown.
    func abandon(_ slot: FrameSlot) {
        slot.stale = .everything
        slot.status = .free
        retired.removeAll { $0 === slot }
    }

    private func giveBack(_ slot: FrameSlot) {
        guard slot.status == .held else { return }
        slot.status = .free
        retired.removeAll { $0 === slot }
        onRelease?()
    }

    private func staleArea(_ slot: FrameSlot, at size: PixelSize) -> Int {
        slot.size == size ? slot.stale.area : .max
    }

    /// Bytes of a frame; more than there can be when the size is absurd.
    private static func bytes(_ size: PixelSize) -> Int {
        let side = 1 << 24
        guard size.width < side, size.height < side else { return .max }
        return FrameSlot.stride(width: size.width) * size.height
    }
}
