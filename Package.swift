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

/// The pure core is optimised in debug builds too, so that thousands of random scripts are a test of
/// seconds.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Most tests are not optimised where the rest is: they take longer to compile than to run.
let unoptimized: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// The part of the package that is built, nil for all; see the end of this file.
let part = Context.environment["VITRINE_PART"]

/// Whether the C code reports bad addresses.
let checksAddresses = part == "addresses"

/// How C code ends at undefined behaviour: with a report where `meson-helpers/check/sanitize` links the
/// functions that write it, else by a trap.
let ending =
    Context.environment["VITRINE_SANITIZER"] != nil
    ? ["-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-DVITRINE_SANITIZER"]
    : ["-fsanitize-trap=undefined"]

/// The C code is optimised in debug builds too.
///
/// There, and where bad addresses are reported, it ends at undefined behaviour.
let checked: [CSetting] = [
    .unsafeFlags(
        ["-O2", "-fsanitize=undefined"] + ending
            + (checksAddresses ? ["-fsanitize=address", "-fno-omit-frame-pointer"] : []),
        checksAddresses ? nil : .when(configuration: .debug))
]

/// Folders of headers that headers of OpenEXR 3.4 include without the name of the folder, relative to the
/// root of the system that is compiled for.
let headersOfOpenEXR: [CSetting] = [
    .unsafeFlags(["OpenEXR", "Imath"].flatMap { ["-iwithsysroot", "/usr/include/\($0)"] })
]

/// What links the reports of bad addresses.
let linked: [LinkerSetting] = checksAddresses ? [.unsafeFlags(["-sanitize=address"])] : []

/// What links the runtime of Swift into a program that is installed.
let selfContained: [LinkerSetting] = [
    .unsafeFlags(["-static-stdlib"], .when(configuration: .release))
]

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
///
/// Set `isHot` for code that loops over pixels or bytes: without optimisation its tests are slow.
func edge(
    _ name: String, in folder: String, _ dependencies: [String],
    plugins: [Target.PluginUsage] = [], isHot: Bool = false
) -> Target {
    .target(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) },
        path: "\(folder)/\(name)",
        swiftSettings: isHot ? strict + optimized : strict, plugins: plugins)
}

func program(
    _ name: String, in folder: String, _ dependencies: [String],
    linkerSettings: [LinkerSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) },
        path: "\(folder)/\(name)",
        swiftSettings: strict, linkerSettings: linkerSettings)
}

/// A program that packages install.
func installed(_ name: String, _ dependencies: [String]) -> Target {
    program(name, in: "Sources/Programs", dependencies, linkerSettings: selfContained)
}

/// Set `isHot` for tests that compute their expectations pixel by pixel.
func tests(
    _ name: String, in folder: String, _ dependencies: [String], exclude: [String] = [],
    isHot: Bool = false
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies.map { .init(stringLiteral: $0) },
        path: "\(folder)/\(name)", exclude: exclude,
        swiftSettings: isHot ? strict + optimized : strict + unoptimized)
}

