import ImageTypes
import TestKit
import Testing

@testable import Metadata

/// The text that stands for a picture where the picture cannot be seen.
@Suite struct AlternativeTextTests {
    private static let namespace =
        "xmlns:Iptc4xmpCore=\"http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/\""

    /// A property in several languages.
    private func property(_ name: String, _ texts: [(language: String, text: String)]) -> String {
        let items = texts.map { "<rdf:li xml:lang=\"\($0.language)\">\($0.text)</rdf:li>" }
        return "<\(name)><rdf:Alt>\(items.joined())</rdf:Alt></\(name)>"
    }

    private func read(attributes: String = "", _ elements: String) -> PictureMetadata {
        let packet = TestMetadata.xmp(attributes: Self.namespace + " " + attributes, elements)
        return TestMetadata.jpeg(xmp: packet).withUnsafeBytes(MetadataReader.read)
    }

    @Test func propertiesAreReadInTheirOrderOfPreference() {
        let description = property("dc:description", [("x-default", "A day")])
        let extended = property(
            "Iptc4xmpCore:ExtDescrAccessibility", [("x-default", "A boat on a lake")])
        let short = property("Iptc4xmpCore:AltTextAccessibility", [("x-default", "A boat")])
        #expect(
            read(description + extended + short).alternativeText(in: ["en"]) == "A boat")
        #expect(read(description + extended).alternativeText(in: ["en"]) == "A boat on a lake")
        #expect(read(description).alternativeText(in: ["en"]) == "A day")
        #expect(read("").alternativeText(in: ["en"]) == nil)
        // An empty text is no text.
        let empty = property("Iptc4xmpCore:AltTextAccessibility", [("x-default", " \n ")])
        #expect(read(empty + description).alternativeText(in: ["en"]) == "A day")
    }

    @Test(arguments: [
        (["de"], "Ein Boot"), (["de_AT", "de"], "Ein Boot"), (["pt_BR", "pt"], "Um barco"),
        (["pt_PT"], "Um barco"), (["ar"], "A boat"), (["ar", "de"], "Ein Boot"), ([], "A boat"),
        (["DE"], "Ein Boot"),
    ])
    func theLanguageOfThePersonIsChosen(languages: [String], text: String) {
        let texts = [("x-default", "A boat"), ("pt-BR", "Um barco"), ("de-DE", "Ein Boot")]
        let metadata = read(property("Iptc4xmpCore:AltTextAccessibility", texts))
        #expect(metadata.alternativeText(in: languages) == text)
    }

    @Test func withoutADefaultTheFirstTextIsUsed() {
        let texts = [("fr", "Un bateau"), ("de", "Ein Boot")]
        let metadata = read(property("Iptc4xmpCore:AltTextAccessibility", texts))
        #expect(metadata.alternativeText(in: ["ja"]) == "Un bateau")
    }

    @Test func anAttributeIsATextForAllLanguages() {
        let metadata = read(attributes: "Iptc4xmpCore:AltTextAccessibility=\"A boat\"", "")
        #expect(metadata.alternativeText(in: ["de"]) == "A boat")
    }

    /// The number and the length of texts of a hostile file have limits.
    @Test func textsHaveLimits() {
        let long = String(repeating: "é", count: 100_000)
        let texts = (0..<40).map { ("x-\($0)", "a\u{0}\n\(long)") }
        let metadata = read(property("Iptc4xmpCore:AltTextAccessibility", texts))
        #expect(metadata.alternativeTexts.count <= PictureMetadata.mostAlternativeTexts)
        #expect(
            metadata.alternativeTexts.allSatisfy {
                $0.text.utf8.count <= PictureMetadata.longestValue
            })
    }

    @Test func theDescriptionStaysInTheInformation() {
        let metadata = read(
            property("dc:description", [("x-default", "A day"), ("de", "Ein Tag")]))
        #expect(metadata.entries.map(\.value) == ["A day"])
        #expect(metadata.alternativeTexts.map(\.language) == ["x-default", "de"])
    }
}
