import Edits
import Geometry
import ImageWire
import TestKit
import Testing

@testable import PictureWriter

/// XMP data about the old pixels, or about parts of the file that a new one has not.
@Suite struct StaleXMPTests {
    private static let (adobe, google) = (
        "http://ns.adobe.com/", "http://ns.google.com/photos/1.0/"
    )

    struct Case: Sendable, CustomStringConvertible {
        var namespace: String
        var prefix: String
        /// Properties by attributes of the description, and by its elements; `$` is the prefix.
        var attributes = ""
        var elements = ""
        /// Words of the message to the person; nil without a message.
        var loss: String?
        var description: String { namespace + attributes + elements }

        func xmp(prefix: String? = nil, namespace: String? = nil) -> [UInt8] {
            func named(_ text: String) -> String {
                text.split(separator: "$", omittingEmptySubsequences: false)
                    .joined(separator: (prefix ?? self.prefix) + ":")
            }
            return TestMetadata.xmp(
                attributes: "xmlns:\(prefix ?? self.prefix)=\"\(namespace ?? self.namespace)\" "
                    + "xmp:Rating=\"4\" " + named(attributes),
                named(elements) + TestMetadata.title("A boat"))
        }
    }

    static let cases = [
        Case(
            namespace: google + "camera/", prefix: "GCamera",
            attributes: "$MicroVideo=\"1\" $MicroVideoVersion='1' $MicroVideoOffset=\"4242\""),
        Case(
            namespace: google + "camera/", prefix: "Camera",
            elements: "<$MotionPhoto>1</$MotionPhoto>\n<$MotionPhotoVersion>1</$MotionPhotoVersion>"
        ),
        Case(
            namespace: google + "container/", prefix: "Container",
            elements: "<$Directory><rdf:Seq><rdf:li rdf:parseType=\"Resource\"><$Item "
                + "xmlns:Item=\"\(google)container/item/\" Item:Semantic=\"GainMap\" "
                + "Item:Length=\"999\"/></rdf:li></rdf:Seq></$Directory>"),
        Case(
            namespace: adobe + "hdr-gain-map/1.0/", prefix: "hdrgm",
            attributes: "$Version=\"1.0\" $GainMapMax=\"2.5\"",
            elements: "<$Gamma><rdf:Seq><rdf:li>1</rdf:li></rdf:Seq></$Gamma>"),
        Case(
            namespace: "http://ns.apple.com/HDRGainMap/1.0/", prefix: "HDRGainMap",
            attributes: "$HDRGainMapVersion=\"131072\""),
        Case(
            namespace: adobe + "exif/1.0/", prefix: "exif",
            attributes: "$PixelXDimension=\"4000\"", elements: "<$PixelYDimension/>"),
        Case(namespace: adobe + "tiff/1.0/", prefix: "tiff", attributes: "$ImageWidth=\"4000\""),
        Case(
            namespace: google + "depthmap/", prefix: "GDepth",
            attributes: "$Format=\"RangeLinear\" $Data=\"QUJDRA==\"", loss: "further pictures"),
        Case(
            namespace: "http://www.metadataworkinggroup.com/schemas/regions/", prefix: "mwg-rs",
            elements: "<$Regions rdf:parseType=\"Resource\"><$RegionList/></$Regions>",
            loss: "marked places"),
        Case(
            namespace: google + "panorama/", prefix: "GPano",
            attributes: "$FullPanoWidthPixels=\"8000\"", loss: "panorama"),
        Case(
            namespace: adobe + "xmp/note/", prefix: "xmpNote",
            attributes: "$HasExtendedXMP=\"0123456789ABCDEF0123456789ABCDEF\""),
    ]

    // MARK: Files

    private static let picture = TestPicture.card(32, 24)

