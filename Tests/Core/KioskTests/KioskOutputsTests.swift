import CoreTestKit
import Kiosk
import Settings
import Testing

/// The notation of `kiosk.outputs`.
@Suite struct KioskOutputsTests {
    private func reason(_ text: String) -> String? {
        do throws(OutputsError) { _ = try KioskOutputs(text) } catch { return error.reason }
        return nil
    }

    @Test func namesAndFolders() throws {
        let outputs = try KioskOutputs(" HDMI-A-1  /srv/the left ; HDMI-A-2;;DP-1 /srv/right")
        #expect(outputs.names == ["HDMI-A-1", "HDMI-A-2", "DP-1"])
        #expect(outputs.folder(of: "HDMI-A-1") == "/srv/the left")
        #expect(outputs.folder(of: "HDMI-A-2") == nil)
        #expect(outputs.folder(of: "DP-1") == "/srv/right")
        #expect(outputs.folder(of: "DP-2") == nil)
        #expect(try KioskOutputs(" ; ").isEmpty)
    }

    @Test func errorsAreNamed() {
        #expect(reason("A /x; A") == "“A” is named twice")
        #expect(reason("A srv") == "“srv” is not an absolute path")
        #expect(reason((1...16).map { "O-\($0)" }.joined(separator: ";")) == nil)
        #expect(
            reason((1...17).map { "O-\($0)" }.joined(separator: ";")) == "there are more than 16")
    }

    @Test func theSettingKeepsItsText() throws {
        var settings = KioskSettings()
        try KioskSettings.table.set(Setting("kiosk.outputs", written: "A /x; B"), in: &settings)
        #expect(settings.outputs.names == ["A", "B"])
        let refusal = #expect(throws: SettingRefusal.self) {
            try KioskSettings.table.set(Setting("kiosk.outputs", written: "A x"), in: &settings)
        }
        #expect(refusal?.problem.contains("“x” is not an absolute path") == true)
        #expect(settings.outputsText == "A /x; B")
    }
}
