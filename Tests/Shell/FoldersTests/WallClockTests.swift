import Glibc
import ImageTypes
import Testing

@testable import Folders

/// Times of files and of cameras are in one order: that of one wall clock.
@Suite struct WallClockTests {
    /// A place with its offset from UTC, in seconds.
    enum Place: CaseIterable {
        case utc, kathmandu, newfoundland, kiritimati
        /// Central European time: the clock is put forward at 2026-03-29 01:00 UTC, and back at
        /// 2026-10-25 01:00 UTC.
        case berlin

        static let (forward, back) = (1_774_746_000, 1_792_890_000)

        func offset(at seconds: Int) -> Int {
            switch self {
            case .utc: 0
            case .kathmandu: 20_700
            case .newfoundland: -12_600
            case .kiritimati: 50_400
            case .berlin: (Self.forward..<Self.back).contains(seconds) ? 7200 : 3600
            }
        }

        var clock: WallClock { WallClock { offset(at: $0) } }
    }

    /// 2026-06-21 10:00 UTC.
    private static let noon = 1_782_036_000

    /// A camera that tells its offset, and a file, show the same instant at the same time.
    @Test(arguments: Place.allCases)
    func oneInstantIsOneTime(_ place: Place) {
        var clock = place.clock
        let file = clock.time(Timestamp(seconds: Self.noon))
        #expect(file == WallTime(seconds: Self.noon + place.offset(at: Self.noon)))
        for offset in stride(from: -43_200, through: 50_400, by: 900) {
            let camera = CaptureTime(wallClock: Self.noon + offset, utcOffset: offset)
            #expect(clock.time(camera) == file)
        }
    }

    /// A camera without an offset shows the time of the place.
    @Test(arguments: Place.allCases)
    func aCameraWithoutAnOffsetIsBelieved(_ place: Place) {
        var clock = place.clock
        #expect(clock.time(CaptureTime(wallClock: Self.noon)) == WallTime(seconds: Self.noon))
    }

    /// An hour does not exist in spring, and exists twice in autumn.
    @Test(arguments: [
        (Place.forward - 1, 3599), (Place.forward, 7200), (Place.forward + 3600, 10_800),
        (Place.back - 1, 7199), (Place.back, 3600), (Place.back + 3600, 7200),
    ])
    func theClockIsPutForwardAndBack(_ seconds: Int, ahead: Int) {
        var clock = Place.berlin.clock
        let change = seconds < Place.back - 1 ? Place.forward : Place.back
        #expect(clock.time(Timestamp(seconds: seconds)).seconds == change + ahead)
    }

    /// What the clock remembers of one time is not used for another one.
    @Test(arguments: Place.allCases)
    func timesDoNotDependOnThoseBefore(_ place: Place) {
        var clock = place.clock
        let changes = [Place.forward, Place.back, 0, -86_400]
        let near = changes.flatMap { change in
            stride(from: -200_000, through: 200_000, by: 1_799).map { change + $0 }
        }
        for seconds in near + near.reversed() + near.shuffled() {
            let time = clock.time(Timestamp(seconds: seconds))
            #expect(time.seconds == seconds + place.offset(at: seconds))
        }
    }

    @Test func theClockOfTheMachineIsThatOfTheCLibrary() {
        var clock = WallClock.environment
        for seconds in stride(from: -2_000_000_000, through: 6_000_000_000, by: 9_999_991) {
            var (time, parts) = (time_t(seconds), tm())
            localtime_r(&time, &parts)
            #expect(clock.time(Timestamp(seconds: seconds)).seconds == seconds + parts.tm_gmtoff)
        }
    }
}

/// Pictures with all kinds of dates, in one order.
@Suite struct DateOrderTests {
    private static let noon = 1_782_036_000

    /// A listing of pictures that were taken one minute after another, with three kinds of dates in turn:
    /// that of the file, of a camera, and of a camera with its offset from UTC.
    private func makeBuilder(_ place: WallClockTests.Place, start: Int) -> ListingBuilder {
        var builder = ListingBuilder(collation: nil, clock: place.clock)
        let folder = builder.index(of: Folder(prefix: Array("/p/".utf8), root: 0))
        // The names are in the opposite order.
        for minute in 0..<60 {
            let instant = start + minute * 60
            builder.see(
                ListingBuilder.FoundFile(
                    place: .init(folder: folder, name: Array("\(99 - minute)".utf8)),
                    details: .init(modified: Timestamp(seconds: instant), size: 1)))
        }
        let listing = builder.listing(in: ListingOrder(.modified))
        var taken: [Int: CaptureTime] = [:]
        for (minute, entry) in listing.entries.enumerated() where minute % 3 > 0 {
            let instant = start + minute * 60
            let offset = minute % 3 == 1 ? place.offset(at: instant) : (minute % 7 - 3) * 5400
            taken[entry.id] = CaptureTime(
                wallClock: instant + offset, utcOffset: minute % 3 == 1 ? nil : offset)
            // A file that was copied since: the time of the file does not count.
            let copied = Entry.Details(modified: Timestamp(seconds: start - minute), size: 1)
            builder.note(copied, of: .init(folder: folder, name: entry.name))
        }
        builder.setTaken(taken)
        return builder
    }

    /// The listing, the slideshow's own order, and the headings: 2026-06-21, across the end of a month by
    /// the clock of the place, and just after the clock was put forward.
    @Test(arguments: WallClockTests.Place.allCases)
    func minutesAreInOrder(_ place: WallClockTests.Place) {
        let summer = 1_782_862_200 - place.offset(at: 1_782_862_200)
        for start in [Self.noon, summer, WallClockTests.Place.forward] {
            var builder = makeBuilder(place, start: start)
            let listing = builder.listing(in: ListingOrder(.taken))
            let expected = (0..<60).map { "\(99 - $0)" }
            #expect(listing.entries.indices.map { listing.title(at: $0) } == expected)
            let byName = builder.listing(in: ListingOrder(.name))
            let slides = byName.indices(in: ListingOrder(.taken), by: place.clock)
            #expect(slides.map { byName.title(at: $0) } == expected)
            let titles = listing.sectionsByMonth(by: place.clock).map(\.title)
            let months = start == summer ? ["June 2026", "July 2026"] : nil
            #expect(titles.count == (months?.count ?? 1))
            if let months { #expect(titles == months) }
        }
    }

    /// The hour that exists twice puts pictures of both hours side by side, and no month twice.
    @Test func theHourThatExistsTwiceIsOneHour() {
        var builder = makeBuilder(.berlin, start: WallClockTests.Place.back - 1800)
        let listing = builder.listing(in: ListingOrder(.taken))
        var clock = WallClockTests.Place.berlin.clock
        let times = listing.entries.compactMap { $0.date(by: &clock) }
        #expect(times.count == 60 && times == times.sorted())
        #expect(listing.sectionsByMonth(by: clock).map(\.title) == ["October 2026"])
    }
}
