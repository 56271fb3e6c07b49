import Edits
import FileChanges
import ImageWire
import Testing

@Suite("Sidecars")
struct SidecarTests {
    private let all = [false, true].flatMap { isFavourite in
        [nil, 0, 1, 2, 3, 4, 5].map { SidecarMark(isFavourite: isFavourite, rating: $0) }
    }

    /// No change takes the stars of a sidecar away, but for none at all.
    private static func canFollow(_ second: SidecarMark, _ first: SidecarMark) -> Bool {
        second.rating != nil || first.rating == nil
    }

    @Test("Every mark is read as it was written, after every other one")
    func roundTrips() throws {
        for first in all {
            guard let bytes = try Sidecar.setting(first, in: nil) else {
                #expect(first.isEmpty)
                continue
            }
            #expect(Sidecar.marks(in: bytes) == first)
            for second in all where second != first && Self.canFollow(second, first) {
                let changed = try #require(try Sidecar.setting(second, in: bytes))
                #expect(Sidecar.marks(in: changed) == second)
                #expect(try Sidecar.setting(second, in: changed) == nil)
            }
        }
    }

    /// Sidecars as other programs write them.
    private let others = [
        // darktable 4: attributes, and a bag of tags.
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
         <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <rdf:Description rdf:about=""
            xmlns:xmp="http://ns.adobe.com/xap/1.0/"
            xmlns:darktable="http://darktable.sf.net/"
           xmp:Rating="2"
           darktable:xmp_version="5">
           <darktable:masks_history><rdf:Seq/></darktable:masks_history>
          </rdf:Description>
         </rdf:RDF>
        </x:xmpmeta>
        """,
        // An element instead of an attribute, other prefixes, a comment that looks like the property.
        """
        <x:xmpmeta xmlns:x='adobe:ns:meta/'><r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
        <!-- <xap:Rating>5</xap:Rating> -->
        <r:Description r:about='' xmlns:xap='http://ns.adobe.com/xap/1.0/'><xap:Rating>2</xap:Rating>
        </r:Description></r:RDF></x:xmpmeta>
        """,
        // Two descriptions; the name space is declared on the second one.
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="image/jpeg"/>
        <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="2"/>
        </rdf:RDF></x:xmpmeta>
        """,
    ]

    @Test("A sidecar of another program keeps all bytes but those of the mark")
    func otherPrograms() throws {
        for text in others {
            let bytes = Array(text.utf8)
            #expect(Sidecar.marks(in: bytes) == SidecarMark(rating: 2))
            let rated = try #require(try Sidecar.setting(SidecarMark(rating: 5), in: bytes))
            #expect(rated.count == bytes.count)
            #expect(zip(rated, bytes).count { $0 != $1 } == 1)
            for marks in all where marks != SidecarMark(rating: 2) && marks.rating != nil {
                let changed = try #require(try Sidecar.setting(marks, in: bytes))
                #expect(Sidecar.marks(in: changed) == marks)
            }
        }
    }

    @Test(
        "What a sidecar says about stars; a rejected picture has none, and nonsense says nothing",
        arguments: [
            ("4", 4), ("4.0", 4), ("4.9", 4), (" 4 ", 4), ("0", 0), ("-1", 0), ("7", 5), ("", nil),
            ("four", nil), ("nan", nil), ("inf", nil), ("1e400", nil), ("1e18", 5), ("٤", nil),
        ] as [(String, Int?)])
    func stars(text: String, stars: Int?) {
        let bytes = Array(
            others[0].replacing("xmp:Rating=\"2\"", with: "xmp:Rating=\"\(text)\"").utf8)
        #expect(Sidecar.marks(in: bytes) == SidecarMark(rating: stars))
    }

    /// A sidecar of versions up to 0.9, with 0 stars where nobody had given any.
    private func former(pick: String, stars: Int = 0) -> String {
        """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/">
         <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <rdf:Description rdf:about=""
            xmlns:xmp="http://ns.adobe.com/xap/1.0/"
            xmlns:digiKam="http://www.digikam.org/ns/1.0/"
            xmp:Rating="\(stars)"
            digiKam:PickLabel="\(pick)"/>
         </rdf:RDF>
        </x:xmpmeta>
        <?xpacket end="w"?>

        """
    }

    @Test("A favourite of former versions says nothing about stars, until it gets any or none")
    func formerFavourites() throws {
        for (pick, isFavourite) in [("3", true), ("0", false)] {
            let bytes = Array(former(pick: pick).utf8)
            let before = SidecarMark(isFavourite: isFavourite)
            #expect(Sidecar.marks(in: bytes) == before)
            for marks in all where marks != before {
                let changed = try #require(try Sidecar.setting(marks, in: bytes))
                #expect(Sidecar.marks(in: changed) == marks)
            }
        }
        let rated = Array(former(pick: "3", stars: 4).utf8)
        let none = try #require(
            try Sidecar.setting(SidecarMark(isFavourite: true, rating: 0), in: rated))
        #expect(Sidecar.marks(in: none) == SidecarMark(isFavourite: true, rating: 0))
    }

    @Test("The sidecar has priority where it says anything about stars", arguments: 0...5)
    func priority(starsInFile: Int) {
        for mark in all {
            let shown = mark.mark(starsInFile: starsInFile)
            #expect(shown.isFavourite == mark.isFavourite)
            #expect(shown.rating == mark.rating ?? starsInFile)
        }
    }

    @Test("What is no XMP is refused, and has no marks")
    func nonsense() {
        for text in ["", "<", "<a>", "<x:xmpmeta/>", "hello", "<!DOCTYPE a><a/>"] {
            let bytes = Array(text.utf8)
            #expect(Sidecar.marks(in: bytes) == SidecarMark())
            #expect(throws: ChangeFailure.self) {
                try Sidecar.setting(SidecarMark(rating: 3), in: bytes)
            }
        }
    }

    @Test("Mutations of a sidecar never trap, and never make a document with other marks")
    func mutations() {
        var generator = SystemRandomNumberGenerator()
        for text in others {
            for _ in 0..<2000 {
                var bytes = Array(text.utf8)
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    bytes[Int.random(in: bytes.indices)] = UInt8.random(in: 0...255)
                }
                let marks = SidecarMark(isFavourite: true, rating: 1)
                if let changed = try? Sidecar.setting(marks, in: bytes) {
                    #expect(Sidecar.marks(in: changed) == marks)
                }
            }
        }
    }
}
