package import ImageTypes
import Localization

/// Collects the metadata of a picture file from EXIF, XMP, IPTC and PNG's texts.
///
/// If several sources have the same property, the first of XMP, IPTC, EXIF and the texts is used;
/// for camera data, EXIF is used first. Empty values are left out. Values are cut to the limits of
/// `PictureMetadata`.
package struct MetadataReader {
    private typealias Tag = ExifCopy.Tag
    private var metadata = PictureMetadata()

    /// Reads the metadata of a file, which is `bytes`; no pixels are decoded.
    package static func read(_ bytes: UnsafeRawBufferPointer) -> PictureMetadata {
        let blocks = MetadataBlocks(bytes)
        var reader = MetadataReader()
        let exif = blocks.exif.flatMap { ExifValues($0) }
        reader.read(exif, blocks)
        withExtendedLifetime(blocks) {}
        return reader.metadata
    }

    private mutating func read(_ exif: ExifValues?, _ blocks: MetadataBlocks) {
        let xmp = blocks.xmp.map { XMPReader($0) }
        let sources = TextSources(
            xmp: xmp?.values ?? [:], iptc: blocks.iptc.map { IPTCReader.read($0) } ?? [:],
            texts: blocks.texts)
        addFile(exif, blocks, sources)
        if let exif { addCamera(exif) }
        if !metadata.entries.contains(where: { $0.label == "Lens" }) {
            add(.camera, localized("Lens"), sources.value(.lens))
        }
        addDescription(exif, sources)
        if let xmp { metadata.alternativeTexts = Self.alternativeTexts(xmp) }
        if let exif { addPosition(exif) }
        add(.place, localized("City"), sources.value(.city, .city))
        add(.place, localized("State"), sources.value(.state, .state))
        add(.place, localized("Country"), sources.value(.country, .country))
        if let problem = xmp?.problem {
            add(.description, "XMP", localized("cannot be read in full: \(problem.text)"))
        }
        if blocks.exif != nil, !ExifValues.isAvailable {
            add(.camera, "EXIF", localized("cannot be read: libexif is not installed"))
        }
    }

    private mutating func add(_ group: PictureMetadata.Group, _ label: String, _ value: String?) {
        guard let value = value.flatMap(MetadataText.tidy),
            metadata.entries.count < PictureMetadata.mostEntries
        else { return }
        metadata.entries.append(.init(group, label, value))
    }

    /// The text that stands for the picture, in each language of the first property that has a value.
    private static func alternativeTexts(_ xmp: XMPReader) -> [PictureMetadata.AlternativeText] {
        let properties = [XMPReader.Property.alternativeText, .extendedDescription, .description]
        guard let property = properties.first(where: { xmp.values[$0] != nil }) else { return [] }
        let texts = zip(xmp.values[property] ?? [], xmp.languages[property] ?? []).map {
            PictureMetadata.AlternativeText($0.0, language: $0.1)
        }
        return Array(texts.prefix(PictureMetadata.mostAlternativeTexts))
    }

    // MARK: Groups

    private mutating func addFile(
        _ exif: ExifValues?, _ blocks: MetadataBlocks, _ sources: TextSources
    ) {
        let dates = [
            exif?.text(.camera, Tag.dateTimeOriginal), exif?.text(.camera, Tag.dateTimeDigitized),
            exif?.text(.picture, Tag.dateTime), sources.value(.created, text: "Creation Time"),
        ]
        let taken = MetadataText.date(of: dates).map { $0 + Self.offset(of: $0, blocks.exif) }
        add(.file, localized("Taken"), taken)
        add(
            .file, localized("Colour profile"),
            blocks.profile.flatMap(ICCDescription.name) ?? blocks.profileName)
        add(.file, "HDR", blocks.dynamicRange.map(Self.text))
    }

    /// How bright a picture is.
    private static func text(_ range: HighDynamicRange) -> String {
        switch range {
        case .gainMap(let headroom?):
            // Translators: HDR: the brightest places of a picture on a screen that can show them.
            localized("up to \(MetadataText.number(headroom) ?? "") times as bright as white")
        case .gainMap(nil): localized("gain map")
        case .perceptualQuantizer: "PQ"
        case .hybridLogGamma: "HLG"
        }
    }

    /// The offset from UTC that EXIF data have for a date, such as " +09:00"; empty if they have none.
    private static func offset(of date: String, _ exif: UnsafeRawBufferPointer?) -> String {
        guard let exif, let taken = Exif(tiff: exif).taken, let offset = taken.utcOffset else {
            return ""
        }
        // The offset belongs to one of several dates.
        let (dash, colon) = (UInt8(ascii: "-"), UInt8(ascii: ":"))
        let text: [UInt8] = date.utf8.map { $0 == dash ? colon : $0 }
        return Exif.seconds(text) == taken.wallClock ? " " + MetadataText.offset(offset) : ""
    }

    private mutating func addCamera(_ exif: ExifValues) {
        let make = exif.text(.picture, Tag.make)
        add(.camera, localized("Model"), Self.name(exif.text(.picture, Tag.model), of: make))
        add(
            .camera, localized("Lens"),
            Self.name(exif.text(.camera, Tag.lensModel), of: exif.text(.camera, Tag.lensMake)))
        add(
            .camera, localized("Exposure"),
            exif.number(.camera, Tag.exposureTime).flatMap(MetadataText.exposure))
        if let aperture = exif.number(.camera, Tag.aperture), aperture > 0 {
            add(.camera, localized("Aperture"), MetadataText.number(aperture).map { "f/\($0)" })
        }
        if let sensitivity = exif.number(.camera, Tag.sensitivity), sensitivity > 0 {
            add(.camera, "ISO", MetadataText.number(sensitivity))
        }
        if let bias = exif.number(.camera, Tag.exposureBias), bias != 0 {
            add(
                .camera, localized("Exposure bias"),
                MetadataText.number(bias, places: 2).map { (bias > 0 ? "+" : "") + $0 + " EV" })
        }
        if let length = exif.number(.camera, Tag.focalLength), length > 0 {
            add(.camera, localized("Focal length"), MetadataText.number(length).map { "\($0) mm" })
            if let film = exif.number(.camera, Tag.focalLengthIn35mm), film > 0, film != length {
                // Translators: the focal length with the same angle of view on 35 mm film.
                let label = localized("35 mm equivalent")
                add(.camera, label, MetadataText.number(film).map { "\($0) mm" })
            }
        }
        add(.camera, localized("Flash"), exif.number(.camera, Tag.flash).map(MetadataText.flash))
    }

    /// The model after its maker; only the model if it begins with the maker's name.
    private static func name(_ model: String?, of make: String?) -> String? {
        guard let model else { return make }
        guard let make, let first = make.split(separator: " ").first,
            !model.lowercased().hasPrefix(first.lowercased())
        else { return model }
        return "\(make) \(model)"
    }

    private mutating func addDescription(_ exif: ExifValues?, _ sources: TextSources) {
        func value(_ tag: Int) -> String? { exif?.text(.picture, tag) }
        add(.description, localized("Title"), sources.value(.title, .title, text: "Title"))
        add(.description, localized("Headline"), sources.value(.headline, .headline))
        add(
            .description, localized("Description"),
            sources.value(.description, .caption) ?? value(Tag.description)
                ?? sources.text("Description") ?? sources.text("Comment"))
        add(
            .description, localized("Creator"),
            sources.value(.creator, .creator) ?? value(Tag.artist) ?? sources.text("Author"))
        add(
            .description, localized("Copyright"),
            sources.value(.rights, .copyright) ?? value(Tag.copyright) ?? sources.text("Copyright"))
        add(.description, localized("Keywords"), sources.value(.subject, .keyword))
        add(
            .description, localized("Rating"),
            FileRating.stars(in: sources.xmp).flatMap(StarRating.text))
        add(
            .description, localized("Software"),
            value(Tag.software) ?? sources.value(.tool) ?? sources.text("Software"))
    }

    private mutating func addPosition(_ exif: ExifValues) {
        guard let north = Self.degrees(exif, Tag.latitude, side: Tag.latitudeSide, minus: "S"),
            let east = Self.degrees(exif, Tag.longitude, side: Tag.longitudeSide, minus: "W"),
            let position = PictureMetadata.Position(latitude: north, longitude: east)
        else { return }
        metadata.position = position
        guard let altitude = exif.number(.gps, Tag.altitude) else { return }
        let isBelow = exif.number(.gps, Tag.altitudeSide) == 1
        add(
            .place, localized("Altitude"),
            MetadataText.number(isBelow ? -altitude : altitude, places: 0).map { "\($0) m" })
    }

    /// Degrees, minutes and seconds as degrees; negative if the side is the letter `minus`.
    private static func degrees(
        _ exif: ExifValues, _ tag: Int, side: Int, minus: String
    ) -> Double? {
        guard let degrees = exif.number(.gps, tag), let letter = exif.text(.gps, side) else {
            return nil
        }
        let minutes = exif.number(.gps, tag, at: 1) ?? 0
        let seconds = exif.number(.gps, tag, at: 2) ?? 0
        let value = degrees + minutes / 60 + seconds / 3600
        return letter.uppercased() == minus ? -value : value
    }
}

