import Localization
import XML

/// Reads the few properties of an XMP packet that are displayed.
///
/// The XML scanner limits the size of a packet, rejects document types and expands no entities.
/// Sources: XMP part 1 (ISO 16684-1), chapter 7; Namespaces in XML 1.0.
struct XMPReader {
    enum Property: Hashable, Sendable {
        case title, description, creator, rights, subject, rating, lens, tool, headline, city, state
        case country, created, alternativeText, extendedDescription
        case gainMapMinimum, gainMapMaximum, gainMapGamma, gainMapOffsetSDR, gainMapOffsetHDR
        case gainMapCapacityMinimum, gainMapCapacityMaximum, gainMapBaseIsHDR
        case appleGainMapVersion, appleGainMapHeadroom
    }

    /// The reason why a packet was not read completely.
    enum Problem: Error {
        case tooLong, declarations, damaged, tooDeep, tooMuch, encoding

        /// The reason for a person.
        var text: String {
            switch self {
            case .tooLong: localized("it is longer than 1 MiB")
            case .declarations: localized("it declares a document type")
            case .damaged: localized("it is not well-formed XML")
            case .tooDeep: localized("it is nested too deeply")
            case .tooMuch: localized("it has too many elements")
            case .encoding: localized("it is not UTF-8")
            }
        }

        init(_ problem: XMLError.Problem) {
            self =
                switch problem {
                case .tooLong: .tooLong
                case .declarations: .declarations
                case .malformed: .damaged
                case .tooDeep: .tooDeep
                case .tooMuch: .tooMuch
                case .encoding: .encoding
                }
        }
    }

    private(set) var values: [Property: [String]] = [:]
    /// The languages of the values, such as "x-default" and "de-DE"; empty for values without one.
    private(set) var languages: [Property: [String]] = [:]
    private(set) var problem: Problem?

    /// Maximum number of values of one property.
    private static let mostValues = 64

    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    private static let dublinCore = "http://purl.org/dc/elements/1.1/"
    private static let basic = "http://ns.adobe.com/xap/1.0/"
    private static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
    /// IPTC Photo Metadata Standard 2023.1.
    private static let accessibility = "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
    /// Adobe, Gain map specification 1.0.
    private static let gainMap = "http://ns.adobe.com/hdr-gain-map/1.0/"
    private static let appleGainMap = "http://ns.apple.com/HDRGainMap/1.0/"
    private static let names: [String: Property] = [
        dublinCore + "title": .title, dublinCore + "description": .description,
        dublinCore + "creator": .creator, dublinCore + "rights": .rights,
        dublinCore + "subject": .subject, basic + "Rating": .rating, basic + "CreatorTool": .tool,
        basic + "CreateDate": .created, "http://ns.adobe.com/exif/1.0/aux/Lens": .lens,
        "http://cipa.jp/exif/1.0/LensModel": .lens, photoshop + "Headline": .headline,
        photoshop + "City": .city, photoshop + "State": .state, photoshop + "Country": .country,
        accessibility + "AltTextAccessibility": .alternativeText,
        accessibility + "ExtDescrAccessibility": .extendedDescription,
        gainMap + "GainMapMin": .gainMapMinimum, gainMap + "GainMapMax": .gainMapMaximum,
        gainMap + "Gamma": .gainMapGamma, gainMap + "OffsetSDR": .gainMapOffsetSDR,
        gainMap + "OffsetHDR": .gainMapOffsetHDR,
        gainMap + "HDRCapacityMin": .gainMapCapacityMinimum,
        gainMap + "HDRCapacityMax": .gainMapCapacityMaximum,
        gainMap + "BaseRenditionIsHDR": .gainMapBaseIsHDR,
        appleGainMap + "HDRGainMapVersion": .appleGainMapVersion,
        appleGainMap + "HDRGainMapHeadroom": .appleGainMapHeadroom,
    ]

    private var prefixes = XMLPrefixes()
    /// For each open element, the property that its text belongs to.
    private var open: [(property: Property?, language: String)] = []
    private var text = ""

    init(_ bytes: UnsafeRawBufferPointer) {
        var scanner = XMLScanner(bytes)
        do throws(XMLError) {
            while let token = try scanner.next() { handle(token) }
        } catch {
            problem = Problem(error.problem)
        }
    }

    private mutating func handle(_ token: XMLToken) {
        switch token {
        case .start(let tag): begin(tag)
        case .end: end()
        case .text(let more): if open.last?.property != nil { text += more }
        }
    }

    private mutating func begin(_ tag: XMLToken.StartTag) {
        prefixes.declare(tag)
        let full = prefixes.expanded(tag.name)
        if full == Self.rdf + "Description" {
            for attribute in tag.attributes {
                if let property = Self.names[prefixes.expanded(attribute.name)] {
                    add(attribute.value, in: "", to: property)
                }
            }
        }
        let language = tag.attributes.first { $0.name == "xml:lang" }?.value
        open.append(
            (Self.names[full] ?? open.last?.property, language ?? open.last?.language ?? ""))
        text = ""
    }

    /// Ends an element; the text since the last tag is a value, also of a list item.
    private mutating func end() {
        if let last = open.popLast(), let property = last.property {
            add(text, in: last.language, to: property)
        }
        text = ""
    }

    private mutating func add(_ value: String, in language: String, to property: Property) {
        guard values[property, default: []].count < Self.mostValues,
            let tidy = MetadataText.tidy(value)
        else { return }
        values[property, default: []].append(tidy)
        languages[property, default: []].append(language)
    }
}
