import Control
import Input
import Motion

/// A gesture script that is played into a running viewer in real time.
struct ScriptPlayer {
    private let script: GestureScript
    private let start: Moment
    private var next = 0
    /// The peer that waits for the end.
    let peer: ControlServer.Peer

    init(_ script: GestureScript, at start: Moment, for peer: ControlServer.Peer) {
        (self.script, self.start, self.peer) = (script, start, peer)
    }

    private func moment(of time: Moment) -> Moment {
        start.advanced(byMilliseconds: time.milliseconds)
    }

    /// When the next event, or the end, is due.
    var deadline: Moment {
        moment(of: next < script.entries.count ? script.entries[next].moment : script.end)
    }

    /// Whether all is played.
    func isOver(at now: Moment) -> Bool {
        next >= script.entries.count && moment(of: script.end) <= now
    }

    /// The next event that is due, with its moment; nil if none is.
    ///
    /// The size and the scale of the window are the compositor's, so that these lines do nothing.
    mutating func nextEvent(upTo now: Moment) -> (event: InputEvent, moment: Moment)? {
        while next < script.entries.count {
            let entry = script.entries[next]
            let moment = moment(of: entry.moment)
            guard moment <= now else { return nil }
            next += 1
            switch entry.event {
            case .resize, .scale: continue
            default: return (entry.event, moment)
            }
        }
        return nil
    }

    /// What forgets the fingers, the pointer and the modifiers of a script that ends before it lifts them.
    static let ending: [InputEvent] = [.touch(.cancel), .pointer(.leave), .modifiers([])]
}
