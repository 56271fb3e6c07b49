package import Input
package import Motion

/// The gesture arenas of several seats, of which one at a time holds the content.
///
/// The seat that begins first owns the content until all of its fingers are up. Events of other
/// seats are ignored meanwhile, and so are fingers that landed meanwhile until they lift.
package struct SeatArenas: Sendable {
    /// Large: changed in place in the array, never copied.
    private struct Entry: Sendable {
        var seat: Int
        var arena: GestureArena
    }

    private let settings: GestureConstants
    private var entries: [Entry] = []
    /// The seat that holds the content.
    private(set) var owner: Int?

    package init(settings: GestureConstants = .init()) {
        self.settings = settings
    }

    /// Handles one event of a seat, which is any number; returns whether the event counts.
    package mutating func handle(
        _ event: InputEvent, of seat: Int, at moment: Moment, context: GestureArena.Context,
        into gestures: inout [TimedGesture]
    ) -> Bool {
        guard owner == nil || owner == seat else { return false }
        let index = index(of: seat)
        entries[index].arena.handle(event, at: moment, context: context, into: &gestures)
        owner = entries[index].arena.isTouching ? seat : nil
        return true
    }

    /// Whether recognition of an event of a seat reads the context; see `GestureArena.needsContext`.
    func needsContext(_ event: InputEvent, of seat: Int) -> Bool {
        guard let index = entries.firstIndex(where: { $0.seat == seat }) else { return true }
        return entries[index].arena.needsContext(event)
    }

    /// The time of a seat's touches that wait for their frame; nil if none do.
    func openFrame(of seat: Int) -> Moment? {
        guard let index = entries.firstIndex(where: { $0.seat == seat }) else { return nil }
        return entries[index].arena.touches.openFrame
    }

    /// Whether an event is of the contacts that hold the content: the fingers of the owner, or its
    /// pointer.
    func isHeld(by event: InputEvent, of seat: Int) -> Bool {
        guard owner == seat, let index = entries.firstIndex(where: { $0.seat == seat }) else {
            return false
        }
        if case .pointer = event { return entries[index].arena.isHeldByPointer }
        return true
    }

    /// The index of a seat's arena, which is created if there is none.
    private mutating func index(of seat: Int) -> Int {
        if let index = entries.firstIndex(where: { $0.seat == seat }) { return index }
        entries.append(Entry(seat: seat, arena: GestureArena(settings: settings)))
        return entries.count - 1
    }

    /// Changes the arenas of all seats; `change` appends what they recognise.
    package mutating func forEach(
        into gestures: inout [TimedGesture],
        _ change: (inout GestureArena, inout [TimedGesture]) -> Void
    ) {
        for index in entries.indices { change(&entries[index].arena, &gestures) }
        // A timer may have ended the owner's gesture, such as a scroll without an end event.
        guard let owner, let index = entries.firstIndex(where: { $0.seat == owner }),
            !entries[index].arena.isTouching
        else { return }
        self.owner = nil
    }

    /// When the next timer fires if no event comes before.
    package var deadline: Moment? {
        var first: Moment?
        for index in entries.indices {
            guard let deadline = entries[index].arena.deadline else { continue }
            first = min(first ?? deadline, deadline)
        }
        return first
    }

    /// Whether a seat holds the content, or a timer of a seat runs.
    var isActive: Bool { owner != nil || deadline != nil }

    package func isAnimating(after moment: Moment) -> Bool {
        entries.indices.contains { entries[$0].arena.isAnimating(after: moment) }
    }
}
