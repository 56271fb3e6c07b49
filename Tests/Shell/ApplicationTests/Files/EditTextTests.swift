import Geometry
import ImageWire
import Testing

@testable import Application

/// What is told of new picture files.
@Suite struct EditTextTests {
    @Test(arguments: [
        EditMethod.orientationTag, .jpegCoefficients, .reencoded(quality: nil),
        .reencoded(quality: 92),
    ])
    func onlyWhatLacksNothingHasFullQuality(method: EditMethod) {
        var description = EditDescription(
            method, format: "PNG", fileExtension: "png", size: PixelSize(width: 80, height: 60))
        let keepsPixels = method == .orientationTag || method == .jpegCoefficients
        #expect(ChangeTexts.text(of: description).contains("full quality") == keepsPixels)
        description.losses = ["the EXIF data are left out"]
        let text = ChangeTexts.text(of: description)
        #expect(text.contains("80 × 60") && !text.contains("full quality"))
        #expect(ChangeTexts.text(ofLosses: description.losses).contains(description.losses[0]))
    }
}