/// The text properties of XMP, IPTC and PNG's texts.
private struct TextSources {
    let xmp: [XMPReader.Property: [String]]
    let iptc: [IPTCReader.Field: [String]]
    let texts: [(keyword: String, text: String)]

    /// The value of the first source that has one; several values are joined.
    func value(
        _ property: XMPReader.Property, _ field: IPTCReader.Field? = nil,
        text keyword: String? = nil
    ) -> String? {
        joined(xmp[property].map { isAlternative(property) ? Array($0.prefix(1)) : $0 })
            ?? joined(field.flatMap { iptc[$0] }) ?? keyword.flatMap(text)
    }

    func text(_ keyword: String) -> String? {
        texts.first { $0.keyword == keyword }.flatMap { MetadataText.tidy($0.text) }
    }

    /// Whether the values are one text in several languages, the default language first.
    private func isAlternative(_ property: XMPReader.Property) -> Bool {
        switch property {
        case .creator, .subject: false
        case .title, .description, .rights, .rating, .lens, .tool, .headline, .city, .state,
            .country, .created, .alternativeText, .extendedDescription:
            true
        case .gainMapMinimum, .gainMapMaximum, .gainMapGamma, .gainMapOffsetSDR, .gainMapOffsetHDR,
            .gainMapCapacityMinimum, .gainMapCapacityMaximum, .gainMapBaseIsHDR,
            .appleGainMapVersion, .appleGainMapHeadroom:
            false
        }
    }

    private func joined(_ values: [String]?) -> String? {
        let tidy = (values ?? []).compactMap(MetadataText.tidy)
        return tidy.isEmpty ? nil : tidy.joined(separator: ", ")
    }
}
