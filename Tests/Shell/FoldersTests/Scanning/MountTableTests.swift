import Testing

@testable import Folders

@Suite struct MountTableTests {
    private static let text = """
        22 1 252:1 / / rw,relatime shared:1 - ext4 /dev/vda rw
        31 22 8:17 / /media/ann/STICK rw,nosuid,nodev - vfat /dev/sdb1 rw
        32 22 8:18 / /media/ann/My\\040Pictures\\134 rw - exfat /dev/sdb2 rw
        33 22 0:40 / /mediatheque rw - tmpfs tmpfs rw
        34 22 8:19 / /run/media/ann/B ro - ext4 /dev/sdc1 ro
        """

    private func points(_ text: String, _ folders: String...) -> [String] {
        MountTable(parsing: Array(text.utf8)).points(below: folders.map { Array($0.utf8) })
            .map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func mediaAreFoundBelowTheirFolders() {
        #expect(
            points(Self.text, "/media", "/run/media") == [
                "/media/ann/STICK", "/media/ann/My Pictures\\", "/run/media/ann/B",
            ])
        #expect(points(Self.text, "/srv") == [])
        #expect(points(Self.text) == [])
    }

    @Test(arguments: ["", "\n\n", "1 2 3", "a b c d e", "1 1 1:1 / /media/\\04 rw", "\u{0}"])
    func linesThatAreNotUnderstoodAreLeftOut(_ text: String) {
        #expect(points(text, "/srv") == [])
    }

    @Test func thePlaceOfAPathIsTheDeepestMount() {
        let table = MountTable(parsing: Array(Self.text.utf8))
        func source(_ path: String) -> String? {
            table.source(of: Array(path.utf8)).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(source("/media/ann/STICK/DCIM/") == "/media/ann/STICK")
        #expect(source("/media/ann/STICK") == "/media/ann/STICK")
        #expect(source("/media/ann/STICKS") == "/")
        #expect(source("/") == "/")
        func around(_ path: String) -> [String] {
            table.mounts.filter { $0.isAround(Array(path.utf8)) }.map {
                String(decoding: $0.number, as: UTF8.self)
            }
        }
        #expect(around("/media/ann") == ["22", "31", "32"])
        #expect(around("/media/ann/STICK/DCIM") == ["22", "31"])
        #expect(around("/srv") == ["22"])
    }

    @Test func incompleteEscapesStay() {
        #expect(points("1 1 1:1 / /media/a\\04 rw -", "/media") == ["/media/a\\04"])
        #expect(points("1 1 1:1 / /media/a\\999 rw -", "/media") == ["/media/a\\999"])
    }
}
