import WaylandProtocol

/// The buttons, rings and strips beside a tablet, which have no meaning here.
///
/// The pad introduces its parts up to `done`. The objects are kept until then: libwayland drops the events
/// of a destroyed object, and with them the parts whose numbers it must know. Afterwards all of them are
/// destroyed, so that the pad sends nothing any more.
final class IgnoredPad {
    private let raw: ZwpTabletPadV2
    private var groups: [ZwpTabletPadGroupV2] = []
    private var rings: [ZwpTabletPadRingV2] = []
    private var strips: [ZwpTabletPadStripV2] = []

    /// `ended` is called when nothing follows from the pad.
    init(_ raw: ZwpTabletPadV2, ended: @escaping (IgnoredPad) -> Void) {
        self.raw = raw
        raw.onEvent = { [unowned self] in
            switch $0 {
            case .group(let group): keep(group)
            case .done, .removed:
                destroy()
                ended(self)
            case .path, .buttons, .button, .enter, .leave: break
            }
        }
    }

    private func keep(_ group: ZwpTabletPadGroupV2) {
        groups.append(group)
        group.onEvent = { [unowned self] in
            switch $0 {
            case .ring(let ring): rings.append(ring)
            case .strip(let strip): strips.append(strip)
            case .buttons, .modes, .done, .modeSwitch: break
            }
        }
    }

    /// Destroys the parts before the pad, as long as it lives.
    func destroy() {
        for ring in rings { ring.destroy() }
        for strip in strips { strip.destroy() }
        for group in groups { group.destroy() }
        (rings, strips, groups) = ([], [], [])
        if raw.isAlive { raw.destroy() }
    }
}