let package = Package(
    name: "vitrine",
    products: [
        .executable(name: "vitrine", targets: ["vitrine"]),
        .executable(name: "vitrine-decode", targets: ["vitrine-decode"]),
        .executable(name: "vitrine-mqtt", targets: ["vitrine-mqtt"]),
        .executable(name: "vitrine-thumbnailer", targets: ["vitrine-thumbnailer"]),
    ],
    targets: [
        // C modules. CMath is for the core; each library has one importing target, CWayland and CCairo
        // have two, and CCodecs three. CLoader opens libraries for CCodecs, CText, CDesktop and
        // CMosquitto.
        .systemLibrary(name: "CMath", path: "Sources/System/CMath"),
        .target(
            name: "CLinux", path: "Sources/System/CLinux", cSettings: checked,
            linkerSettings: linked),
        .systemLibrary(
            name: "CWayland", path: "Sources/System/CWayland", pkgConfig: "wayland-client",
            providers: [.apt(["libwayland-dev"])]),
        .systemLibrary(
            name: "CCairo", path: "Sources/System/CCairo", pkgConfig: "cairo",
            providers: [.apt(["libcairo2-dev"])]),
        .systemLibrary(
            name: "CXKB", path: "Sources/System/CXKB", pkgConfig: "xkbcommon",
            providers: [.apt(["libxkbcommon-dev"])]),
        .systemLibrary(
            name: "CZlib", path: "Sources/System/CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "CSandbox", dependencies: ["CLinux"], path: "Sources/System/CSandbox",
            cSettings: checked),
        .target(name: "CLoader", path: "Sources/System/CLoader", cSettings: checked),
        .target(
            name: "CText", dependencies: ["CLoader"], path: "Sources/System/CText",
            cSettings: checked),
        .target(
            name: "CDesktop", dependencies: ["CLoader"], path: "Sources/System/CDesktop",
            cSettings: checked),
        .target(
            name: "CMosquitto", dependencies: ["CLoader"], path: "Sources/System/CMosquitto",
            cSettings: checked),
        .target(
            name: "CPainting", path: "Sources/System/CPainting",
            cSettings: checked + [.headerSearchPath("vectors")]),
        .target(
            name: "CCodecs", dependencies: ["CLoader"], path: "Sources/System/CCodecs",
            cSettings: checked + headersOfOpenEXR,
            linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("spng")]),

        // The pure core.
        core("Geometry", ["CMath"]),
        core("Motion", ["CMath", "Geometry"]),
        core("Input", ["Geometry", "Localization", "Motion"]),
        core("Gestures", ["CMath", "Geometry", "Motion", "Input"]),
        core("ImageTypes", ["CMath", "Geometry", "Localization"]),
        core("Edits", ["Geometry"]),
        core("Search", ["Edits"]),
        core("SceneModel", ["CMath", "Geometry", "ImageTypes", "Localization"]),
        core("Localization"),
        core("TOML", ["Localization"]),
        core("Settings", ["Localization", "TOML"]),
        core("Commands", ["Input", "Localization"]),
        core(
            "Kiosk",
            [
                "CMath", "Commands", "Geometry", "Input", "Interface", "Motion", "SceneModel",
                "Settings",
                "TOML", "Localization",
            ]),
        core("Pacing", ["CMath", "Geometry", "Motion", "SceneModel", "Settings"]),
        core(
            "Interface",
            [
                "Commands", "Edits", "Geometry", "Gestures", "ImageTypes", "Input", "Motion",
                "SceneModel",
                "Settings", "TOML", "Localization",
            ]),
        core(
            "Viewer",
            [
                "CMath", "Commands", "Edits", "Geometry", "Motion", "Input", "Interface",
                "Gestures",
                "SceneModel", "Settings", "Localization",
            ]),
        core(
            "Grid",
            [
                "CMath", "Commands", "Edits", "Geometry", "Motion", "Input", "Interface",
                "Gestures", "Settings", "TOML", "Localization",
            ]),

        core(
            "Browser",
            [
                "Geometry", "Motion", "Input", "Gestures", "SceneModel", "Commands", "Edits",
                "Interface", "Viewer", "Grid", "Localization",
            ]),

        // Wayland: the generator, what it makes, and the client on top.
        program("WaylandGenerator", in: "Sources/Tools", ["SystemCalls", "XML"]),
        .plugin(
            name: "WaylandPlugin", capability: .buildTool(), dependencies: ["WaylandGenerator"],
            path: "Sources/Tools/WaylandPlugin"),
        edge(
            "WaylandProtocol", in: "Sources/Shell", ["CWayland", "CLinux", "SystemCalls"],
            plugins: ["WaylandPlugin"]),
        edge(
            "WaylandClient", in: "Sources/Shell",
            [
                "WaylandProtocol", "CWayland", "CXKB", "CLinux", "EventLoop", "Geometry", "Motion",
                "Input", "SystemCalls", "Localization",
            ]),

        // Pure like the core: XML for the decoder and the generator, JSON for the trace and the socket.
        core("XML", in: "Sources/System"),
        core("JSON", in: "Sources/System"),

        // Decoding: the wire between the two programs, the decoders, and the viewer's end.
        edge(
            "ImageWire", in: "Sources/System", ["Edits", "Geometry", "ImageTypes", "Localization"]),
        edge("Containers", in: "Sources/Decoder", [], isHot: true),
        edge(
            "Metadata", in: "Sources/Decoder",
            ["CCodecs", "Containers", "Geometry", "ImageTypes", "XML", "Localization"], isHot: true),
        edge(
            "RasterPipeline", in: "Sources/Decoder",
            [
                "CCodecs", "CLinux", "ImageWire", "Geometry", "ImageTypes", "SystemCalls",
                "Threads", "Localization",
            ], isHot: true),
        edge(
            "Codecs", in: "Sources/Decoder",
            [
                "CCodecs", "Containers", "Metadata", "RasterPipeline", "ImageWire", "Geometry",
                "ImageTypes", "SystemCalls", "Threads", "Localization",
            ], isHot: true),
        edge(
            "PictureWriter", in: "Sources/Decoder",
            [
                "CCodecs", "CLinux", "Codecs", "Containers", "Edits", "Geometry", "ImageTypes",
                "ImageWire", "Metadata", "RasterPipeline", "Localization",
            ], isHot: true),
        edge("Sandbox", in: "Sources/Decoder", ["CSandbox", "CLinux", "ImageWire", "ImageTypes"]),
        edge(
            "DecodeService", in: "Sources/Decoder",
            [
                "Codecs", "Metadata", "PictureWriter", "RasterPipeline", "CLinux", "ImageWire",
                "Geometry", "ImageTypes", "SystemCalls", "Threads", "Localization",
            ]),
        edge("EventLoop", in: "Sources/System", ["Motion", "Threads"]),
        edge(
            "FileAccess", in: "Sources/Shell",
            ["ImageWire", "CLinux", "ImageTypes", "SystemCalls", "Threads", "Localization"]),

        edge(
            "FileChanges", in: "Sources/Shell",
            [
                "CLinux", "Edits", "ImageTypes", "ImageWire", "JSON", "Localization",
                "SystemCalls", "Threads", "XML",
            ]),

        edge(
            "DecodeClient", in: "Sources/Shell",
            [
                "Edits", "FileAccess", "ImageWire", "CLinux", "EventLoop", "Geometry", "Motion",
                "ImageTypes", "SystemCalls", "Threads", "Localization",
            ]),

        edge(
            "Thumbnails", in: "Sources/Shell",
            [
                "DecodeClient", "FileAccess", "ImageWire", "CLinux", "CZlib", "EventLoop",
                "Geometry", "Motion", "ImageTypes", "Threads", "SystemCalls", "Localization",
            ], isHot: true),
        edge("SystemCalls", in: "Sources/System", ["CLinux", "Localization"]),
        edge("Threads", in: "Sources/System", ["CLinux", "SystemCalls"]),
        edge(
            "Folders", in: "Sources/Shell",
            [
                "CLinux", "Edits", "FileAccess", "ImageTypes", "ImageWire", "SystemCalls", "TOML",
                "Threads", "Localization",
            ]),
        edge(
            "Desktop", in: "Sources/Shell",
            [
                "CDesktop", "CLinux", "EventLoop", "FileChanges", "Folders", "Geometry",
                "ImageTypes", "ImageWire", "Interface", "Motion", "Painting", "SystemCalls",
                "Threads", "Localization",
            ]),
        edge(
            "Control", in: "Sources/Shell",
            ["CLinux", "EventLoop", "JSON", "Motion", "SystemCalls", "Localization"]),
        edge(
            "Bridge", in: "Sources/Shell",
            [
                "CLinux", "CMosquitto", "Control", "EventLoop", "JSON", "Motion", "SystemCalls",
                "Threads",
            ]),
        edge("Catalogues", in: "Sources/Shell", ["CLinux", "Localization", "SystemCalls"]),
        edge(
            "Text", in: "Sources/Shell",
            ["CCairo", "CText", "Geometry", "Localization", "SceneModel", "Threads"]),
        edge(
            "Painting", in: "Sources/Shell",
            [
                "CCairo", "CPainting", "Geometry", "ImageTypes", "SceneModel", "Text", "Threads",
            ], isHot: true),

        edge(
            "ImageService", in: "Sources/Shell",
            [
                "CLinux", "DecodeClient", "EventLoop", "FileAccess", "Geometry", "ImageTypes",
                "ImageWire",
                "Interface", "Motion", "Painting", "SceneModel", "SystemCalls", "Threads", "Viewer",
                "Localization",
            ]),

        // The programs.
        edge(
            "Application", in: "Sources/Shell",
            [
                "Commands", "CLinux", "Control", "Edits", "FileChanges", "Geometry", "Motion",
                "Input", "Gestures",
                "ImageTypes", "SceneModel",
                "Interface", "Kiosk", "Viewer", "Grid", "Browser", "Folders", "Thumbnails",
                "Search", "Settings",
                "WaylandClient", "Painting", "DecodeClient", "ImageWire", "Threads", "Pacing",
                "Desktop", "EventLoop", "FileAccess", "ImageService", "JSON", "SystemCalls", "TOML",
                "Text", "Localization", "Catalogues",
            ]),
        installed("vitrine", ["Application", "SystemCalls"]),
        installed("vitrine-mqtt", ["Bridge", "SystemCalls"]),
        installed("vitrine-thumbnailer", ["SystemCalls", "Thumbnails"]),
        program(
            "vitrine-documents", in: "Sources/Tools", ["Application", "Bridge", "ImageTypes"]),
        installed("vitrine-decode", ["Sandbox", "DecodeService", "Threads"]),

        program(
            "vitrine-bench", in: "Sources/Tools",
            [
                "CLinux", "CompositorKit", "Geometry", "Gestures", "ImageWire", "Input", "Motion",
                "Painting", "ImageTypes", "SceneModel", "SystemCalls", "TestKit", "Text", "Threads",
                "Viewer",
            ]),

        // Tests: one per target, and what they share.
        .target(
            name: "WaylandServer", dependencies: ["WaylandProtocol", "CWayland", "CLinux"],
            path: "Tests/Kits/WaylandServer",
            swiftSettings: strict, linkerSettings: [.linkedLibrary("wayland-server")],
            plugins: ["WaylandPlugin"]),
        edge(
            "TestKit", in: "Tests/Kits",
            ["CTestPictures", "CLinux", "Geometry", "ImageTypes", "ImageWire", "SystemCalls"],
            isHot: true),
        edge(
            "CompositorKit", in: "Tests/Kits",
            ["WaylandServer", "WaylandProtocol", "CLinux", "Input", "Motion", "Geometry"]),
        edge(
            "ViewerKit", in: "Tests/Kits",
            ["Application", "Browser", "CompositorKit", "EventLoop", "Motion", "WaylandClient"]),
        .systemLibrary(name: "CFUSE", path: "Tests/Kits/CFUSE"),
        edge(
            "StallingFileSystem", in: "Tests/Kits",
            ["CFUSE", "CLinux", "SystemCalls", "TestKit", "Threads"]),
        .target(
            name: "CTestPictures", path: "Tests/Kits/CTestPictures",
            linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("spng")]),
        core("SeededRandom", in: "Tests/Kits"),
        core(
            "CoreTestKit", in: "Tests/Kits",
            [
                "Commands", "Geometry", "Input", "Interface", "Localization", "SceneModel",
                "SeededRandom", "Settings", "TOML",
            ]),
        .target(name: "CTrespass", path: "Tests/Decoder/CTrespass"),
        program(
            "HostileDecoder", in: "Tests/Decoder",
            [
                "Sandbox", "CLinux", "CTrespass", "DecodeService", "ImageWire", "Geometry",
                "ImageTypes", "SystemCalls", "Threads",
            ]),
        program(
            "Feel", in: "Tests/Tools",
            [
                "CompositorKit", "CoreTestKit", "Browser", "Geometry", "Input",
                "Motion", "SceneModel", "TestKit", "Viewer", "ViewerKit", "Grid",
            ]),
        program(
            "DecodeBench", in: "Tests/Tools",
            ["DecodeClient", "ImageTypes", "Geometry", "Motion", "CLinux"]),
        program(
            "FolderBench", in: "Tests/Tools", ["CLinux", "DecodeClient", "Folders", "Thumbnails"]),
        tests("GeometryTests", in: "Tests/Core", ["Geometry"]),
        tests(
            "LocalizationTests", in: "Tests/Core", ["CoreTestKit", "SeededRandom", "Localization"]),
        tests("CataloguesTests", in: "Tests/Shell", ["Catalogues", "Localization", "TestKit"]),
        tests("ImageTypesTests", in: "Tests/Core", ["ImageTypes"]),
        tests("MotionTests", in: "Tests/Core", ["Motion", "Geometry"]),
        tests("SearchTests", in: "Tests/Core", ["Edits", "Search"]),
        tests("InputTests", in: "Tests/Core", ["SeededRandom", "Input", "Motion", "Geometry"]),
        tests(
            "GesturesTests", in: "Tests/Core",
            ["CoreTestKit", "SeededRandom", "Gestures", "Input", "Motion", "Geometry"]),
        tests(
            "InterfaceTests", in: "Tests/Core",
            [
                "Commands", "CoreTestKit", "SeededRandom", "Geometry", "Gestures", "ImageTypes",
                "Input",
                "Interface", "Localization", "Motion", "SceneModel", "Settings",
            ]),
        tests(
            "ViewerTests", in: "Tests/Core",
            [
                "Commands", "CoreTestKit", "SeededRandom", "Viewer", "Gestures", "Input",
                "Interface", "Motion",
                "Geometry", "ImageTypes", "SceneModel", "Settings", "TOML",
            ]),
        tests(
            "GridTests", in: "Tests/Core",
            [
                "Commands", "CoreTestKit", "SeededRandom", "Edits", "Grid", "Gestures", "Input",
                "Motion",
                "Geometry", "Interface",
                "Settings",
            ]),
        tests(
            "BrowserTests", in: "Tests/Core",
            [
                "Commands", "CoreTestKit", "SeededRandom", "Browser", "Edits", "Grid", "Viewer",
                "Gestures",
                "Input",
                "Interface", "Motion", "Geometry", "SceneModel",
            ]),
        tests("TOMLTests", in: "Tests/Core", ["CoreTestKit", "SeededRandom", "TOML"]),
        tests("XMLTests", in: "Tests/System", ["XML"]),
        tests("JSONTests", in: "Tests/System", ["JSON"]),
        tests(
            "SystemCallsTests", in: "Tests/System", ["CLinux", "SystemCalls", "TestKit", "Threads"]),
        tests("CommandsTests", in: "Tests/Core", ["Commands", "Input", "Localization"]),
        tests(
            "KioskTests", in: "Tests/Core",
            [
                "Commands", "CoreTestKit", "SeededRandom", "Kiosk", "Geometry", "Input",
                "Interface", "Motion",
                "SceneModel", "Settings", "TOML",
            ]),
        tests("EventLoopTests", in: "Tests/System", ["EventLoop", "Motion"]),
        tests("ThreadsTests", in: "Tests/System", ["Threads"]),
        tests("PacingTests", in: "Tests/Core", ["Pacing", "Geometry", "Motion", "SceneModel"]),
        tests(
            "PaintingTests", in: "Tests/Shell",
            [
                "CCairo", "CPainting", "SeededRandom", "Painting", "SceneModel", "ImageTypes",
                "Geometry", "SystemCalls",
            ], isHot: true),
        tests(
            "TextTests", in: "Tests/Shell",
            ["CCairo", "Geometry", "SceneModel", "TestKit", "Text", "Threads"]),
        tests(
            "WaylandTests", in: "Tests/Shell",
            [
                "WaylandClient", "WaylandProtocol", "WaylandServer", "WaylandGenerator",
                "CompositorKit", "CWayland", "CLinux", "EventLoop", "Input", "Motion", "Geometry",
                "SystemCalls",
            ]),
        tests("ContainersTests", in: "Tests/Decoder", ["Containers"]),
        tests(
            "MetadataTests", in: "Tests/Decoder",
            ["SeededRandom", "Metadata", "Geometry", "ImageTypes", "TestKit"]),
        tests(
            "RasterPipelineTests", in: "Tests/Decoder",
            [
                "RasterPipeline", "ImageWire", "ImageTypes", "Geometry", "CLinux", "TestKit",
                "Threads",
            ]),
        tests(
            "DecodeTests", in: "Tests/Decoder",
            [
                "DecodeClient", "DecodeService", "EventLoop", "FileAccess", "ImageWire", "Codecs",
                "ImageTypes", "Geometry", "Motion", "CLinux", "SeededRandom", "TestKit",
                "HostileDecoder", "Threads", "Containers", "Metadata", "RasterPipeline",
                "SystemCalls",
            ]),
        tests(
            "PictureWriterTests", in: "Tests/Decoder",
            [
                "CLinux", "SeededRandom", "DecodeClient", "Edits", "EventLoop", "FileAccess",
                "Geometry", "ImageTypes", "ImageWire", "Motion", "PictureWriter", "RasterPipeline",
                "SystemCalls", "TestKit",
            ], isHot: true),
        tests(
            "ThumbnailsTests", in: "Tests/Shell",
            [
                "CZlib", "SeededRandom", "DecodeClient", "Thumbnails", "ImageTypes", "Geometry",
                "Motion", "EventLoop", "CLinux", "SystemCalls", "TestKit", "HostileDecoder",
            ]),
        tests(
            "ImageServiceTests", in: "Tests/Shell",
            [
                "DecodeClient", "EventLoop", "FileAccess", "Geometry", "ImageService", "ImageTypes",
                "ImageWire", "Motion", "SceneModel", "TestKit",
            ]),
        tests(
            "ApplicationTests", in: "Tests/Shell",
            [
                "Application", "Browser", "CoreTestKit", "SeededRandom", "Desktop", "Edits",
                "EventLoop",
                "FileChanges",
                "Folders", "Geometry", "Grid", "ImageTypes", "ImageWire", "Input", "Interface",
                "Localization", "Motion", "Pacing", "Painting", "SceneModel", "TestKit", "Text",
                "Viewer", "Gestures",
                "Settings", "WaylandClient", "SystemCalls", "TOML",
            ]),
        tests(
            "DesktopTests", in: "Tests/Shell",
            [
                "CLinux", "Commands", "Desktop", "Folders", "Geometry", "ImageTypes", "Interface",
                "SystemCalls",
                "TestKit",
            ],
            exclude: ["Support"]),
        tests(
            "ControlTests", in: "Tests/Shell",
            ["CLinux", "Control", "EventLoop", "JSON", "Motion", "SystemCalls", "TestKit"]),
        tests(
            "BridgeTests", in: "Tests/Shell", ["Bridge", "EventLoop", "JSON", "Motion", "TestKit"]),
        program(
            "ChangingProgram", in: "Tests/Shell",
            ["CLinux", "Desktop", "Edits", "FileChanges", "ImageWire", "SystemCalls", "Threads"]),
        tests(
            "FileChangesTests", in: "Tests/Shell",
            [
                "ChangingProgram", "SeededRandom", "FileChanges", "CLinux", "Edits", "ImageWire",
                "SystemCalls", "TestKit", "Threads",
            ]),
        tests(
            "FoldersTests", in: "Tests/Shell",
            [
                "Folders", "CLinux", "FileAccess", "ImageTypes", "ImageWire", "SystemCalls",
                "Threads",
                "TOML", "TestKit",
            ]),
        tests(
            "ProgramTests", in: "Tests/Programs",
            [
                "CompositorKit", "CZlib", "TestKit", "Geometry", "Input", "HostileDecoder",
                "ImageTypes",
            ]),
        tests(
            "CompositorTests", in: "Tests/Programs",
            [
                "CompositorKit", "WaylandServer", "WaylandClient", "WaylandProtocol", "TestKit",
                "CLinux", "CoreTestKit", "SeededRandom", "Input", "Interface", "Motion", "Geometry",
                "Viewer",
                "ViewerKit", "StallingFileSystem", "Threads",
            ],
            exclude: ["Support"]),
        program(
            "FieldWindow", in: "Tests/Programs",
            ["Geometry", "Input", "Interface", "WaylandClient"]),
        tests(
            "EndToEndTests", in: "Tests/Programs", ["FieldWindow", "TestKit", "Geometry"],
            exclude: ["Support"]),
    ],
    swiftLanguageModes: [.v6]
)

