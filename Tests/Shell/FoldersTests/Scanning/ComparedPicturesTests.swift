import ImageWire
import Testing

@testable import FileAccess
@testable import Folders

/// What it means how a file is found.
@Suite struct ComparedPicturesTests {
    private static let date = 1_700_000_000

    private func entry(revision: Int = 0, details: FileDetails? = nil) -> Entry {
        var entry = Entry(id: 7, folder: 0, name: Array("a.png".utf8))
        entry.revision = revision
        entry.details = details.map { Entry.Details($0) }
        return entry
    }

    private func state(
        seconds: Int = 1, size: Int = 10, inode: UInt64 = 3, changed: Int = 5
    ) -> FileState {
        FileState(
            stamp: FileStamp(
                identity: FileIdentity(device: 1, inode: inode),
                details: FileDetails(seconds: seconds, nanoseconds: 0, size: size)),
            changed: changed, isIndirect: false)
    }

    private func folder(isRemote: Bool) throws -> PolledFolder {
        try #require(
            PolledFolder(
                [],
                FolderClient.FolderAnswer(
                    identity: FileIdentity(device: 1, inode: 1),
                    watching: isRemote ? .watched(1) : .refused(28),
                    origin: isRemote ? .remote : .local)))
    }

    struct Case: Sendable {
        var name: String
        var second: FileState?
        var isDamaged = false
        var isRemote = false
        var verdict: ComparedPictures.Verdict
    }

    private var cases: [Case] {
        [
            Case(name: "nothing", second: state(), verdict: .same),
            Case(name: "size", second: state(size: 11), verdict: .changed),
            Case(name: "time", second: state(seconds: 2), verdict: .changed),
            Case(name: "an earlier time", second: state(seconds: .min), verdict: .changed),
            Case(name: "another file", second: state(inode: 4), verdict: .changed),
            Case(
                name: "another number of a share", second: state(inode: 4), isRemote: true,
                verdict: .same),
            Case(name: "permission", second: state(changed: 6), verdict: .same),
            Case(
                name: "permission of what failed", second: state(changed: 6), isDamaged: true,
                verdict: .changed),
            Case(name: "gone", second: nil, verdict: .gone),
        ]
    }

    @Test(arguments: [false, true]) func whatHasChanged(hasDetails: Bool) throws {
        for each in cases {
            var compared = ComparedPictures()
            let entry = entry(details: hasDetails ? state().stamp.details : nil)
            let new = compared.follow(
                FollowedPictures([7], damaged: each.isDamaged ? [7: 0] : [:]))
            #expect(new == [7])
            let folder = try folder(isRemote: each.isRemote)
            let first = compared.note(state(), of: entry, in: folder, date: Self.date)
            let second = compared.note(each.second, of: entry, in: folder, date: Self.date)
            #expect(first == .same && second == each.verdict, "\(each.name)")
        }
    }

    @Test func whatComesBackIsReadAgain() {
        var compared = ComparedPictures()
        _ = compared.follow(FollowedPictures([7]))
        var verdicts: [ComparedPictures.Verdict] = []
        for found in [nil, nil, state(), state(), nil, state()] {
            verdicts.append(compared.note(found, of: entry(), in: nil, date: Self.date))
        }
        #expect(verdicts == [.same, .same, .changed, .same, .gone, .changed])
    }

    /// A damaged picture whose file is fresh may have been half a file; once for each state.
    @Test(arguments: [0, 119, 120, 1_000_000, -60])
    func freshFilesAreReadOnceMore(age: Int) throws {
        var compared = ComparedPictures()
        let folder = try folder(isRemote: true)
        let found = state(seconds: Self.date - age)
        _ = compared.follow(FollowedPictures([7]))
        let whole = compared.note(found, of: entry(), in: folder, date: Self.date)
        let new = compared.follow(FollowedPictures([7], damaged: [7: 0]))
        let damaged = compared.note(found, of: entry(), in: folder, date: Self.date)
        // Damage of an older revision is none.
        let later = compared.note(found, of: entry(revision: 1), in: folder, date: Self.date)
        _ = compared.follow(FollowedPictures([7], damaged: [7: 1]))
        let again = compared.note(found, of: entry(revision: 1), in: folder, date: Self.date)
        #expect(whole == .same && new == [7])
        #expect(damaged == (age < 120 ? .changed : .same))
        #expect(later == .same && again == .same)
        // Where the system tells when the file is closed, nothing has to be tried.
        let told = compared.note(found, of: entry(revision: 1), in: nil, date: Self.date)
        #expect(told == .same)
    }

    /// Folders of whose changes the system tells nothing, or not everything.
    @Test(arguments: [
        (FolderOrigin.local, FolderWatching.watched(1), false, false),
        (.local, .refused(28), true, false), (.layered, .watched(1), true, true),
        (.layered, .refused(13), true, false), (.remote, .watched(1), true, false),
        (.remote, .refused(24), true, false),
    ])
    func foldersThatAreLookedAt(
        _ origin: FolderOrigin, _ watching: FolderWatching, _ isPolled: Bool, _ isWatched: Bool
    ) {
        let identity = FileIdentity(device: 1, inode: 1)
        let polled = PolledFolder(
            [],
            FolderClient.FolderAnswer(identity: identity, watching: watching, origin: origin))
        #expect((polled != nil) == isPolled)
        #expect(polled?.isWatched ?? false == isWatched)
    }

    /// Names in another order are the same names.
    @Test func theOrderOfNamesDoesNotMatter() {
        let items = ["a.png", "b.png", "c.png"].map {
            FolderItem(.picture, name: Array($0.utf8), inode: 1)
        }
        func names(_ items: [FolderItem]) -> FolderNames {
            var names = FolderNames()
            for item in items { names.add(item) }
            return names
        }
        #expect(names(items) == names(items.reversed()))
        #expect(names(items) != names(items.dropLast()))
        #expect(names(items) != names(items + items.prefix(1)))
        var other = items
        other[0].kind = .folder
        #expect(names(items) != names(other))
        other[0].kind = .picture
        other[0].inode = 9
        #expect(names(items) == names(other))
    }
}
