package import Input
package import Motion

/// The gestures of several people at one screen: an arena for each seat, and one hold of the content
/// at a time.
///
/// Whoever begins first keeps the content until all of their fingers are up; what others do
/// meanwhile counts for nothing, their fingers as long as they stay down.
package struct SeatArenas: Sendable {
    /// Large: only ever used in its place in the array.
    private struct Entry: Sendable {
        var seat: Int
        var arena: GestureArena
    }

    private let settings: GestureSettings
    private var entries: [Entry] = []
    /// Whose fingers hold the content.
    private var owner: Int?

    package init(settings: GestureSettings = .init()) {
        self.settings = settings
    }

    /// Takes in one event of a seat, which is any number; tells whether it counts.
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

    /// The place of a seat's arena, which is made where there is none.
    private mutating func index(of seat: Int) -> Int {
        if let index = entries.firstIndex(where: { $0.seat == seat }) { return index }
        entries.append(Entry(seat: seat, arena: GestureArena(settings: settings)))
        return entries.count - 1
    }

    /// When something happens if no event comes before.
    package var deadline: Moment? {
        var first: Moment?
        for index in entries.indices {
            guard let deadline = entries[index].arena.deadline else { continue }
            first = min(first ?? deadline, deadline)
        }
        return first
    }

    package func isAnimating(after moment: Moment) -> Bool {
        entries.indices.contains { entries[$0].arena.isAnimating(after: moment) }
    }

    /// Fires what is due up to `moment`.
    package mutating func advance(to moment: Moment, into gestures: inout [TimedGesture]) {
        for index in entries.indices { entries[index].arena.advance(to: moment, into: &gestures) }
        releaseOwner()
    }

    /// Fires what was due before `moment`, at which an event comes.
    package mutating func expire(before moment: Moment, into gestures: inout [TimedGesture]) {
        for index in entries.indices {
            entries[index].arena.expire(before: moment, into: &gestures)
        }
        releaseOwner()
    }

    /// A scroll without an end of its own may be over.
    private mutating func releaseOwner() {
        guard let owner, let index = entries.firstIndex(where: { $0.seat == owner }),
            !entries[index].arena.isTouching
        else { return }
        self.owner = nil
    }

    /// Says where what is held is at `moment`, the time of a frame.
    package func sample(at moment: Moment, into gestures: inout [TimedGesture]) {
        for index in entries.indices { entries[index].arena.sample(at: moment, into: &gestures) }
    }
}
