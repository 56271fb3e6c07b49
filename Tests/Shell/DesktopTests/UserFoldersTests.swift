import Folders
import Glibc
import TestKit
import Testing

@testable import Desktop

@Suite struct UserFoldersTests {
    private func entry(_ file: String, home: String = "/home/me") -> UserFoldersFile.Entry {
        UserFoldersFile.folder("PICTURES", in: Array(file.utf8), home: home)
    }

    @Test(arguments: [
        (#"XDG_PICTURES_DIR="$HOME/Pictures""#, "/home/me/Pictures"),
        (#"  XDG_PICTURES_DIR = "/mnt/my photos"  "#, "/mnt/my photos"),
        (#"XDG_PICTURES_DIR="/a\"b\\c\$d""#, #"/a"b\c$d"#),
        ("XDG_MUSIC_DIR=\"/m\"\nXDG_PICTURES_DIR=\"/p\"\n# XDG_PICTURES_DIR=\"/q\"", "/p"),
        ("XDG_PICTURES_DIR=\"/first\"\nXDG_PICTURES_DIR=\"/last\"", "/last"),
        ("XDG_PICTURES_DIR=\"/good\"\nXDG_PICTURES_DIR=bad", "/good"),
        (#"XDG_PICTURES_DIR="$HOME//x" # comment"#, "/home/me//x"),
    ])
    func foldersAreRead(file: String, path: String) {
        #expect(entry(file) == .folder(FilePath(path)))
    }

    @Test(arguments: [
        #"XDG_PICTURES_DIR="$HOME""#, #"XDG_PICTURES_DIR="$HOME/""#,
        #"XDG_PICTURES_DIR="/home/me""#,
        #"XDG_PICTURES_DIR="/home/me//""#,
    ])
    func theHomeFolderMeansNone(file: String) {
        #expect(entry(file) == .disabled)
    }

    @Test(arguments: [
        "", "XDG_PICTURES_DIR", "XDG_PICTURES_DIR=", "XDG_PICTURES_DIR=\"", "XDG_PICTURES_DIR=/a",
        #"XDG_PICTURES_DIR="relative""#, #"XDG_PICTURES_DIR="$HOMEWORK/a""#,
        #"XDG_PICTURES_DIR="$USER/a""#, #"XDG_PICTURES_DIR="/no end"#, #"XDG_PICTURES_DIR="/a\""#,
        #"XDG_PICTURES_DIR="\$HOME/a""#, "XDG_PICTURES_DIR=\"/a\u{0}b\"", #"XDG_PICTURES_DIR='/a'"#,
        #"#XDG_PICTURES_DIR="/a""#, #"XDG_PICTURES_DIRS="/a""#, #"XDG_PICTURES_DIR="""#,
    ])
    func everythingElseIsIgnored(file: String) {
        #expect(entry(file) == .missing)
    }

    @Test func aPathNeedNotBeUnicode() {
        let file = Array("XDG_PICTURES_DIR=\"/".utf8) + [0xff, UInt8(ascii: "\"")]
        #expect(
            UserFoldersFile.folder("PICTURES", in: file, home: "/h")
                == .folder(FilePath([0x2f, 0xff])))
    }

    // MARK: The reader

    private let home = TemporaryFolder()

    private func pictures(_ variables: [String: String] = [:]) -> FilePath? {
        let variables = ["HOME": home.path].merging(variables) { $1 }
        return UserFolders.pictures({ variables[$0] }, isFolder: isFolder)
    }

    private func isFolder(_ path: FilePath) -> Bool {
        var info = stat()
        return path.withCString { stat($0, &info) } == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    private func write(_ folder: String, to config: String) {
        home.folder(config)
        _ = home.file(config + "/user-dirs.dirs", "XDG_PICTURES_DIR=\"\(folder)\"\n")
    }

    @Test func theFolderOfTheFileIsThere() {
        write("$HOME/photos", to: ".config")
        #expect(pictures() == nil)
        home.folder("photos")
        #expect(pictures() == FilePath(home / "photos"))
        // A relative path is invalid, so the default holds.
        #expect(pictures(["XDG_CONFIG_HOME": "other"]) == FilePath(home / "photos"))
        home.folder("album")
        write("$HOME/album", to: "other")
        #expect(pictures(["XDG_CONFIG_HOME": home / "other"]) == FilePath(home / "album"))
    }

    @Test func withoutAnEntryItIsPicturesInTheHomeFolder() {
        #expect(pictures() == nil)
        _ = home.file("Pictures", "a file")
        #expect(pictures() == nil)
        unlink(home / "Pictures")
        home.folder("Pictures")
        #expect(pictures() == FilePath(home / "Pictures"))
        write("$HOME", to: ".config")
        #expect(pictures() == nil)
    }

    @Test func withoutAHomeThereIsNone() {
        #expect(UserFolders.pictures({ _ in nil }, isFolder: isFolder) == nil)
        #expect(pictures(["HOME": "relative"]) == nil)
    }
}
