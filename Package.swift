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
func core(_ name: String, _ dependencies: [String] = [], path: String? = nil) -> Target {
    .target(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, path: path,
        swiftSettings: strict + [.strictMemorySafety()] + optimized)
}

/// A target that wraps a C library or the system, and owns the lifetimes there.
func edge(
    _ name: String, _ dependencies: [String], path: String? = nil,
    plugins: [Target.PluginUsage] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, path: path,
        swiftSettings: strict, plugins: plugins)
}

func program(_ name: String, _ dependencies: [String], _ path: String? = nil) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, path: path,
        swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [String], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) }, exclude: exclude,
        swiftSettings: strict)
}

let package = Package(
    name: "vitrine",
    products: [
        .executable(name: "vitrine", targets: ["vitrine"]),
        .executable(name: "vitrine-decode", targets: ["vitrine-decode"]),
    ],
    targets: [
        // C, each imported by one Swift target only (CLinux: by every edge).
        .target(name: "CLinux"),
        .systemLibrary(
            name: "CWayland", pkgConfig: "wayland-client", providers: [.apt(["libwayland-dev"])]),
        .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
        .systemLibrary(
            name: "CXKB", pkgConfig: "xkbcommon", providers: [.apt(["libxkbcommon-dev"])]),
        .target(name: "CCage"),
        .target(name: "CPainting"),
        .target(name: "CCodecs", linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("spng")]),

        // The pure core.
        core("Geometry"),
        core("Motion", ["Geometry"]),
        core("Input", ["Geometry", "Motion"]),
        core("Gestures", ["Geometry", "Motion", "Input"]),
        core("Pictures", ["Geometry"]),
        core("SceneModel", ["Geometry", "Pictures"]),
        core("Settings"),
        core("Pacing", ["Geometry", "Motion", "SceneModel", "Settings"]),
        core(
            "ViewerCore",
            ["Geometry", "Motion", "Input", "Gestures", "Pictures", "SceneModel", "Settings"]),
        core("Wall", ["Geometry", "Motion", "Input", "Gestures", "Settings"]),

        core(
            "GalleryCore",
            [
                "Geometry", "Motion", "Input", "Gestures", "Pictures", "SceneModel", "ViewerCore",
                "Wall",
            ]),

        // Wayland: the generator, what it makes, and the client on top.
        program("WaylandGenerator", []),
        .plugin(
            name: "WaylandPlugin", capability: .buildTool(), dependencies: ["WaylandGenerator"],
            path: "Sources/WaylandPlugin"),
        edge("WaylandProtocol", ["CWayland", "CLinux"], plugins: ["WaylandPlugin"]),
        edge(
            "WaylandClient",
            ["WaylandProtocol", "CWayland", "CXKB", "CLinux", "Geometry", "Motion", "Input"]),

        // Decoding: the wire between the two programs, the decoders, and the viewer's end.
        edge("DecodeWire", ["CLinux", "Geometry", "Pictures"]),
        edge("Codecs", ["CCodecs", "CLinux", "DecodeWire", "Geometry", "Pictures", "Threads"]),
        edge("Cage", ["CCage", "CLinux", "DecodeWire", "Pictures"]),
        edge(
            "DecodeService",
            ["Codecs", "CLinux", "DecodeWire", "Geometry", "Pictures", "Threads"]),
        edge("DecodeClient", ["DecodeWire", "CLinux", "Geometry", "Motion", "Pictures"]),

        edge(
            "Thumbnails",
            [
                "DecodeClient", "DecodeWire", "CLinux", "Geometry", "Motion", "Pictures", "Threads",
            ]),
        edge("Threads", ["CLinux"]),
        edge("Collection", ["CLinux", "Pictures", "Threads"]),
        edge("Painting", ["CCairo", "CPainting", "Geometry", "Pictures", "SceneModel"]),

        // The programs.
        edge(
            "Application",
            [
                "CLinux", "Geometry", "Motion", "Input", "Gestures", "Pictures", "SceneModel",
                "ViewerCore", "Wall", "GalleryCore", "Collection", "Thumbnails", "Settings",
                "WaylandClient", "Painting", "DecodeClient", "DecodeWire", "Threads", "Pacing",
            ]),
        program("vitrine", ["Application"]),
        program("vitrine-decode", ["Cage", "DecodeService"]),

        program(
            "vitrine-bench",
            [
                "CLinux", "CompositorKit", "Geometry", "Gestures", "Input", "Motion", "Painting",
                "Pictures", "SceneModel", "TestKit", "Threads", "ViewerCore",
            ]),

        // Tests: one per target, and what they share.
        .target(
            name: "WaylandServer", dependencies: ["WaylandProtocol", "CWayland", "CLinux"],
            path: "Tests/WaylandServer",
            swiftSettings: strict, linkerSettings: [.linkedLibrary("wayland-server")],
            plugins: ["WaylandPlugin"]),
        edge(
            "TestKit", ["CTestPictures", "CLinux", "Geometry"], path: "Tests/TestKit"),
        edge(
            "CompositorKit",
            ["WaylandServer", "WaylandProtocol", "CLinux", "Input", "Motion", "Geometry"],
            path: "Tests/CompositorKit"),
        .target(
            name: "CTestPictures", path: "Tests/CTestPictures",
            linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("spng")]),
        core("CoreTestKit", ["Geometry", "Input"], path: "Tests/CoreTestKit"),
        .target(name: "CTrespass", path: "Tests/CTrespass"),
        program(
            "HostileDecoder",
            [
                "Cage", "CLinux", "CTrespass", "DecodeService", "DecodeWire", "Geometry",
                "Pictures",
            ],
            "Tests/HostileDecoder"),
        program(
            "Feel",
            [
                "Application", "CompositorKit", "CoreTestKit", "GalleryCore", "Geometry", "Input",
                "Motion", "SceneModel", "TestKit", "ViewerCore", "Wall", "WaylandClient",
            ],
            "Tests/Feel"),
        program(
            "DecodeBench", ["DecodeClient", "Pictures", "Geometry", "Motion", "CLinux"],
            "Tests/DecodeBench"),
        program(
            "CollectionBench", ["Collection", "Thumbnails", "CLinux"], "Tests/CollectionBench"),
        tests("GeometryTests", ["Geometry"]),
        tests("PicturesTests", ["Pictures"]),
        tests("MotionTests", ["Motion", "Geometry"]),
        tests("InputTests", ["CoreTestKit", "Input", "Motion", "Geometry"]),
        tests("GesturesTests", ["CoreTestKit", "Gestures", "Input", "Motion", "Geometry"]),
        tests(
            "ViewerCoreTests",
            [
                "CoreTestKit", "ViewerCore", "Gestures", "Input", "Motion", "Geometry", "Pictures",
                "SceneModel",
            ]),
        tests(
            "WallTests",
            ["CoreTestKit", "Wall", "Gestures", "Input", "Motion", "Geometry", "Settings"]),
        tests(
            "GalleryTests",
            [
                "CoreTestKit", "GalleryCore", "Wall", "ViewerCore", "Gestures", "Input", "Motion",
                "Geometry",
                "Pictures", "SceneModel",
            ]),
        tests("PacingTests", ["Pacing", "Geometry", "Motion", "SceneModel"]),
        tests(
            "PaintingTests",
            [
                "CCairo", "CPainting", "CoreTestKit", "Painting", "SceneModel", "Pictures",
                "Geometry", "TestKit",
            ]),
        tests(
            "WaylandTests",
            [
                "WaylandClient", "WaylandProtocol", "WaylandServer", "WaylandGenerator",
                "CWayland", "CLinux", "Input", "Motion", "Geometry",
            ]),
        tests(
            "DecodeTests",
            [
                "DecodeClient", "DecodeWire", "Codecs", "Pictures", "Geometry", "Motion", "CLinux",
                "CoreTestKit", "TestKit", "HostileDecoder", "Threads",
            ]),
        tests(
            "ThumbnailsTests",
            [
                "Thumbnails", "DecodeClient", "DecodeWire", "Codecs", "Pictures", "Geometry",
                "Motion", "CLinux", "TestKit", "HostileDecoder",
            ]),
        tests("CollectionTests", ["Collection", "CLinux", "Pictures", "TestKit"]),
        tests(
            "ProgramTests",
            ["CompositorKit", "TestKit", "Geometry", "Input", "HostileDecoder", "Pictures"]),
        tests(
            "CompositorTests",
            [
                "CompositorKit", "WaylandServer", "WaylandClient", "WaylandProtocol", "TestKit",
                "CLinux", "Input", "Motion", "Geometry", "ViewerCore",
            ]),
        tests("EndToEndTests", ["TestKit", "Geometry"], exclude: ["Support"]),
    ],
    swiftLanguageModes: [.v6]
)

// The fuzzing harnesses, which meson-helpers/fuzz alone builds: they need libFuzzer and every module
// of theirs instrumented, and have no place in an ordinary build.
if Context.environment["VITRINE_FUZZING"] != nil {
    package.targets += [
        .target(name: "CFuzzer", path: "Tests/CFuzzer"),
        program(
            "Fuzzing",
            [
                "CCodecs", "CFuzzer", "CLinux", "Codecs", "DecodeClient", "DecodeWire", "Geometry",
                "Pictures",
                "TestKit", "Thumbnails",
            ], "Tests/Fuzzing"),
    ]
}
