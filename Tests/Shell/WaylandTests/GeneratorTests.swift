import Testing

@testable import WaylandGenerator

/// The generator's parser, merge and output, on small descriptions.
@Suite struct GeneratorTests {
    @Test func theReaderParsesElementsAttributesAndEntities() throws {
        let text = "<?xml version='1.0'?><!-- <no> --><a b='x &amp; y'>text<c/><![CDATA[<d>]]></a >"
        let root = try XMLElement.root(of: Array(text.utf8), file: "test")
        #expect(root.name == "a")
        #expect(root.attributes == ["b": "x & y"])
        #expect(root.children.map(\.name) == ["c"])
    }

    @Test(arguments: [
        ("<a>\n<b>", "test:2: unexpected end of the document"),
        ("<a></b>", "test:1: end tag without a matching start tag"),
        ("<a b=c/>", "test:1: missing quoted value"),
        ("<a b='&nbsp;'/>", "test:1: unknown entity"),
        ("<a><!-- ", "test:1: unterminated comment"),
        ("<!-- ", "test:1: unexpected end of the document"),
        ("<!DOCTYPE a><a/>", "test:1: unexpected document type"),
        ("", "test:1: unexpected end of the document"),
    ])
    func brokenXMLIsNamedWithItsLine(text: String, message: String) {
        #expect(throws: GeneratorError(message)) {
            try XMLElement.root(of: Array(text.utf8), file: "test")
        }
    }

    @Test func invalidNamesAreRefused() {
        let text = "<protocol><interface name='a { }' version='1'/></protocol>"
        #expect(throws: GeneratorError("test:1: 'a { }' is not a valid name for <interface>")) {
            try DescriptionReader.read(Array(text.utf8), file: "test")
        }
    }

    @Test func signaturesMatchLibwayland() throws {
        let interface = try #require(
            try read(
                """
                <interface name="x" version="3"><request name="r" since="2">
                <arg name="a" type="int"/><arg name="b" type="string" allow-null="true"/>
                <arg name="c" type="new_id"/><arg name="d" type="fixed"/><arg name="e" type="fd"/>
                <arg name="f" type="object" interface="x"/><arg name="g" type="array"/>
                </request></interface>
                """
            ).first)
        #expect(interface.requests.first?.signature == "2i?ssunfhoa")
    }

    @Test func additionsExtendOlderInterfacesOnly() throws {
        var interfaces = try read(
            "<interface name='x' version='2'><event name='one'/><event name='two' since='2'/></interface>"
        )
        interfaces.merge(
            try read(
                """
                <interface name="x" version="3"><event name="other" since="2"/>
                <event name="three" since="3"/></interface><interface name="y" version="1"/>
                """))
        #expect(interfaces.map(\.name) == ["x", "y"])
        #expect(interfaces.first?.version == 3)
        #expect(interfaces.first?.events.map(\.name) == ["one", "two", "three"])
    }

    @Test func anUnknownInterfaceIsAnError() throws {
        let interfaces = try read(
            """
            <interface name="x" version="1"><event name="e">
            <arg name="a" type="object" interface="z"/></event></interface>
            """)
        #expect(throws: GeneratorError("x.e.a: unknown interface 'z'")) {
            try interfaces.validate()
        }
    }

    @Test(arguments: [
        ("set_min_size", "setMinSize"), ("default", "`default`"), ("90", "_90"),
        ("repeat", "`repeat`"),
        ("v4l", "v4l"), ("flipped_90", "flipped90"),
    ])
    func memberNamesAreSwift(name: String, expected: String) {
        #expect(Naming.member(name) == expected)
    }

    @Test func typeNamesAreSwift() {
        #expect(Naming.type("zxdg_decoration_manager_v1") == "ZxdgDecorationManagerV1")
        #expect(Naming.enumeration("type") == "TypeValue")
    }

    @Test func theManifestHasASourceAndAPathPerLine() throws {
        let manifest = try Manifest(
            "# list\nwayland-client wayland.xml 1 x=3 # core\nb new.xml|old.xml 2\n\nown a.xml",
            file: "m")
        #expect(
            manifest.sources == [
                Manifest.Source(
                    package: "wayland-client", paths: ["wayland.xml"],
                    versions: UnderstoodVersions(["1", "x=3"])),
                Manifest.Source(
                    package: "b", paths: ["new.xml", "old.xml"],
                    versions: UnderstoodVersions(["2"])),
                Manifest.Source(package: nil, paths: ["a.xml"]),
            ])
        let wrong = [
            "wayland.xml", "a wayland.xml", "a wayland.xml -1", "a wayland.xml x=1",
            "a wayland.xml 1 x", "a wayland.xml 1 x=", "a wayland.xml 1 =2", "own a.xml 1",
            "a wayland.xml| 1", "a | 1", "own a.xml|b.xml",
        ]
        for line in wrong {
            #expect(throws: GeneratorError("m:1: expected a source, a path and versions")) {
                try Manifest(line, file: "m")
            }
        }
    }

    /// Releases of a package have a description in different places.
    @Test func theFirstPlaceWithAFileCounts() {
        #expect(File.first(of: ["usr", "proc"], in: "") == "/usr")
        #expect(File.first(of: ["no.xml", "proc"], in: "") == "/proc")
        // What is missing is named by its newest place.
        #expect(File.first(of: ["no.xml", "none.xml"], in: "") == "/no.xml")
    }

    /// What a newer description adds is left out; an older one stays as it is.
    @Test func bindingsEndAtTheUnderstoodVersion() throws {
        let interfaces = try read(
            """
            <interface name="x" version="9"><request name="one"/><request name="nine" since="9"/>
            <event name="two" since="2"/><event name="three" since="3"/>
            <enum name="e"><entry name="a" value="0"/><entry name="b" value="1" since="3"/></enum>
            </interface><interface name="y" version="1"><event name="one"/></interface>
            """)
        let versions = try #require(UnderstoodVersions(["4", "x=2"]))
        let limited = versions.limiting(interfaces)
        #expect(limited.map(\.version) == [2, 1])
        #expect(limited.first?.requests.map(\.name) == ["one"])
        #expect(limited.first?.events.map(\.name) == ["two"])
        #expect(limited.first?.enumerations.first?.entries.map(\.name) == ["a"])
        #expect(limited.last == interfaces.last)
        // What nobody knows may refer to interfaces that nobody knows.
        let named = try #require(UnderstoodVersions(["0", "y=1"]))
        #expect(named.limiting(interfaces) == interfaces.suffix(1))
    }

    @Test func aNewerRequestIsGuardedByTheVersion() throws {
        let interfaces = try read(
            "<interface name='x' version='2'><request name='do_it' since='2'/></interface>")
        let source = Generator.source(for: interfaces, side: .client)
        #expect(
            source.contains(
                """
                    package func doIt() {
                        guard version >= 2 else { return }
                        send(0)
                    }
                """))
    }

    private func read(_ interfaces: String) throws -> [Interface] {
        try DescriptionReader.read(
            Array("<protocol name='p'>\(interfaces)</protocol>".utf8), file: "test")
    }
}
