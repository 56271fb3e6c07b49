import Glibc
import TestKit
import Testing

/// A reader walks through the viewer in several languages: every widget has a name in that language.
@Suite(.serialized) struct AccessibilityWalkTests {
    /// A widget as a reader hears it.
    private struct Node: Hashable {
        var depth: String
        var role: String
        var id: String
        var name: String
        var description: String
    }

    private static let states = [
        "grid", "selection", "viewer", "menu", "information", "help", "rename", "crop",
        "settings", "keys", "key", "delete", "error",
    ]

    /// From the grid through the states, to a broken file and a picture that is deleted.
    private static let script = """
        command() { ./vitrine msg --socket socket do "$1" >message.txt || cat message.txt; }
        bus
        if [ "$TONGUE" = en_US ]; then
            ./vitrine --verbose --socket socket --trace trace.txt album 2>errors.txt & viewer=$!
        else
            env LC_ALL=$TONGUE.UTF-8 LOCPATH=$PWD/locales TEXTDOMAINDIR=$PWD/catalogues \\
                ./vitrine --verbose --socket socket --trace trace.txt album 2>errors.txt & viewer=$!
        fi
        await '"mode":"grid"'
        python3 reader enable
        until_true grep -q 'assistive technology is served' errors.txt
        reader 'see/picture.2' walk/grid do/select-mode see/selection-end walk/selection \\
            do/selection-end lost/selection-end do/picture.0 see/picture do/picture \\
            see/information 'wait/image/.*' walk/viewer
        command menu
        reader 'wait/menu/.*' walk/menu
        command leave
        reader 'gone/menu/.*'
        command information
        reader see/information-panel walk/information
        command information
        reader lost/information-panel
        command help
        reader see/help walk/help
        command help
        reader lost/help
        command rename
        reader see/prompt-field walk/rename 'do/prompt-cancel' lost/prompt-field
        command crop
        reader see/crop-save walk/crop do/crop-cancel lost/crop-save
        command settings
        reader see/settings-close walk/settings
        command last
        reader see/settings-keys do/settings-keys see/settings-back walk/keys \\
            'do/setting.keys.left' 'see/setting.keys.left.cancel' walk/key do/settings-close \\
            lost/settings-close
        command delete
        reader see/toast walk/delete
        command last
        reader see/failure walk/error
        kill $viewer
        ended $viewer

        """

