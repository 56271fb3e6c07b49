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
    /// The names of Orca on the session bus: since version 51, and from 48 on.
    private static let readers = ["org.gnome.Orca1.Service", "org.gnome.Orca.Service"]

    /// Reports the address of the accessibility bus while a screen reader or accessibility is enabled.
    ///
    /// The launcher of that bus is not started for this. An address of the environment has priority, as for
    /// all programs, and counts also where no launcher can be seen: in a Flatpak.
    func followAccessibility(_ bus: Bus) {
        _ = bus.subscribe(Portal.bus, "NameOwnerChanged", argument: Self.launcher.program) {
            [weak self] parameters in
            guard let self, let names = parameters.tuple?.map(\.text), names.count == 3 else {
                return
            }
            guard names[2] == "" else { return readStatus(bus) }
            statusNumber += 1
            hasLauncher = false
            deliverAccessibility(BusAddress.ofAccessibility())
        }
        _ = bus.subscribe(Self.properties, "PropertiesChanged", argument: Self.status) {
            [weak self] _ in self?.readStatus(bus)
        }
        for reader in Self.readers {
            _ = bus.subscribe(Portal.bus, "NameOwnerChanged", argument: reader) {
                [weak self] parameters in
                // The question starts a launcher that is not there: only a reader needs that.
                guard let self else { return }
                let hasCome = parameters.tuple?.last?.text != ""
                if hasCome || hasLauncher { readStatus(bus) }
            }
        }
        bus.call(Portal.bus, "NameHasOwner", .tuple([.text(Self.launcher.program)])) {
            [weak self] reply in
            (try? reply.get())?.tuple?.first?.bool == true
                ? self?.readStatus(bus) : self?.deliverAccessibility(BusAddress.ofAccessibility())
        }
    }

    /// Asks for the state; late answers to earlier questions are ignored.
    private func readStatus(_ bus: Bus) {
        statusNumber += 1
        hasLauncher = true
        let number = statusNumber
        bus.call(Self.properties, "GetAll", .tuple([.text(Self.status)])) { [weak self] reply in
            let values = (try? reply.get())?.tuple?.first?.dictionary ?? [:]
            let isEnabled = values["IsEnabled"]?.bool == true
            let deliver = { [weak self] (hasReader: Bool) -> Void in
                guard let self, number == statusNumber else { return }
                deliverStatus(isEnabled: isEnabled || hasReader, hasReader: hasReader, bus)
            }
            // Newer launchers say nothing of readers, and disable accessibility when any program ends that
            // listened to events, even while a reader goes on.
            if let hasReader = values["ScreenReaderEnabled"]?.bool {
                deliver(hasReader)
            } else {
                self?.findReader(bus, found: deliver)
            }
        }
    }

    /// Reports whether a screen reader is on the bus.
    private func findReader(_ bus: Bus, found: @escaping (Bool) -> Void) {
        bus.call(Portal.bus, "ListNames", .tuple([])) { reply in
            let names = (try? reply.get())?.tuple?.first?.array ?? []
            found(names.contains { $0.text.map(Self.readers.contains) == true })
        }
    }

    private func deliverStatus(isEnabled: Bool, hasReader: Bool, _ bus: Bus) {
        guard isEnabled else { return deliverAccessibility(nil) }
        if let address = BusAddress.ofAccessibility() {
            return deliverAccessibility(address, hasReader: hasReader)
        }
        let number = statusNumber
        bus.call(Self.launcher, "GetAddress", .tuple([])) { [weak self] reply in
            guard let self, number == statusNumber else { return }
            let address = (try? reply.get())?.tuple?.first?.text
            deliverAccessibility(address, hasReader: hasReader)
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
