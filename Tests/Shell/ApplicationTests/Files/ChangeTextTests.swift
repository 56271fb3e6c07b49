import Desktop
import Edits
import FileChanges
import Glibc
import ImageWire
import Interface
import Localization
import SceneModel
import Testing

@testable import Application

/// Texts about changes, which hold the names of files.
@Suite struct ChangeTextTests {
    private static let names = [
        "a.jpg", "Sömmerurlaub.png", "שלום.jpg", "IMG ٢٠٢٤.jpg", "a\u{200F}b.jpg",
        "\u{2067}open.jpg", "closed\u{2069}\u{2069}.jpg",
        "Sommerurlaub " + String(repeating: "ü", count: 119) + ".png",
        String(repeating: "猫", count: 85),
    ]

    /// A text as the process that changes files sends it back.
    private func overTheWire(_ title: String) throws -> String {
        let request = try ChangeRequest(ChangeRequest.begin(title: title).bytes)
        guard case .begin(let noted) = request else { return "" }
        guard
            case .state(let undo, _) = try ChangeReply(
                ChangeReply.state(undo: noted, redo: "").bytes)
        else { return "" }
        return undo
    }

    /// Whether each mark of direction is one of a pair, and none was replaced.
    private func isClean(_ text: String) -> Bool {
        text.withWholeIsolates == text && !text.unicodeScalars.contains("\u{FFFD}")
    }

    private func path(_ name: String) -> [UInt8] { Array("/pictures/\(name)".utf8) }

    @Test(arguments: names) func noMarkOfDirectionIsShown(name: String) throws {
        let subject = ChangeTexts.subject([path(name)])
        let folder = ChangeTexts.name(of: path(name))
        for title in [
            "Delete \(subject)", "Rename \(subject)", "Copy \(subject) to \(folder)",
            "Move \(subject) to \(folder)",
        ] {
            let sent = try overTheWire(title)
            #expect(isClean(sent), "\(sent.debugDescription)")
            #expect(sent == title || title.utf8.count > 512)
            #expect(sent.hasPrefix(title.prefix(8)))
            var reversal = BatchReversal(title: sent, isRedo: false)
            // A title is in other texts, and may be shortened once more.
            for text in [
                "Undo “\(sent.isolated)”", ChangeTexts.report(reversal), DisplayText.line(sent),
            ] {
                #expect(isClean(text), "\(text.debugDescription)")
            }
            reversal.failure = .companionOfAnother(path: path(name))
            reversal.failedPath = path(name)
            #expect(isClean(ChangeTexts.report(reversal)))
        }
    }

    /// What happened to a file of this path, with the words behind the name.
    private func messages(_ path: [UInt8]) -> [(text: String, words: String)] {
        var reversal = BatchReversal(title: "", isRedo: false)
        (reversal.pictures, reversal.subject) = (1, path)
        reversal.outcome = .trashed
        var deleted = ChangeClient.Result(title: "")
        deleted.done = [(action: .trash(path: path), path: [])]
        var refused = ChangeClient.Result(title: "")
        refused.failures = [(action: .trash(path: path), failure: .exists)]
        return [
            (ChangeTexts.report(reversal), " moved to the trash"),
            (ChangeTexts.report(deleted) { $0 + " deleted for good" }, " deleted for good"),
            (ChangeTexts.report(refused) { $0 }, ": there is another file of that name"),
        ]
    }

    /// A message has four lines, and says in the last one what happened.
    @Test(arguments: ["a", "W", "ж", "م", "猫", "ก", "🐈", "👩‍👧", "e\u{301}"])
    func longNamesLeaveRoomForTheSentence(letter: String) {
        for length in [1, 36, 37, 60, 251] {
            var name = ""
            while name.count < length, name.utf8.count + letter.utf8.count <= 251 {
                name += letter
            }
            name += ".jpg"
            for (text, words) in messages(path(name)) {
                #expect(isClean(text), "\(text.debugDescription)")
                let plain = text.withoutIsolates
                #expect(plain.hasPrefix("“" + letter) && plain.hasSuffix(".jpg”" + words))
                #expect(plain.contains("…") == (name.count > 40))
                #expect(plain.count <= 42 + words.count)
            }
        }
    }

    @Test func longAddressesLeaveRoomForTheSentence() {
        let uri = "file://other.invalid/" + String(repeating: "%D0%B6", count: 255) + ".png"
        let text = LocalFileURI.refusal(of: uri)
        #expect(isClean(text) && text.count < 120)
        let plain = text.withoutIsolates
        #expect(plain.hasPrefix("file://other.invalid/"))
        #expect(plain.hasSuffix(".png: not a file of this computer"))
    }

    /// A deletion that is undone is told by what happens to the pictures, other changes by their kinds.
    @Test func whatWasUndone() {
        for kind in ChangeKind.allCases {
            let reversal = BatchReversal(title: kind.rawValue, isRedo: false)
            #expect(ChangeTexts.report(reversal) == "Undone: \(kind.noun)")
        }
        // The journal of an earlier version has texts.
        var reversal = BatchReversal(title: "Delete “a.jpg”", isRedo: false)
        #expect(ChangeTexts.report(reversal) == "Undone: Delete “a.jpg”")
        reversal.outcome = .restored
        (reversal.pictures, reversal.subject) = (1, path("a (2).jpg"))
        #expect(ChangeTexts.report(reversal) == "“a (2).jpg” restored")
        reversal.pictures = 3
        #expect(ChangeTexts.report(reversal) == "3 pictures restored")
        reversal.outcome = .trashed
        #expect(ChangeTexts.report(reversal) == "3 pictures moved to the trash")
    }

    /// A person learns the cause, not the sentence of a library, and whether there is another way.
    @Test(
        arguments: [
            (.noTrash(reason: "there is no trash on it"), "there is no trash on it"),
            (.trashFails(code: ENAMETOOLONG), "the name is too long"),
            (.trashFails(code: ENOSPC), "the disk is full"),
            (.trashFails(code: EROFS), "the disk can only be read"),
            (.trashFails(code: EACCES), "permission denied"),
            (.trashFails(code: EPERM), "permission denied"),
            (.system(code: ENOSPC), nil), (.system(code: EACCES), nil), (.changed, nil),
            (.exists, nil), (.interrupted, nil), (.refused(reason: "no"), nil),
            (.companionStays(path: []), nil),
        ] as [(ChangeFailure, String?)])
    func whyTheTrashIsNotUsed(failure: ChangeFailure, reason: String?) {
        #expect(ChangeTexts.trashReason(failure) == reason)
        let text = ChangeTexts.text(of: failure)
        #expect(
            text == reason.map { "it cannot be moved to the trash: \($0)" }
                || reason == nil && !text.isEmpty)
    }

    /// Names of copies have at most 255 bytes, and keep what they say.
    @Test(
        arguments: [
            ("a.jpg", "a (turned).png"), ("a", "a (turned).png"), (".a", ".a (turned).png"),
            ("a.b.jpg", "a.b (turned).png"),
            (
                String(repeating: "b", count: 251) + ".jpg",
                String(repeating: "b", count: 242) + " (turned).png"
            ),
            (
                String(repeating: "猫", count: 85),
                String(repeating: "猫", count: 80) + " (turned).png"
            ),
        ])
    func copyNames(name: String, copy: String) {
        #expect(CopyNames.copy(of: path(name), "turned", "png") == path(copy))
    }
}
