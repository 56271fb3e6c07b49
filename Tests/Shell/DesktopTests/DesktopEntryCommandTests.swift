import Folders
import Testing

@testable import Desktop

@Suite struct DesktopEntryCommandTests {
    private let files = [FilePath("/a b/1.png"), FilePath("/c/2.png")]

    private func starts(_ command: String, _ files: [FilePath]? = nil) -> [[String]]? {
        let facts = DesktopEntryCommand.Facts(name: "The App", icon: "app", file: "/x.desktop")
        return DesktopEntryCommand(command)?.starts(files ?? self.files, facts).map {
            $0.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test func filesTakeThePlaceOfTheirCodes() {
        #expect(starts("app %F") == [["app", "/a b/1.png", "/c/2.png"]])
        #expect(
            starts("app -x %U y") == [["app", "-x", "file:///a%20b/1.png", "file:///c/2.png", "y"]])
        #expect(starts("app %f") == [["app", "/a b/1.png"], ["app", "/c/2.png"]])
        #expect(starts("app --file=%u", [files[0]]) == [["app", "--file=file:///a%20b/1.png"]])
        #expect(starts("app %f", []) == [["app"]])
    }

    /// As in other desktops, an entry without a code opens files all the same.
    @Test func filesComeLastWithoutACode() {
        #expect(starts("app", [files[0]]) == [["app", "/a b/1.png"]])
    }

    @Test func otherCodesAreReplaced() {
        #expect(
            starts("app %i -n %c %k %% 100%% %d%D%v %F", [files[1]]) == [
                [
                    "app", "--icon", "app", "-n", "The App", "/x.desktop", "%", "100%", "",
                    "/c/2.png",
                ]
            ])
    }

    @Test func quotesKeepArgumentsTogether() {
        #expect(
            starts(#""/opt/my app/run" 'a "b"' "c\"\\\$\`d\e" f\ g %F"#, []) == [
                ["/opt/my app/run", #"a "b""#, #"c"\$`d\e"#, "f g"]
            ])
        // No shell reads this.
        #expect(starts("app $(id) ;rm * %F", []) == [["app", "$(id)", ";rm", "*"]])
    }

    @Test(arguments: ["", " ", "\"app", "app 'x", "app \\", "\"\" x"])
    func commandsThatMakeNoSenseAreRefused(command: String) {
        #expect(DesktopEntryCommand(command) == nil)
    }

    @Test func namesOnTheBus() {
        #expect(BusName.isValid("org.gnome.TextEditor") && BusName.isValid("a.b-c._d"))
        #expect(BusName.path(of: "org.my-app.X") == "/org/my_app/X")
        for name in ["", "a", ".a.b", "a..b", "a.1b", "a.b/c", "a.é", "a b.c"] {
            #expect(!BusName.isValid(name), "\(name)")
        }
    }
}
