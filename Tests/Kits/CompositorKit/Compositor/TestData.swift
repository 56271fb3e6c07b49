import CLinux
import Glibc
package import WaylandProtocol
package import WaylandServer

/// The compositor's side of the clipboard and of drag and drop: records the client's requests, and
/// plays other programs.
package final class TestData {
    package private(set) var device: WlDataDeviceResource?
    package private(set) var primary: ZwpPrimarySelectionDeviceV1Resource?
    /// The requests of the client, as texts.
    package private(set) var requests: [String] = []
    /// The sources that the client has made, with the types that they offer.
    package private(set) var sources: [SourceLog] = []
    package private(set) var primarySources: [ZwpPrimarySelectionSourceV1Resource] = []
    /// The source of the clipboard.
    package private(set) var selected: SourceLog?
    package private(set) var dragged: SourceLog?
    /// The surface of a drag's picture.
    package private(set) var icon: WlSurfaceResource?

    package final class SourceLog {
        package let resource: WlDataSourceResource
        package private(set) var types: [String] = []
        package private(set) var actions: WlDataDeviceManager.DndAction = []
        package private(set) var isDestroyed = false

        init(_ resource: WlDataSourceResource) {
            self.resource = resource
            resource.onRequest = { [unowned self] in
                switch $0 {
                case .offer(let type): types.append(type)
                case .setActions(let actions): self.actions = actions
                case .destroy: isDestroyed = true
                }
            }
        }

        /// Asks for data; returns the reading end of the pipe.
        package func ask(_ type: String) -> Int32 {
            var ends: [Int32] = [-1, -1]
            precondition(pipe(&ends) == 0, "no descriptor for a pipe")
            resource.send(mimeType: type, fd: ends[1])
            close(ends[1])
            return ends[0]
        }
    }

    /// An offer of another program that records the client's requests.
    package final class OfferLog {
        package let resource: WlDataOfferResource
        package private(set) var requests: [String] = []
        /// The writing ends of the pipes that the client waits at.
        package private(set) var pipes: [Int32] = []

        init(_ resource: WlDataOfferResource) {
            self.resource = resource
            // A test may have dropped the log.
            resource.onRequest = { [weak self] in
                guard let self else { return }
                switch $0 {
                case .accept(_, let type): requests.append("accept \(type ?? "nothing")")
                case .receive(let type, let descriptor):
                    requests.append("receive \(type)")
                    pipes.append(descriptor)
                case .setActions(let actions, let preferred):
                    requests.append("actions \(actions.rawValue) \(preferred.rawValue)")
                case .finish: requests.append("finish")
                case .destroy: requests.append("destroy")
                }
            }
        }

        /// Sends as many bytes as fit now to the client that waits last; returns whether all are sent.
        ///
        /// `bytes` are those that are left afterwards. Without any left the client gets their end.
        package func send(from bytes: inout ArraySlice<UInt8>) -> Bool {
            guard let descriptor = pipes.last else { return false }
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            let count = bytes.withUnsafeBytes {
                clinux_write_now(descriptor, $0.baseAddress, $0.count)
            }
            bytes = bytes.dropFirst(max(count, 0))
            guard bytes.isEmpty else { return false }
            pipes.removeLast()
            close(descriptor)
            return true
        }

        /// Sends bytes to the client that waits last, and ends them.
        package func send(_ bytes: [UInt8]) {
            guard let descriptor = pipes.popLast() else { return }
            _ = bytes.withUnsafeBytes { clinux_write_now(descriptor, $0.baseAddress, $0.count) }
            close(descriptor)
        }
    }

    package init() {}

    package func offer(_ server: Server, _ version: UInt32) throws(ServerError) {
        try server.addGlobal(WlDataDeviceManagerResource.self, version: version) {
            [unowned self] manager in
            manager.onRequest = { [unowned self] in
                switch $0 {
                case .createDataSource(let id): sources.append(SourceLog(id))
                case .getDataDevice(let id, _):
                    device = id
                    id.onRequest = { [unowned self] in receive($0) }
                }
            }
        }
    }

    package func offerPrimary(_ server: Server) throws(ServerError) {
        try server.addGlobal(ZwpPrimarySelectionDeviceManagerV1Resource.self, version: 1) {
            [unowned self] manager in
            manager.onRequest = { [unowned self] in
                switch $0 {
                case .createSource(let id): primarySources.append(id)
                case .getDevice(let id, _): primary = id
                case .destroy: break
                }
            }
        }
    }

    /// Makes another program's data the primary selection; returns the list that the types which the
    /// client asks for, and the pipes at which it waits, are added to.
    package func selectPrimary(_ types: [String]) -> PrimaryLog {
        guard let primary else { preconditionFailure("the client has made no primary device") }
        let offer = ZwpPrimarySelectionOfferV1Resource(
            client: primary.client, version: primary.version, id: 0)
        primary.dataOffer(offer: offer)
        for type in types { offer.offer(mimeType: type) }
        primary.selection(id: offer)
        return PrimaryLog(offer)
    }

    /// A primary selection of another program.
    package final class PrimaryLog {
        package private(set) var asked: [String] = []
        private var pipes: [Int32] = []

        init(_ resource: ZwpPrimarySelectionOfferV1Resource) {
            resource.onRequest = { [weak self] in
                guard let self, case .receive(let type, let descriptor) = $0 else { return }
                asked.append(type)
                pipes.append(descriptor)
            }
        }

        /// Sends bytes to the client that waits last, and ends them.
        package func send(_ bytes: [UInt8]) {
            guard let descriptor = pipes.popLast() else { return }
            _ = bytes.withUnsafeBytes { clinux_write_now(descriptor, $0.baseAddress, $0.count) }
            close(descriptor)
        }
    }

    private func receive(_ request: WlDataDeviceResource.Request) {
        switch request {
        case .setSelection(let source, let serial):
            selected = sources.first { $0.resource === source }
            requests.append("selection \(serial)")
        case .startDrag(let source, _, let icon, let serial):
            dragged = sources.first { $0.resource === source }
            self.icon = icon
            requests.append("drag \(serial)")
        case .release: requests.append("release")
        }
    }

    /// Announces an offer with these types.
    package func makeOffer(_ types: [String], actions: WlDataDeviceManager.DndAction? = nil)
        -> OfferLog
    {
        guard let device else { preconditionFailure("the client has made no data device") }
        let resource = WlDataOfferResource(
            client: device.client, version: device.version, id: 0)
        device.dataOffer(id: resource)
        for type in types { resource.offer(mimeType: type) }
        if let actions { resource.sourceActions(sourceActions: actions) }
        return OfferLog(resource)
    }

    /// Makes another program's data the clipboard.
    package func select(_ types: [String]) -> OfferLog {
        let offer = makeOffer(types)
        device?.selection(id: offer.resource)
        return offer
    }
}