    private static func files(_ xmp: [UInt8]) -> [(name: String, bytes: [UInt8])] {
        let plain = TestMetadata.text("iTXt", "XML:com.adobe.xmp", xmp)
        let packed = TestMetadata.text("ziTXt", "XML:com.adobe.xmp", xmp)
        return [
            ("JPEG", TestMetadata.jpeg(xmp: xmp)),
            ("PNG", TestMetadata.png(picture.png(), plain, isLate: false)),
            ("packed PNG", TestMetadata.png(picture.png(), packed, isLate: true)),
        ]
    }

    private func crop(_ method: EditRequest.CropMethod) -> EditRequest {
        var request = EditRequest(
            PictureEdit(crop: .init(rect: Rect(x: 0, y: 0, width: 16, height: 16))))
        request.crop = method
        request.mayReencode = method == .exact
        return request
    }

    private func has(_ text: String, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { $0.firstIndex(of: Array(text.utf8), from: 0) != nil }
    }

    @Test(arguments: cases) func staleDataGo(of stale: Case) throws {
        // A program may choose another prefix.
        for prefix in [stale.prefix, "x-1"] {
            for file in Self.files(stale.xmp(prefix: prefix)) {
                for method in [EditRequest.CropMethod.exact, .blockGrid]
                where method == .exact || file.name == "JPEG" {
                    let edited = try Edited(file.bytes, crop(method))
                    #expect(!has(prefix + ":", edited.bytes), "\(file.name)")
                    #expect(has("A boat", edited.bytes) && has("xmp:Rating=\"4\"", edited.bytes))
                    let losses = edited.description.losses
                    #expect(losses.count == (stale.loss == nil ? 0 : 1), "\(losses)")
                    #expect(losses.allSatisfy { $0.contains(stale.loss ?? "") }, "\(losses)")
                    #expect(
                        try fingerprint(edited.bytes).metadata
                            == fingerprint(file.bytes, crop(method).edit).metadata)
                }
            }
        }
    }

    /// The same names of another namespace belong to somebody else; a turn by the tag keeps everything.
    @Test(arguments: cases) func otherDataStay(of stale: Case) throws {
        for file in Self.files(stale.xmp(namespace: "http://example.org/")) {
            let edited = try Edited(file.bytes, crop(.exact))
            #expect(has(stale.prefix + ":", edited.bytes))
            #expect(edited.description.losses.isEmpty)
        }
        let source = TestMetadata.jpeg(xmp: stale.xmp())
        #expect(has(stale.prefix + ":", try Edited(source, turn: .rotatedLeft).bytes))
    }

    // MARK: Damaged data

    /// Cut or altered in every place: nothing traps, and a property that is removed is removed whole.
    @Test(arguments: cases) func damagedDataStayInOrder(of stale: Case) {
        let whole = stale.xmp()
        for place in whole.indices {
            for value in [nil, UInt8(ascii: "<"), UInt8(ascii: "\"")] {
                var damaged = whole
                if let value { damaged[place] = value } else { damaged.removeSubrange(place...) }
                damaged.withUnsafeBytes { bytes in
                    let ranges = XMPStaleProperty.all(in: bytes).map(\.range)
                    #expect(
                        zip(ranges, ranges.dropFirst()).allSatisfy {
                            $0.upperBound <= $1.lowerBound
                        })
                    #expect(XMPEditing.repixeled(bytes, .upright).count <= bytes.count)
                }
            }
        }
    }

    @Test(arguments: [
        "<a x:b='", "<a x:b=\"1\"", "<!--", "<![CDATA[", "<?x", "<x:MicroVideo>", "</x:MicroVideo>",
        "<x:MicroVideo a='1'", "x:MicroVideo=\"1\" ", "<", "< x", "<a '='",
    ])
    func repeatedTextTakesLinearTime(text: String) {
        let start = "<x xmlns:x=\"\(Self.google)camera/\">"
        let bytes = Array((start + String(repeating: text, count: 100_000)).utf8)
        bytes.withUnsafeBytes { #expect(XMPEditing.repixeled($0, .upright).count <= $0.count) }
    }
}
