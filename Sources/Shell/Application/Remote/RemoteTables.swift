import Commands
import Control
import Geometry
import Glibc
import JSON
import TOML
import WaylandClient

/// The tables of the program as replies to messages.
enum RemoteTables {
    /// The program that answers, and the version of the protocol.
    static var hello: String {
        var line = JSONLine()
        line.add("program", "vitrine \(Help.version)")
        line.add("version", ControlProtocol.version)
        line.add("pid", Int(getpid()))
        return line.close()
    }

    /// The outputs of the compositor, and whether a window of the kiosk is on each.
    static func outputs(of run: WaylandRun) -> String {
        var line = JSONLine()
        line.objects("outputs", run.compositor.outputs) { output, object in
            object.add("name", output.label)
            object.add("make", output.make)
            object.add("model", output.model)
            object.add(
                "size", [Double(output.pixelSize.width), Double(output.pixelSize.height)])
            object.add("scale", output.scale)
            object.add("shown", run.windows.contains { $0.window?.output === output })
        }
        return line.close()
    }

    static func commands(_ options: Options) -> String {
        var line = JSONLine()
        line.objects("commands", CommandTable.entries) { entry, object in
            object.add("id", entry.command.rawValue)
            object.add("title", entry.title)
            object.object("keys") { keys in
                for (mode, name) in [(CommandMode.viewer, "viewer"), (.grid, "grid")] {
                    keys.add(
                        name,
                        InstalledDocuments.names(
                            of: options.values.keys.map.keys(of: entry, in: mode)))
                }
            }
            object.add("help", entry.summary(in: .viewer))
        }
        return line.close()
    }

    static func settings(_ options: Options) -> String {
        var line = JSONLine()
        let defaults = SettingValues.descriptions
        line.objects("settings", Array(zip(options.values.descriptions, defaults))) {
            pair, object in
            object.add("key", pair.0.name)
            object.add("value", pair.0.value?.plainText)
            object.add("default", pair.1.value?.plainText)
            object.add("values", pair.0.values)
        }
        return line.close()
    }
}
