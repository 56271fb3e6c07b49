/// What the desktop says of assistive technology while accessibility is enabled.
package struct AssistiveTechnology: Hashable, Sendable {
    /// Where the accessibility bus is.
    package var address: String
    /// Whether a screen reader is used.
    package var hasReader: Bool
}

/// Whether the desktop wants programs to serve assistive technology, followed live.
extension DesktopClient {
    private static let launcher = Bus.Interface(
        program: "org.a11y.Bus", path: "/org/a11y/bus", name: "org.a11y.Bus")
    private static let properties = Bus.Interface(
        program: "org.a11y.Bus", path: "/org/a11y/bus", name: Bus.properties)
    private static let status = "org.a11y.Status"

    /// Reports the address of the accessibility bus while a screen reader or accessibility is enabled.
    ///
    /// The launcher of that bus is not started for this. An address of the environment has priority, as for
    /// all programs, and counts also where no launcher can be seen: in a Flatpak.
    func followAccessibility(_ bus: Bus) {
        _ = bus.subscribe(Portal.bus, "NameOwnerChanged", argument: Self.launcher.program) {
            [weak self] parameters in
            guard let names = parameters.tuple?.map(\.text), names.count == 3 else { return }
            names[2] == ""
                ? self?.deliverAccessibility(BusAddress.ofAccessibility()) : self?.readStatus(bus)
        }
        _ = bus.subscribe(Self.properties, "PropertiesChanged", argument: Self.status) {
            [weak self] _ in self?.readStatus(bus)
        }
        bus.call(Portal.bus, "NameHasOwner", .tuple([.text(Self.launcher.program)])) {
            [weak self] reply in
            (try? reply.get())?.tuple?.first?.bool == true
                ? self?.readStatus(bus) : self?.deliverAccessibility(BusAddress.ofAccessibility())
        }
    }

    private func readStatus(_ bus: Bus) {
        bus.call(Self.properties, "GetAll", .tuple([.text(Self.status)])) { [weak self] reply in
            let values = (try? reply.get())?.tuple?.first?.dictionary ?? [:]
            let hasReader = values["ScreenReaderEnabled"]?.bool == true
            guard hasReader || values["IsEnabled"]?.bool == true else {
                return self?.deliverAccessibility(nil) ?? ()
            }
            if let address = BusAddress.ofAccessibility() {
                return self?.deliverAccessibility(address, hasReader: hasReader) ?? ()
            }
            bus.call(Self.launcher, "GetAddress", .tuple([])) { [weak self] reply in
                let address = (try? reply.get())?.tuple?.first?.text
                self?.deliverAccessibility(address, hasReader: hasReader)
            }
        }
    }

    /// Delivers a state that differs from the one before; only sockets of this machine count.
    private func deliverAccessibility(_ address: String?, hasReader: Bool = false) {
        let new = address.flatMap {
            $0.hasPrefix("unix:") ? AssistiveTechnology(address: $0, hasReader: hasReader) : nil
        }
        guard new != assistiveTechnology else { return }
        assistiveTechnology = new
        post(.accessibility(new))
    }
}
