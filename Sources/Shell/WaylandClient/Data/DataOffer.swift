import WaylandProtocol

/// Data that another program offers: a selection, or what it drags.
final class DataOffer {
    private let raw: any RawOffer
    /// The offered types without repetitions, in the order of the other program.
    private(set) var types: [String] = []
    /// The actions of the other program, and the one that the compositor has chosen.
    private(set) var sourceActions: DragActions = []
    private(set) var action: DragActions = []
    /// A type with more bytes is no MIME type.
    private static let longestType = 255

    init(_ raw: WlDataOffer) {
        self.raw = raw
        raw.onEvent = { [weak self] in
            switch $0 {
            case .offer(let type): self?.add(type)
            case .sourceActions(let actions): self?.sourceActions = DragActions(actions)
            case .action(let action): self?.action = DragActions(action)
            }
        }
    }

    init(_ raw: ZwpPrimarySelectionOfferV1) {
        self.raw = raw
        raw.onEvent = { [weak self] in
            if case .offer(let type) = $0 { self?.add(type) }
        }
    }

    private func add(_ type: String) {
        guard types.count < DataExchange.mostTypes, !types.contains(type),
            type.utf8.count <= Self.longestType
        else { return }
        types.append(type)
    }

    /// Whether the object of the protocol is this one.
    func owns(_ object: Proxy?) -> Bool { object === raw }

    /// The offer as an object of a drag; nil for others, and after its destruction.
    var drag: WlDataOffer? { raw.isAlive ? raw as? WlDataOffer : nil }

    /// Asks for the data of an offered type, which the other program writes to a pipe.
    func receive(_ type: String, into descriptor: Int32) {
        if raw.isAlive { raw.receive(mimeType: type, fd: descriptor) }
    }

    func destroy() { if raw.isAlive { raw.destroy() } }
}

/// What offers of the clipboard, of a drag and of the primary selection have in common.
private protocol RawOffer: Proxy {
    func receive(mimeType: String, fd: Int32)
    func destroy()
}

extension WlDataOffer: RawOffer {}
extension ZwpPrimarySelectionOfferV1: RawOffer {}

extension DragActions {
    init(_ actions: WlDataDeviceManager.DndAction) {
        self.init(rawValue: actions.rawValue & 7)
    }

    var wire: WlDataDeviceManager.DndAction {
        WlDataDeviceManager.DndAction(rawValue: rawValue)
    }
}
