import ImageTypes
import Testing

@testable import Application

@Suite struct FormatsTests {
    @Test func availableFormatsAreListedWithTheirKind() throws {
        let formats = Formats(["PNG", "GIF"])
        let lines = formats.text.split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            #expect(fields.count == 4)
            #expect(["animated", "still"].contains(fields[3]))
        }
        #expect(formats.missing.count == PictureFormat.all.count - 2)
        #expect(!formats.missing.contains("PNG"))
    }

    @Test func anUnknownNameIsIgnored() {
        let formats = Formats(["no format"])
        #expect(formats.text.isEmpty)
        #expect(formats.missing.count == PictureFormat.all.count)
    }
}