// The fuzzing harnesses, which have no place in an ordinary build: they need libFuzzer.
if checksAddresses || Context.environment["VITRINE_FUZZING"] != nil {
    package.targets += [
        .target(name: "CFuzzer", path: "Tests/Decoder/CFuzzer"),
        program(
            "Fuzzing", in: "Tests/Decoder",
            [
                "CCodecs", "CFuzzer", "CLinux", "Codecs", "Containers", "DecodeClient", "Edits",
                "Geometry", "ImageTypes", "ImageWire", "JSON", "Metadata", "PictureWriter",
                "RasterPipeline", "TOML", "TestKit", "Threads", "Thumbnails", "XML",
            ] + (checksAddresses ? [] : ["Application", "Input"])),
    ]
}

// A part of the package, for the inner loop: `meson-helpers/test` says which. All targets that the roots do not need
// are left out.
if let part {
    let roots: [String: (folders: [String], programs: [String])] = [
        "core": (["Tests/Core/"], []),
        "decoder": (["Tests/Decoder/"], ["vitrine-decode"]),
        "shell": (["Tests/Shell/", "Tests/System/"], ["vitrine-decode"]),
        "programs": (["Tests/Programs/"], []),
        // Tests whose C code runs in the process of the tests.
        "addresses": (
            [
                "Tests/Decoder/MetadataTests", "Tests/Decoder/RasterPipelineTests",
                "Tests/Shell/PaintingTests",
            ], ["Fuzzing"]
        ),
    ]
    guard let (folders, programs) = roots[part] else { fatalError("there is no part \(part)") }
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    var needed: Set<String> = []
    var open = programs
    for target in package.targets where target.type == .test {
        if folders.contains(where: { target.path?.hasPrefix($0) ?? false }) {
            open.append(target.name)
        }
    }
    while let name = open.popLast() {
        guard needed.insert(name).inserted, let target = targets[name] else { continue }
        for dependency in target.dependencies {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): open.append(name)
            default: break
            }
        }
        for case .plugin(let name, _) in target.plugins ?? [] { open.append(name) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { !needed.contains($0.name) }
}
