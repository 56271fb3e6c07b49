// swift-tools-version: 6.2
// The target list is the architecture: Sources/README.md draws it and says why each part is there.

import PackageDescription

/// What every Swift target is compiled with; the language mode is Swift 6.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// The pure core is optimised in debug builds too, so that twenty thousand random scripts are a
/// test of seconds.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// A pure target: values in, values out; no C, no clock, no I/O.
func core(
    _ name: String, in folder: String = "Sources/Core", _ dependencies: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) },
        path: "\(folder)/\(name)",
        swiftSettings: strict + [.strictMemorySafety()] + optimized)
}

/// A target that wraps a C library or the system, and owns the lifetimes there.
func edge(
    _ name: String, in folder: String, _ dependencies: [String],
    plugins: [Target.PluginUsage] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) },
        path: "\(folder)/\(name)",
        swiftSettings: strict, plugins: plugins)
}

func program(_ name: String, in folder: String, _ dependencies: [String]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) },
        path: "\(folder)/\(name)",
        swiftSettings: strict)
}

func tests(
    _ name: String, in folder: String, _ dependencies: [String], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) },
        path: "\(folder)/\(name)", exclude: exclude,
        swiftSettings: strict)
}

let package = Package(
    name: "vitrine",
    products: [
        .executable(name: "vitrine", targets: ["vitrine"]),
        .executable(name: "vitrine-decode", targets: ["vitrine-decode"]),
    ],
    targets: [
        // C modules. CMath is for the core; each library has one importing target, CWayland two.
        .systemLibrary(name: "CMath", path: "Sources/System/CMath"),
        .target(name: "CLinux", path: "Sources/System/CLinux"),
        .systemLibrary(
            name: "CWayland", path: "Sources/System/CWayland", pkgConfig: "wayland-client",
            providers: [.apt(["libwayland-dev"])]),
        .systemLibrary(
            name: "CCairo", path: "Sources/System/CCairo", pkgConfig: "cairo",
            providers: [.apt(["libcairo2-dev"])]),
        .systemLibrary(
            name: "CXKB", path: "Sources/System/CXKB", pkgConfig: "xkbcommon",
            providers: [.apt(["libxkbcommon-dev"])]),
        .target(name: "CSandbox", path: "Sources/System/CSandbox"),
        .target(name: "CPainting", path: "Sources/System/CPainting"),
        .target(
            name: "CCodecs", path: "Sources/System/CCodecs",
            linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("spng")]),

        // The pure core.
        core("Geometry", ["CMath"]),
        core("Motion", ["CMath", "Geometry"]),
        core("Input", ["Geometry", "Motion"]),
        core("Gestures", ["CMath", "Geometry", "Motion", "Input"]),
        core("ImageTypes", ["Geometry"]),
        core("SceneModel", ["Geometry", "ImageTypes"]),
        core("Settings"),
        core("Commands", ["Input"]),
        core("Pacing", ["CMath", "Geometry", "Motion", "SceneModel", "Settings"]),
        core(
            "Viewer",
            [
                "CMath", "Commands", "Geometry", "Motion", "Input", "Gestures", "ImageTypes",
                "SceneModel", "Settings",
            ]),
        core("Grid", ["CMath", "Commands", "Geometry", "Motion", "Input", "Gestures", "Settings"]),

        core(
            "Browser",
            [
                "Geometry", "Motion", "Input", "Gestures", "SceneModel", "Viewer",
                "Grid",
            ]),

        // Wayland: the generator, what it makes, and the client on top.
        program("WaylandGenerator", in: "Sources/Tools", []),
        .plugin(
            name: "WaylandPlugin", capability: .buildTool(), dependencies: ["WaylandGenerator"],
            path: "Sources/Tools/WaylandPlugin"),
        edge(
            "WaylandProtocol", in: "Sources/Shell", ["CWayland", "CLinux"],
            plugins: ["WaylandPlugin"]),
        edge(
            "WaylandClient", in: "Sources/Shell",
            ["WaylandProtocol", "CWayland", "CXKB", "CLinux", "Geometry", "Motion", "Input"]),

        // Decoding: the wire between the two programs, the decoders, and the viewer's end.
        edge("ImageWire", in: "Sources/System", ["Geometry", "ImageTypes"]),
        edge(
            "Codecs", in: "Sources/Decoder",
            ["CCodecs", "CLinux", "ImageWire", "Geometry", "ImageTypes", "Threads"]),
        edge("Sandbox", in: "Sources/Decoder", ["CSandbox", "CLinux", "ImageWire", "ImageTypes"]),
        edge(
            "DecodeService", in: "Sources/Decoder",
            ["Codecs", "CLinux", "ImageWire", "Geometry", "ImageTypes", "Threads"]),
        edge(
            "DecodeClient", in: "Sources/Shell",
            ["ImageWire", "CLinux", "Geometry", "Motion", "ImageTypes"]),

        edge(
            "Thumbnails", in: "Sources/Shell",
            [
                "DecodeClient", "ImageWire", "CLinux", "Geometry", "Motion", "ImageTypes",
                "Threads",
            ]),
        edge("Threads", in: "Sources/System", ["CLinux"]),
        edge("Folders", in: "Sources/Shell", ["CLinux", "ImageTypes", "Threads"]),
        edge(
            "Painting", in: "Sources/Shell",
            ["CCairo", "CPainting", "Geometry", "ImageTypes", "SceneModel"]),

        // The programs.
        edge(
            "Application", in: "Sources/Shell",
            [
                "Commands", "CLinux", "Geometry", "Motion", "Input", "Gestures", "ImageTypes",
                "SceneModel",
                "Viewer", "Grid", "Browser", "Folders", "Thumbnails", "Settings",
                "WaylandClient", "Painting", "DecodeClient", "ImageWire", "Threads", "Pacing",
            ]),
        program("vitrine", in: "Sources/Programs", ["Application"]),
        program("vitrine-documents", in: "Sources/Tools", ["Application"]),
        program("vitrine-decode", in: "Sources/Programs", ["Sandbox", "DecodeService"]),

        program(
            "vitrine-bench", in: "Sources/Tools",
            [
                "CLinux", "CompositorKit", "Geometry", "Gestures", "Input", "Motion", "Painting",
                "ImageTypes", "SceneModel", "TestKit", "Threads", "Viewer",
            ]),

        // Tests: one per target, and what they share.
        .target(
            name: "WaylandServer", dependencies: ["WaylandProtocol", "CWayland", "CLinux"],
            path: "Tests/Kits/WaylandServer",
            swiftSettings: strict, linkerSettings: [.linkedLibrary("wayland-server")],
            plugins: ["WaylandPlugin"]),
        edge(
            "TestKit", in: "Tests/Kits", ["CTestPictures", "CLinux", "Geometry"]),
        edge(
            "CompositorKit", in: "Tests/Kits",
            ["WaylandServer", "WaylandProtocol", "CLinux", "Input", "Motion", "Geometry"]),
        .target(
            name: "CTestPictures", path: "Tests/Kits/CTestPictures",
            linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("spng")]),
        core("CoreTestKit", in: "Tests/Kits", ["Geometry", "Input"]),
        .target(name: "CTrespass", path: "Tests/Decoder/CTrespass"),
        program(
            "HostileDecoder", in: "Tests/Decoder",
            [
                "Sandbox", "CLinux", "CTrespass", "DecodeService", "ImageWire", "Geometry",
                "ImageTypes",
            ]),
        program(
            "Feel", in: "Tests/Tools",
            [
                "Application", "CompositorKit", "CoreTestKit", "Browser", "Geometry", "Input",
                "Motion", "SceneModel", "TestKit", "Viewer", "Grid", "WaylandClient",
            ]),
        program(
            "DecodeBench", in: "Tests/Tools",
            ["DecodeClient", "ImageTypes", "Geometry", "Motion", "CLinux"]),
        program(
            "FolderBench", in: "Tests/Tools", ["Folders", "Thumbnails", "CLinux"]),
        tests("GeometryTests", in: "Tests/Core", ["Geometry"]),
        tests("ImageTypesTests", in: "Tests/Core", ["ImageTypes"]),
        tests("MotionTests", in: "Tests/Core", ["Motion", "Geometry"]),
        tests("InputTests", in: "Tests/Core", ["CoreTestKit", "Input", "Motion", "Geometry"]),
        tests(
            "GesturesTests", in: "Tests/Core",
            ["CoreTestKit", "Gestures", "Input", "Motion", "Geometry"]),
        tests(
            "ViewerTests", in: "Tests/Core",
            [
                "Commands", "CoreTestKit", "Viewer", "Gestures", "Input", "Motion", "Geometry",
                "ImageTypes",
                "SceneModel",
            ]),
        tests(
            "GridTests", in: "Tests/Core",
            [
                "Commands", "CoreTestKit", "Grid", "Gestures", "Input", "Motion", "Geometry",
                "Settings",
            ]),
        tests(
            "BrowserTests", in: "Tests/Core",
            [
                "CoreTestKit", "Browser", "Grid", "Viewer", "Gestures", "Input", "Motion",
                "Geometry",
                "SceneModel",
            ]),
        tests("CommandsTests", in: "Tests/Core", ["Commands", "Input"]),
        tests("PacingTests", in: "Tests/Core", ["Pacing", "Geometry", "Motion", "SceneModel"]),
        tests(
            "PaintingTests", in: "Tests/Shell",
            [
                "CCairo", "CPainting", "CoreTestKit", "Painting", "SceneModel", "ImageTypes",
                "Geometry",
            ]),
        tests(
            "WaylandTests", in: "Tests/Shell",
            [
                "WaylandClient", "WaylandProtocol", "WaylandServer", "WaylandGenerator",
                "CWayland", "CLinux", "Input", "Motion", "Geometry",
            ]),
        tests(
            "DecodeTests", in: "Tests/Decoder",
            [
                "DecodeClient", "ImageWire", "Codecs", "ImageTypes", "Geometry", "Motion", "CLinux",
                "CoreTestKit", "TestKit", "HostileDecoder", "Threads",
            ]),
        tests(
            "ThumbnailsTests", in: "Tests/Shell",
            [
                "Thumbnails", "ImageTypes", "Geometry",
                "CLinux", "TestKit", "HostileDecoder",
            ]),
        tests("FoldersTests", in: "Tests/Shell", ["Folders", "CLinux", "ImageTypes", "TestKit"]),
        tests(
            "ProgramTests", in: "Tests/Programs",
            ["CompositorKit", "TestKit", "Geometry", "Input", "HostileDecoder", "ImageTypes"]),
        tests(
            "CompositorTests", in: "Tests/Programs",
            [
                "CompositorKit", "WaylandServer", "WaylandClient", "WaylandProtocol", "TestKit",
                "CLinux", "Input", "Motion", "Geometry", "Viewer",
            ]),
        tests(
            "EndToEndTests", in: "Tests/Programs", ["TestKit", "Geometry"], exclude: ["Support"]),
    ],
    swiftLanguageModes: [.v6]
)

// The fuzzing harnesses, which meson-helpers/fuzz alone builds: they need libFuzzer and every module
// of theirs instrumented, and have no place in an ordinary build.
if Context.environment["VITRINE_FUZZING"] != nil {
    package.targets += [
        .target(name: "CFuzzer", path: "Tests/Decoder/CFuzzer"),
        program(
            "Fuzzing", in: "Tests/Decoder",
            [
                "CCodecs", "CFuzzer", "CLinux", "Codecs", "DecodeClient", "ImageWire", "Geometry",
                "ImageTypes",
                "TestKit", "Thumbnails",
            ]),
    ]
}
