import WaylandProtocol

/// Data that this program offers: until the compositor cancels the source, or a drag is over.
final class DataSource {
    let content: DataContent
    private let raw: any RawSource
    /// Called for each program that asks for data: with the type, and the writing end of a pipe, which
    /// the receiver closes.
    var onSend: ((String, Int32) -> Void)?
    /// Called when nobody can ask any more, or for a drag, when it has ended: with what happened to
    /// the data; empty if nothing did.
    var onEnd: ((DragActions) -> Void)?
    /// Called when the drag is let go over another window.
    var onDrop: (() -> Void)?
    private var action: DragActions = []

    init(_ content: DataContent, _ raw: WlDataSource) {
        self.content = content
        self.raw = raw
        offerTypes()
        raw.onEvent = { [weak self] in self?.receive($0) }
    }

    init(_ content: DataContent, _ raw: ZwpPrimarySelectionSourceV1) {
        self.content = content
        self.raw = raw
        offerTypes()
        raw.onEvent = { [weak self] in
            switch $0 {
            case .send(let type, let descriptor): self?.onSend?(type, descriptor)
            case .cancelled: self?.end([])
            }
        }
    }

    private func offerTypes() {
        for type in content.types.prefix(DataExchange.mostTypes) { raw.offer(mimeType: type) }
    }

    private func receive(_ event: WlDataSource.Event) {
        switch event {
        case .target: break
        case .send(let type, let descriptor): onSend?(type, descriptor)
        case .cancelled: end([])
        case .dndDropPerformed: onDrop?()
        case .dndFinished: end(action)
        case .action(let action): self.action = DragActions(action)
        }
    }

    private func end(_ action: DragActions) {
        destroy()
        let onEnd = onEnd
        self.onEnd = nil
        onEnd?(action)
    }

    /// The source as an object of a drag or of the clipboard.
    var data: WlDataSource? { raw.isAlive ? raw as? WlDataSource : nil }
    /// The source as an object of the primary selection.
    var primary: ZwpPrimarySelectionSourceV1? {
        raw.isAlive ? raw as? ZwpPrimarySelectionSourceV1 : nil
    }

    func destroy() { if raw.isAlive { raw.destroy() } }
}

/// What sources of the clipboard, of a drag and of the primary selection have in common.
private protocol RawSource: Proxy {
    func offer(mimeType: String)
    func destroy()
}

extension WlDataSource: RawSource {}
extension ZwpPrimarySelectionSourceV1: RawSource {}
