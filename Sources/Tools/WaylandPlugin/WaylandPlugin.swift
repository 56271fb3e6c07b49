import PackagePlugin

/// Runs the generator before the target is compiled.
///
/// Generates the server side for `WaylandServer`, the client side for any other target.
@main struct WaylandPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let side = target.name == "WaylandServer" ? "server" : "client"
        let protocols = context.package.directoryURL.appending(path: "protocols")
        let manifest = protocols.appending(path: "manifest")
        let output = context.pluginWorkDirectoryURL.appending(path: "Generated.swift")
        return [
            .buildCommand(
                displayName: "Wayland bindings, \(side) side",
                executable: try context.tool(named: "WaylandGenerator").url,
                arguments: [
                    side, manifest.path(percentEncoded: false), output.path(percentEncoded: false),
                ],
                inputFiles: [manifest, protocols.appending(path: "additions.xml")],
                outputFiles: [output])
        ]
    }
}
