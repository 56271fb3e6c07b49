import CoreTestKit
import Interface
import Settings
import TOML
import Testing

@testable import Viewer

@Suite struct FolderWeightsTests {
    private func weight(_ text: String, _ folder: String) throws -> UInt8 {
        try FolderWeights(text).weight(ofFolder: Array(folder.utf8))
    }

    @Test func theDeepestFolderCounts() throws {
        let text = "/srv 2; /srv/new 5;/srv/new/old pictures/ 1 ;"
        for (folder, expected) in [
            ("/srv", 2), ("/srv/", 2), ("/srv/x", 2), ("/srv/new", 5), ("/srv/new/a/b/", 5),
            ("/srv/new/old pictures", 1), ("/srv/new/old pictures/1", 1), ("/srv/newer", 2),
            ("/srvx", 1), ("/", 1), ("", 1), ("/srv/./new//a", 5), ("/srv/new/../x", 2),
        ] { #expect(try weight(text, folder) == expected, "\(folder)") }
        #expect(try weight("/ 7", "/anything") == 7)
        #expect(try weight("", "/srv") == 1)
        #expect(try FolderWeights(" ; ;").isEmpty)
    }

    @Test(arguments: [
        ("/srv", "“/srv” does not end with a number from 1 to 100"),
        ("/srv 0", "“/srv 0” does not end with a number from 1 to 100"),
        ("/srv 101; /a 1", "“/srv 101” does not end with a number from 1 to 100"),
        ("3", "“3” does not end with a number from 1 to 100"),
        ("/srv three", "“/srv three” does not end with a number from 1 to 100"),
        (
            "/srv 99999999999999999999",
            "“/srv 99999999999999999999” does not end with a number from 1 to 100"
        ),
        ("srv 3", "“srv” does not begin with /"),
        ("/srv 3; /srv/ 4", "one folder stands there twice"),
    ])
    func errorsAreSaid(_ text: String, _ reason: String) {
        #expect(throws: FolderWeights.Refusal(reason: reason)) { try FolderWeights(text) }
    }

    @Test func thereAreLimits() {
        let text = (0...100).map { "/f\($0) 2" }.joined(separator: ";")
        #expect(throws: FolderWeights.Refusal(reason: "more than 100 folders")) {
            try FolderWeights(text)
        }
    }

    // MARK: Settings

    private func settings(_ setting: Setting) throws(SettingRefusal) -> SlideshowSettings {
        var settings = ViewerSettings()
        try ViewerSettings.table.set(setting, in: &settings)
        return settings.slideshow
    }

    @Test func textsAndArraysAreTheSame() throws {
        let array = Setting("slideshow.weights", .array([.string("/a 2"), .string("/b 3")]))
        let text = Setting("slideshow.weights", written: "/a 2; /b 3")
        #expect(try settings(array).weights == settings(text).weights)
        let fields = Setting("slideshow.caption", .array([.string("date"), .string("title")]))
        #expect(try settings(fields).caption == [.date, .title])
        #expect(
            try settings(Setting("slideshow.caption", written: "date,title  date")).caption
                == [.date, .title])
        #expect(try settings(Setting("slideshow.caption", written: "")).caption == [])
    }

    @Test func wrongSettingsAreRefused() {
        func reason(_ setting: Setting) -> String? {
            do throws(SettingRefusal) {
                _ = try settings(setting)
                return nil
            } catch { return error.reason }
        }
        #expect(
            reason(Setting("slideshow.caption", written: "titel"))
                == "slideshow.caption takes fields of title, description, date, place, folder, name, "
                + "and “titel” is none, not “titel”")
        #expect(reason(Setting("slideshow.caption", .flag(true))) != nil)
        #expect(reason(Setting("slideshow.caption", .array([.integer(1)]))) != nil)
        #expect(
            reason(Setting("slideshow.weights", written: "/a"))
                == "slideshow.weights takes folders with numbers (“/a” does not end with a number "
                + "from 1 to 100), not “/a”")
    }
}
