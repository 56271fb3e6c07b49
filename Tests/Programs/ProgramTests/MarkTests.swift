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
}
