import WaylandProtocol

/// A window under a handle that other programs may use as the parent of theirs, by xdg-foreign.
///
/// The handle is valid until `destroy`.
final class ExportedWindow {
    private let raw: ZxdgExportedV2
    /// Nil until the compositor has answered.
    private(set) var handle: String?
    /// A longer handle is nonsense, and would burden the bus.
    private static let longest = 512

    /// `surface` is that of a toplevel.
    init(_ surface: WlSurface, _ exporter: ZxdgExporterV2) {
        raw = exporter.exportToplevel(surface: surface)
        raw.onEvent = { [weak self] in
            guard case .handle(let handle) = $0, handle.utf8.count <= Self.longest else { return }
            self?.handle = handle
        }
    }

    func destroy() { raw.destroy() }
}
