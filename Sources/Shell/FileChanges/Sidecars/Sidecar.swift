package import Edits
import ImageTypes
package import ImageWire
import Localization
import XML

/// The marks of a picture in its XMP sidecar, where other programs find them.
///
/// The rating is `xmp:Rating`, which darktable, digiKam and gThumb read and write; a favourite is
/// `digiKam:PickLabel` 3, the flag "accepted" of digiKam. All other bytes of a sidecar stay as they are.
/// Source: XMP Specification, part 1 (ISO 16684-1), chapter 7.
package enum Sidecar {
    private static let ratingSpace = "http://ns.adobe.com/xap/1.0/"
    private static let pickSpace = "http://www.digikam.org/ns/1.0/"
    private static let syntaxSpace = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    private static let accepted = "3"

    // MARK: Reading

    /// The marks in a sidecar; none for what is no XMP.
    package static func marks(in bytes: [UInt8]) -> SidecarMark {
        guard let values = try? Values(bytes) else { return SidecarMark() }
        let rating = isFormerFavourite(bytes) ? nil : values.rating.flatMap(StarRating.number)
        return SidecarMark(isFavourite: values.pick == accepted, rating: rating)
    }

    /// The texts of the properties.
    private struct Values {
        var rating: String?
        var pick: String?

        init(_ bytes: [UInt8]) throws(XMLError) {
            var scanner = XMLScanner(bytes)
            var spaces: [[String: String]] = []
            /// The element whose start was the last token.
            var element: String?
            while let token = try scanner.next() {
                switch token {
                case .start(let tag):
                    var names = spaces.last ?? [:]
                    for attribute in tag.attributes where attribute.name.hasPrefix("xmlns:") {
                        names[String(attribute.name.dropFirst(6))] = attribute.value
                    }
                    spaces.append(names)
                    element = Self.resolve(tag.name, names)
                    guard element == Sidecar.syntaxSpace + "Description" else { continue }
                    for attribute in tag.attributes {
                        note(Self.resolve(attribute.name, names), attribute.value)
                    }
                case .text(let text):
                    if let element { note(element, text) }
                    element = nil
                case .end:
                    spaces.removeLast()
                    element = nil
                }
            }
        }

        private static func resolve(_ name: String, _ spaces: [String: String]) -> String {
            let parts = name.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let space = spaces[String(parts[0])] else { return name }
            return space + parts[1]
        }

        private mutating func note(_ name: String, _ text: String) {
            let text = text.trimmed
            switch name {
            case Sidecar.ratingSpace + "Rating": rating = text
            case Sidecar.pickSpace + "PickLabel": pick = text
            default: break
            }
        }
    }

    // MARK: Writing

    /// A sidecar with the marks and all else of `bytes`; nil if nothing changes.
    ///
    /// `bytes` is nil for a sidecar that is not there yet. Throws if the sidecar has a form that cannot be
    /// changed safely.
    package static func setting(
        _ marks: SidecarMark, in bytes: [UInt8]?
    ) throws(ChangeFailure) -> [UInt8]? {
        guard let bytes else { return marks.isEmpty ? nil : template(marks) }
        let former = Self.marks(in: bytes)
        guard former != marks else { return nil }
        var text = bytes
        if let rating = marks.rating, former.rating != rating {
            text = try setting("Rating", "\(rating)", "xmp", ratingSpace, in: text)
        }
        if former.isFavourite != marks.isFavourite {
            let value = marks.isFavourite ? accepted : "0"
            text = try setting("PickLabel", value, "digiKam", pickSpace, in: text)
        }
        // There is nothing else in such a sidecar.
        if isFormerFavourite(text) { text = template(marks) }
        // The proof that the change has done what it should, in a document that is still one.
        guard Self.marks(in: text) == marks else { throw unknownForm }
        return text
    }

    private static let unknownForm = ChangeFailure.refused(
        reason: localized("its sidecar has a form that cannot be changed safely"))

    private static func template(_ marks: SidecarMark) -> [UInt8] {
        let pick = marks.isFavourite ? ["digiKam:PickLabel=\"\(accepted)\""] : []
        let rating = marks.rating.map { ["xmp:Rating=\"\($0)\""] } ?? []
        return document(pick + rating)
    }

    /// Versions up to 0.9 wrote no stars into the sidecar of each favourite without a rating, which says
    /// nothing about the stars in the file.
    private static func isFormerFavourite(_ bytes: [UInt8]) -> Bool {
        [accepted, "0"].contains {
            bytes == document(["xmp:Rating=\"0\"", "digiKam:PickLabel=\"\($0)\""])
        }
    }

    private static func document(_ properties: [String]) -> [UInt8] {
        Array(
            """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="\(syntaxSpace)">
              <rdf:Description rdf:about=""
                xmlns:xmp="\(ratingSpace)"
                xmlns:digiKam="\(pickSpace)"
                \(properties.joined(separator: "\n    "))/>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>

            """.utf8)
    }

    /// Sets a property whose name has a prefix that the document declares for the name space, or adds it
    /// to the first description.
    private static func setting(
        _ name: String, _ value: String, _ usual: String, _ space: String, in bytes: [UInt8]
    ) throws(ChangeFailure) -> [UInt8] {
        let markup = Markup(bytes)
        let prefixes = markup.prefixes(of: space)
        for prefix in prefixes {
            if let range = markup.value(of: "\(prefix):\(name)") {
                return Array(bytes[..<range.lowerBound]) + Array(value.utf8)
                    + Array(bytes[range.upperBound...])
            }
        }
        guard
            let place = markup.prefixes(of: syntaxSpace).lazy
                .compactMap({ markup.endOfName(of: "\($0):Description") }).first
        else { throw unknownForm }
        // A name space may be declared on another element only; declaring it again does no harm, but
        // not twice on one element.
        let known = markup.prefixes(of: space, onTagAt: place).first
        let prefix = known ?? usual
        let declaration = known == nil ? " xmlns:\(prefix)=\"\(space)\"" : ""
        return Array(bytes[..<place]) + Array("\(declaration) \(prefix):\(name)=\"\(value)\"".utf8)
            + Array(bytes[place...])
    }
}

extension String {
    /// The text without white space at its ends.
    fileprivate var trimmed: String {
        let space: Set<Character> = [" ", "\t", "\r", "\n", "\r\n"]
        return String(
            drop { space.contains($0) }.reversed().drop { space.contains($0) }.reversed())
    }
}
