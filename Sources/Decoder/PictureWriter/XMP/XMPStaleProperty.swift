import Localization

/// A property of XMP data that is wrong in a file with other pixels and without further parts.
struct XMPStaleProperty {
    /// What a property is about.
    enum Subject: CaseIterable {
        /// Small copies of the picture.
        case thumbnail
        /// Pictures inside the XMP data: a depth map, or the picture before it was changed.
        case picture
        /// Other parts of the file, such as a video or a gain map, which are told of by themselves.
        case part
        /// The size of the picture, and places in pixels.
        case size
        /// Places in fractions of the picture, such as those of faces.
        case region
        /// How a panorama covers a sphere.
        case panorama
        /// Extended XMP data in other segments of a JPEG.
        case continuation
    }

    var subject: Subject
    /// The place of the attribute, or of the element with its tags.
    var range: Range<Int>

    /// Finds the properties in order; those inside others are not among them.
    ///
    /// An element without an end is none.
    static func all(in xmp: UnsafeRawBufferPointer) -> [XMPStaleProperty] {
        var search = XMPPropertySearch(xmp)
        for tag in XMPTags(xmp) { search.read(tag) }
        return search.found
    }

    /// What a person is told of properties that are left out; those that only repeat what the file says
    /// elsewhere are not told of.
    static func losses(_ subjects: Set<Subject>) -> [String] {
        Subject.allCases.filter(subjects.contains).compactMap { subject in
            switch subject {
            case .thumbnail: localized("the thumbnail inside the XMP data is left out")
            case .picture: EditLosses.furtherPictures
            case .region: localized("the marked places, such as faces, are left out")
            case .panorama: localized("the data of the panorama are left out")
            case .part, .size, .continuation: nil
            }
        }
    }
}

/// Collects stale properties, tag by tag.
private struct XMPPropertySearch {
    private(set) var found: [XMPStaleProperty] = []
    private var names: XMPPropertyNames
    private var depth = 0
    /// A stale property whose end has not come yet.
    private var open: (subject: XMPStaleProperty.Subject, start: Int, depth: Int)?

    init(_ xmp: UnsafeRawBufferPointer) { names = XMPPropertyNames(xmp) }

    mutating func read(_ tag: XMPTags.Tag) {
        switch tag.kind {
        case .start:
            if open == nil { begin(tag) }
            depth += 1
        case .empty: if open == nil { begin(tag) }
        case .end:
            depth -= 1
            guard let element = open, element.depth == depth else { break }
            add(element.subject, element.start..<tag.range.upperBound)
            open = nil
        }
    }

    private mutating func begin(_ tag: XMPTags.Tag) {
        names.declare(tag)
        if let subject = names.subject(tag.name) {
            if tag.kind == .empty {
                add(subject, tag.range)
            } else {
                open = (subject, tag.range.lowerBound, depth)
            }
            return
        }
        for attribute in tag.attributes {
            if let subject = names.subject(attribute.name) { add(subject, attribute.range) }
        }
    }

    private mutating func add(_ subject: XMPStaleProperty.Subject, _ range: Range<Int>) {
        found.append(XMPStaleProperty(subject: subject, range: range))
    }
}

/// The names of stale properties in a packet with prefixes of its own.
private struct XMPPropertyNames {
    private let xmp: UnsafeRawBufferPointer
    /// The namespaces of prefixes; a prefix counts from its declaration on.
    private var namespaces: [String: String] = [:]

    init(_ xmp: UnsafeRawBufferPointer) { self.xmp = xmp }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: xmp[range], as: UTF8.self)
    }

    mutating func declare(_ tag: XMPTags.Tag) {
        for attribute in tag.attributes where xmp[attribute.name].starts(with: "xmlns:".utf8) {
            namespaces[String(text(attribute.name).dropFirst(6))] = text(attribute.value)
        }
    }

    /// What the property with a name is about; nil for one that stays true.
    func subject(_ name: Range<Int>) -> XMPStaleProperty.Subject? {
        let parts = text(name).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        let local = String(parts[1])
        // Whatever its prefix is.
        if local == "Thumbnails" { return .thumbnail }
        guard let namespace = namespaces[String(parts[0])] else { return nil }
        if let subject = Self.whole[namespace] ?? Self.named[namespace]?[local] { return subject }
        if namespace.hasPrefix(Self.dynamicDepth) { return .part }
        let isMotion = local.hasPrefix("MicroVideo") || local.hasPrefix("MotionPhoto")
        return namespace == Self.google + "camera/" && isMotion ? .part : nil
    }

    private static let google = "http://ns.google.com/photos/1.0/"
    private static let dynamicDepth = "http://ns.google.com/photos/dd/1.0/"

    /// Namespaces of which all properties are stale.
    ///
    /// Sources: Android Motion Photo 1.0; Ultra HDR 1.1; Dynamic Depth 1.0; Depthmap, Panorama and Photo
    /// Sphere metadata of Google; Guidelines for Handling Image Metadata 2.0, 5.9.
    private static let whole: [String: XMPStaleProperty.Subject] = [
        google + "container/": .part, google + "container/item/": .part,
        google + "focus/": .part, google + "depthmap/": .picture, google + "image/": .picture,
        google + "panorama/": .panorama,
        "http://ns.adobe.com/hdr-gain-map/1.0/": .part,
        "http://ns.apple.com/HDRGainMap/1.0/": .part,
        "http://ns.oplus.com/photos/1.0/camera/": .part,
        "http://www.metadataworkinggroup.com/schemas/regions/": .region,
        "http://ns.acdsee.com/regions/": .region,
    ]

    /// Stale properties of other namespaces.
    private static let named: [String: [String: XMPStaleProperty.Subject]] = [
        "http://ns.xiaomi.com/photos/1.0/camera/": ["XMPMeta": .part],
        "http://ns.microsoft.com/photo/1.2/": ["RegionInfo": .region],
        "http://iptc.org/std/Iptc4xmpExt/2008-02-29/": ["ImageRegion": .region],
        "http://ns.adobe.com/exif/1.0/": [
            "PixelXDimension": .size, "PixelYDimension": .size, "SubjectArea": .size,
            "SubjectLocation": .size,
        ],
        "http://ns.adobe.com/tiff/1.0/": ["ImageWidth": .size, "ImageLength": .size],
        "http://ns.adobe.com/xmp/note/": ["HasExtendedXMP": .continuation],
    ]
}
