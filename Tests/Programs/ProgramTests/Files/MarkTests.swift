import TestKit
import Testing

/// Marks of real files, by keys.
@Suite struct MarkTests {
    private static let rated = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
        xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
        """

    /// A key that comes before the sidecar was read, too: at the first frame, and later.
    @Test(arguments: [0, 900]) func aFavouriteKeepsItsRating(time: Int) throws {
        let folder = TemporaryFolder()
        let path = folder.file("a.png", TestPicture.card(60, 40).png())
        let sidecar = folder.file("a.png.xmp", Self.rated)
        let script = folder.file("script.txt", "\(time) key m\n2500 end\n")
        let result = Binaries.vitrine(
            ["--headless", "400x300", "--script", script, path],
            environment: ["HOME=\(folder.path)", "LANG=C.UTF-8"])
        #expect(result.status == 0, "\(result.errors)")
        let text = TestFile.text(sidecar) ?? ""
        #expect(text.contains("Rating=\"4\""), "\(text)")
        #expect(text.contains("PickLabel"), "\(text)")
    }

    /// A picture, the stars of its file, those of its sidecar (-1 for a favourite without stars), and those
    /// that count.
    private typealias Source = (name: String, file: Int?, sidecar: Int?, shown: Int)

    private static let sources: [Source] = [
        ("a.jpg", 4, nil, 4), ("b.jpg", nil, 2, 2), ("c.jpg", 4, 0, 0), ("d.jpg", 1, 5, 5),
        ("e.jpg", 3, -1, 3), ("f.jpg", nil, -1, 0), ("g.jpg", 9, nil, 5), ("h.jpg", nil, 1, 1),
    ]

    /// The text of a number of stars; empty for none.
    private static func text(_ stars: Int) -> String {
        stars == 0 ? "" : stars == 1 ? "1 star" : "\(stars) stars"
    }

    private static func make(_ source: Source, in folder: TemporaryFolder) -> String {
        let packet = source.file.map {
            TestMetadata.xmp(attributes: "xmp:Rating='\($0)'", "")
        }
        if let stars = source.sidecar {
            let mark = stars < 0 ? "digiKam:PickLabel=\"3\"" : "xmp:Rating=\"\(stars)\""
            let text = rated.replacing("xmp:Rating=\"4\"", with: mark)
                .replacing(
                    "xmlns:xmp", with: "xmlns:digiKam=\"http://www.digikam.org/ns/1.0/\" xmlns:xmp")
            _ = folder.file(source.name + ".xmp", text)
        }
        return folder.file(
            source.name, packet.map { TestMetadata.jpeg(xmp: $0) } ?? TestMetadata.jpeg([]))
    }

    private func trees(_ script: String, _ times: [Int], _ options: [String]) throws -> [String] {
        let folder = TemporaryFolder()
        let paths = times.map { folder / "\($0).json" }
        let result = Binaries.vitrine(
            ["--headless", "1000x700", "--script", folder.file("script.txt", script)]
                + zip(times, paths).flatMap { ["--ui-at", "\($0):\($1)"] } + options,
            environment: ["HOME=\(folder.path)", "LANG=C.UTF-8"])
        #expect(result.status == 0, "\(result.errors)")
        return try paths.map { try #require(TestFile.text($0)) }
    }

    /// Panel and question, with a sidecar and without one.
    @Test(arguments: [0, 1, 2, 3, 4]) func panelAndQuestionAgree(number: Int) throws {
        let source = Self.sources[number]
        let folder = TemporaryFolder()
        let path = Self.make(source, in: folder)
        let trees = try trees(
            "100 key i\n1000 key i\n1500 key asterisk\n2500 end\n", [900, 2400], [path])
        let panel = trees[0].firstMatch(
            of: #/"list item","name":"Rating","description":"([^"]*)"/#)
        #expect(panel?.1.count { $0 == "★" } ?? 0 == source.shown, "\(source)")
        let chosen = buttons("checked", in: trees[1])
        #expect(chosen == [source.shown == 0 ? "No stars" : Self.text(source.shown)], "\(source)")
    }

    /// The names of the buttons for stars that are in a state.
    private func buttons(_ state: String, in tree: String) -> [String] {
        let button =
            #/"toggle button","name":"([^"]*)","description":"","rect":\[[^\]]*\],([^\]]*)\]/#
        return tree.matches(of: button).filter { $0.2.contains("\"\(state)\"") }
            .map { String($0.1) }.filter { $0.lowercased().contains("star") }
    }

    /// The run waits for the sidecar and for the stars inside of the file, which are read by other
    /// processes: of a picture that was given, and of one in the grid.
    @Test(arguments: [false, true]) func aQuestionKnowsTheStars(inFolder: Bool) throws {
        let folder = TemporaryFolder()
        let path = Self.make(("a.jpg", 5, nil, 5), in: folder)
        let tree = try trees(
            "100 key Home\n200 key asterisk\n400 key Return\n1500 end\n", [350],
            inFolder ? ["--grid", folder.path] : [path])[0]
        #expect(buttons("checked", in: tree) == ["5 stars"])
        #expect(buttons("focused", in: tree) == ["5 stars"])
        #expect(TestFile.text(path + ".xmp") == nil)
    }

    /// Where pictures have different stars, the question shows none, and Return keeps them.
    @Test func aQuestionAboutDifferentStarsKeepsThem() throws {
        let folder = TemporaryFolder()
        let paths = [5, 1].map { Self.make(("\($0).jpg", $0, nil, $0), in: folder) }
        let tree = try trees(
            "100 key Home\n200 key Ctrl+a\n300 key asterisk\n500 key Return\n1500 end\n", [450],
            ["--grid", folder.path])[0]
        #expect(tree.contains("Rate 2 pictures"))
        #expect(buttons("checked", in: tree) == [])
        #expect(paths.allSatisfy { TestFile.text($0 + ".xmp") == nil })
    }

    /// The order by stars, and the badges in the grid, however early the run ends.
    @Test(arguments: [1000, 2000]) func orderAndBadgesAgree(end: Int) throws {
        let folder = TemporaryFolder()
        for source in Self.sources { _ = Self.make(source, in: folder) }
        let tree = try trees(
            "\(end) end\n", [end - 50], ["--set", "collection.sort=rating", folder.path])[0]
        let cells = tree.matches(of: #/"name":"([a-h]\.jpg)","description":"([^"]*)"/#)
        let sorted = Self.sources.sorted { ($0.shown, $0.name) < ($1.shown, $1.name) }
        #expect(cells.map { String($0.1) } == sorted.map(\.name))
        for (cell, source) in zip(cells, sorted) {
            let parts = [source.sidecar == -1 ? "favourite" : "", Self.text(source.shown)]
            #expect(cell.2 == parts.filter { !$0.isEmpty }.joined(separator: ", "))
        }
    }

    /// A picture that has stars inside can have none: the sidecar says so.
    @Test func starsOfAFileAreTakenAway() throws {
        let folder = TemporaryFolder()
        let path = Self.make(Self.sources[0], in: folder)
        let trees = try trees(
            "500 key asterisk\n1000 key 0\n2500 key i\n3500 end\n", [3400], [path])
        let sidecar = TestFile.text(path + ".xmp") ?? ""
        #expect(sidecar.contains("xmp:Rating=\"0\""), "\(sidecar)")
        #expect(!trees[0].contains("★"))
    }
}