    /// A JPEG file with alternative texts.
    static func picture() -> [UInt8] {
        let texts = [("x-default", "A boat"), ("de", "Ein Boot"), ("ar", "قارب")]
        let items = texts.map { "<rdf:li xml:lang=\"\($0.0)\">\($0.1)</rdf:li>" }.joined()
        let packet = TestMetadata.xmp(
            attributes: "xmlns:Iptc4xmpCore=\"http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/\"",
            "<Iptc4xmpCore:AltTextAccessibility><rdf:Alt>\(items)</rdf:Alt>"
                + "</Iptc4xmpCore:AltTextAccessibility>")
        let file = TestPicture.card(320, 200).jpeg()
        let segment = TestMetadata.segment(
            0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
        return Array(file[..<2]) + segment + Array(file[2...])
    }

    private func walk(_ language: String) throws -> [String: [Node]] {
        let session = CompositorSession([:])
        session.folder.folder("album")
        _ = session.folder.file("album/a.jpg", Self.picture())
        _ = session.folder.file("album/b.png", TestPicture.card(320, 200).png())
        _ = session.folder.file("album/c.jpg", Array("\u{FF}not a picture".utf8))
        if language != "en_US" {
            let locales = try #require(TestLocale.folder(with: language))
            let catalogues = try #require(TestCatalogues.folder)
            for (source, name) in [(locales, "locales"), (catalogues, "catalogues")] {
                _ = ChildProcess.run(["/bin/cp", "-r", source, session.folder / name])
                _ = ChildProcess.run(["/bin/chmod", "-R", "a+rX", session.folder / name])
            }
        }
        let result = session.run(
            .sway, "1280x800", "TONGUE=\(language)\n" + Self.script, seconds: 240)
        var walks: [String: [Node]] = [:]
        var others: [String] = []
        var state = ""
        for line in result.output.split(separator: "\n").map(String.init) {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(
                String.init)
            if line.hasPrefix("== ") {
                state = String(line.dropFirst(3))
            } else if parts.count == 5 {
                let node = Node(
                    depth: parts[0], role: parts[1], id: parts[2], name: parts[3],
                    description: parts[4])
                walks[state, default: []].append(node)
            } else {
                others.append(line)
            }
        }
        #expect(others == ["code 0"], "\(result)")
        if let folder = getenv("VITRINE_TRANSCRIPTS").map({ String(cString: $0) }) {
            try record(walks, at: "\(folder)/\(language).txt")
        }
        return walks
    }

    /// Writes what a reader hears, state by state: a line for each widget.
    private func record(_ walks: [String: [Node]], at path: String) throws {
        var text = ""
        for state in Self.states {
            text += "\(state)\n"
            for node in walks[state] ?? [] {
                let indent = String(repeating: "  ", count: 1 + (Int(node.depth) ?? 0))
                let description = node.description.isEmpty ? "" : " — \(node.description)"
                text += "\(indent)\(node.role) “\(node.name)”\(description)\n"
            }
        }
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
    }

    /// Roles whose names are words of the interface.
    private static let worded = [
        "push button", "toggle button", "menu", "menu item", "check menu item", "tool bar", "entry",
        "notification", "status bar", "dialog",
    ]

    /// The role that only groups other widgets.
    private static let group = "panel"

    /// What the rows of lists that scroll begin with.
    private static let rows = ["help/", "setting/", "settings-section/"]

    /// Words that are the same in English and German.
    private static let german: Set<String> = ["Information", "Zoom"]

    /// The tree without the rows of lists, of which longer texts leave fewer on the surface, and without
    /// the bars of the viewer, which leave after a while.
    private func shape(_ nodes: [Node], hasBars: Bool) -> [[String]] {
        var isInBar = false
        return nodes.filter { node in
            if node.depth == "2" {
                isInBar =
                    !hasBars
                    && (node.role == "tool bar" || ["zoom", "filmstrip"].contains(node.id))
            }
            return !isInBar && !Self.rows.contains { node.id.hasPrefix($0) }
        }.map { [$0.depth, $0.role, $0.id] }
    }

    @Test func everyWidgetIsNamedInEveryLanguage() throws {
        let english = try walk("en_US")
        #expect(english.keys.sorted() == Self.states.sorted())
        for (state, nodes) in english {
            let unnamed = nodes.filter { $0.name.isEmpty && $0.role != Self.group }
            #expect(unnamed.isEmpty, "\(state)")
        }
        for (language, text) in [("de_DE", "Ein Boot"), ("ar_EG", "قارب")] {
            let walk = try walk(language)
            for state in Self.states {
                let (nodes, originals) = (walk[state] ?? [], english[state] ?? [])
                let hasBars = ["grid", "selection", "crop"].contains(state)
                #expect(
                    shape(nodes, hasBars: hasBars) == shape(originals, hasBars: hasBars),
                    "\(state)")
                let names = Dictionary(
                    originals.map { ([$0.role, $0.id], $0.name) }, uniquingKeysWith: { $1 })
                // Folders have their own names.
                for node in nodes
                where Self.worded.contains(node.role) && !node.id.hasPrefix("folder-up") {
                    let isTranslated =
                        language == "ar_EG"
                        ? node.name.unicodeScalars.contains { (0x600..<0x700).contains($0.value) }
                        : node.name != names[[node.role, node.id]]
                            || Self.german.contains(node.name)
                    #expect(isTranslated, "\(language), \(state): \(node)")
                }
            }
            let picture = walk["viewer"]?.first { $0.id == "picture" }
            #expect(picture?.description == text)
        }
        let picture = english["viewer"]?.first { $0.id == "picture" }
        #expect(picture?.name == "a.jpg" && picture?.description == "A boat")
    }
}
