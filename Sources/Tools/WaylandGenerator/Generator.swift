/// Turns protocol descriptions into the Swift of one side.
enum Generator {
    static func source(for interfaces: [Interface], side: Side) -> String {
        var text = SourceText()
        text.line("// Made by WaylandGenerator from the descriptions that protocols/ lists.")
        text.line()
        text.line("import CWayland")
        if side == .server { text.line("package import WaylandProtocol") }
        if side == .client { TableEmitter(interfaces: interfaces).emit(into: &text) }
        for interface in interfaces where side == .client || !side.isBuiltIn(interface) {
            InterfaceEmitter(interface: interface, side: side, interfaces: interfaces)
                .emit(into: &text)
        }
        return text.text
    }
}
