import Geometry
import TestKit
import Testing

/// The release build without a compositor: input scripts, traces and screenshots.
@Suite struct HeadlessTests {
    private let folder = TemporaryFolder()
    private let photo = TestPicture.photograph(1200, 800)

    private func picture() -> String { folder.file("photo.jpg", photo.jpeg(quality: 85)) }

    private func trace(_ script: String, _ options: [String] = []) throws -> [TraceFrame] {
        let result = Binaries.vitrine(
            [
                "--headless", "800x600", "--script", folder.file("script.txt", script), "--trace",
                "-",
            ] + options + [picture()])
        #expect(result.errors == "")
        #expect(result.status == 0)
        return TraceFrame.all(result.output)
    }

    /// Two fingers that spread around a moving midpoint.
    private func pinch() -> String {
        var lines = [
            "0 touch down 0 300 300", "0 touch frame", "4 touch down 1 400 300", "4 touch frame",
        ]
        for step in 1...60 {
            let (x, y) = (350 + Double(step) * 2, 300 - Double(step))
            let half = 50 + Double(step) * 4
            let time = 4 + step * 8
            lines += [
                "\(time) touch move 0 \(x - half) \(y)", "\(time) touch move 1 \(x + half) \(y)",
                "\(time) touch frame",
            ]
        }
        lines += [
            "600 touch up 0", "600 touch frame", "620 touch up 1", "620 touch frame", "2000 end",
        ]
        return lines.joined(separator: "\n")
    }

    @Test func thePointUnderTheMidpointOfAPinchStaysThere() throws {
        let frames = try trace(pinch()).filter { $0.text("gesture") == "pinch" }
        #expect(frames.count > 20)
        var held: (Double, Double)?
        for frame in frames where frame.time < 490 {
            // The fingers at the frame's time, interpolated between their samples.
            let step = (frame.time - 4) / 8
            let (x, y) = (350 + step * 2, 300 - step)
            let rect = try #require(frame.rect)
            let point = ((x - rect.x) / frame.zoom, (y - rect.y) / frame.zoom)
            let first = held ?? point
            held = first
            let off = (
                (point.0 - first.0) * frame.zoom, (point.1 - first.1) * frame.zoom
            )
            #expect(abs(off.0) < 0.5 && abs(off.1) < 0.5, "\(frame.line)")
        }
    }

    @Test func theSameScriptGivesTheSameTraceAndPixels() throws {
        let shots = [folder / "a.png", folder / "b.png"]
        let traces = try shots.map { try trace(pinch(), ["--shot", $0]).map(\.line) }
        #expect(traces[0] == traces[1])
        #expect(TestFile.read(shots[0]) == TestFile.read(shots[1]))
        #expect(TestFile.read(shots[0])?.isEmpty == false)
    }

    @Test func aPinchPastTheLimitBouncesBack() throws {
        var script = ["0 touch down 0 390 300", "0 touch down 1 410 300", "0 touch frame"]
        for step in 1...30 {
            script += [
                "\(step * 8) touch move 0 \(390 - step * 12) 300",
                "\(step * 8) touch move 1 \(410 + step * 12) 300", "\(step * 8) touch frame",
            ]
        }
        script += ["400 touch up 0", "400 touch up 1", "400 touch frame", "3000 end"]
        let frames = try trace(script.joined(separator: "\n"))
        let limit = try #require(frames.last?.number("max"))
        let largest = frames.map(\.zoom).max() ?? 0
        #expect(largest > limit && largest < 2 * limit)
        #expect(frames.last?.zoom == limit)
        #expect(frames.last?.text("phase") == "idle")
    }

    private func throwing(pause: Int) -> String {
        var script = ["0 touch down 0 400 200", "0 touch frame"]
        for step in 1...12 {
            script += [
                "\(step * 8) touch move 0 400 \(200 + step * 14)", "\(step * 8) touch frame",
            ]
        }
        let up = 100 + pause
        return (script + ["\(up) touch up 0", "\(up) touch frame", "\(up + 1500) end"])
            .joined(separator: "\n")
    }

    @Test func aThrowEndsTheProgramAndAStopDoesNot() throws {
        let thrown = try trace(throwing(pause: 0))
        #expect(thrown.filter(\.isDismissed).count == 1)
        #expect((thrown.last?.time ?? 0) < 500)
        let stopped = try trace(throwing(pause: 200))
        #expect(stopped.filter(\.isDismissed).isEmpty)
        #expect(stopped.last?.number("dim") == 1)
        #expect(stopped.last?.zoom == stopped.first?.zoom)
    }

    @Test func frameRatesAgreeOnTheEnd() throws {
        var ends: [Rect] = []
        for rate in ["30", "60", "144"] {
            ends.append(try #require(try trace(pinch(), ["--refresh", rate]).last?.rect))
        }
        for end in ends {
            #expect(abs(end.x - ends[0].x) < 0.5 && abs(end.width - ends[0].width) < 0.5)
        }
    }

    @Test func keysTurnThePagesOfAFolderInNaturalOrder() throws {
        let album = TemporaryFolder()
        for (name, width) in [("p10.png", 30), ("p9.png", 20), ("p1.png", 10)] {
            _ = album.file(name, TestPicture.card(width, 10).png())
        }
        _ = album.file("notes.txt", "not me")
        let script = folder.file("keys.txt", "100 key Right\n200 key Right\n300 key Home\n400 end")
        let result = Binaries.vitrine(
            ["--headless", "200x200", "--script", script, "--trace", "-", "--viewer", album.path])
        let widths = TraceFrame.all(result.output).compactMap { $0.numbers("image").first }
        #expect(
            widths.reduce(into: [Double]()) { if $0.last != $1 { $0.append($1) } } == [
                10, 20, 30, 10,
            ])
    }

    /// In German å and ö stand with a and o; without a locale their bytes follow all letters.
    @Test(.enabled(if: TestLocale.isAvailable), arguments: [true, false])
    func namesFollowTheLocale(_ isGerman: Bool) throws {
        let album = TemporaryFolder()
        for (name, width) in [("ö.png", 40), ("z 10.png", 30), ("Z 9.png", 20), ("å.png", 10)] {
            _ = album.file(name, TestPicture.card(width, 10).png())
        }
        let script = folder.file(
            "keys.txt", "100 key Right\n200 key Right\n300 key Right\n400 end")
        let locale = isGerman ? "de_DE.UTF-8" : "C.UTF-8"
        let result = Binaries.vitrine(
            ["--headless", "200x200", "--script", script, "--trace", "-", "--viewer", album.path],
            environment: [
                "LC_ALL=\(locale)", "LOCPATH=\(try #require(TestLocale.folder))",
                "XDG_CACHE_HOME=\(folder / "cache")",
            ])
        #expect(result.status == 0 && result.errors == "")
        let widths = TraceFrame.all(result.output).compactMap { $0.numbers("image").first }
        #expect(
            widths.reduce(into: [Double]()) { if $0.last != $1 { $0.append($1) } }
                == (isGerman ? [10, 40, 20, 30] : [20, 30, 10, 40]))
    }

    /// The second picture has no date, and the times of files are left out of reproducible runs.
    @Test(.enabled(if: TestLocale.isAvailable), arguments: ["C.UTF-8", "de_DE.UTF-8"])
    func theBarHasTheDateOfThePicture(_ locale: String) throws {
        let album = TemporaryFolder()
        _ = album.file("1.jpg", TestPicture.dated("2026:06:21 20:41:07"))
        _ = album.file("2.png", TestPicture.card(30, 20).png())
        let script = folder.file("keys.txt", "100 key Tab\n300 key End\n900 end")
        let trees = [folder / "1.json", folder / "2.json"]
        let result = Binaries.vitrine(
            [
                "--headless", "1280x800", "--script", script, "--viewer", album.path, "--ui-at",
                "200:\(trees[0])", "--ui-at", "800:\(trees[1])",
            ],
            environment: [
                "LC_ALL=\(locale)", "LOCPATH=\(try #require(TestLocale.folder))",
                // The texts are tested elsewhere.
                "TEXTDOMAINDIR=/nonexistent", "XDG_CACHE_HOME=\(folder / "cache")",
            ])
        #expect(result.status == 0 && result.errors == "")
        let date = locale == "C.UTF-8" ? "21 June 2026, 20:41" : "21. Juni 2026, 20:41"
        #expect(TestFile.text(trees[0])?.contains("\"1 of 2 · \(date)\"") == true)
        #expect(TestFile.text(trees[1])?.contains("\"2 of 2\"") == true)
    }

    /// The neighbour is decoded ahead, and shown from the first frame in which it is visible.
    @Test func theNeighbourComesInUnderTheFinger() throws {
        let album = TemporaryFolder()
        let (first, second) = (TestPicture.card(300, 200), TestPicture.photograph(300, 200))
        _ = album.file("1.png", first.png())
        _ = album.file("2.png", second.png())
        var lines = ["0 touch down 0 250 100", "0 touch frame"]
        for step in 1...20 {
            lines += [
                "\(step * 10) touch move 0 \(250 - step * 8) 100", "\(step * 10) touch frame",
            ]
        }
        let script = folder.file("swipe.txt", (lines + ["600 end"]).joined(separator: "\n"))
        let shot = folder / "swipe.png"
        let result = Binaries.vitrine(
            [
                "--headless", "300x200", "--script", script, "--trace", "-", "--shot", shot,
                "--viewer", album.path,
            ])
        let last = try #require(TraceFrame.all(result.output).last)
        #expect(last.text("gesture") == "swipe")
        #expect(last.rect?.x == -150)
        let image = try #require(Screenshot(shot))
        // The pitch is 300 + 25 + 6: the second picture begins at 181.
        for (x, picture, place) in [(20, first, 170), (100, first, 250), (200, second, 19)] {
            let (seen, wanted) = (image.color(x, 60), picture.color(place, 60))
            #expect(abs(seen.r - wanted.r) < 3 && abs(seen.b - wanted.b) < 3, "\(x)")
        }
        let gap = image.color(165, 60)
        #expect(gap.r + gap.g + gap.b == 0)
    }

    /// Sorted by the date that the camera has recorded, or by file date without one.
    @Test(arguments: [("taken", "b.jpg"), ("name", "a.jpg")])
    func picturesAreSortedByDate(order: String, first: String) throws {
        let album = TemporaryFolder()
        _ = album.file("a.jpg", TestPicture.dated("2026:11:21 09:30:00"))
        _ = album.file("b.jpg", TestPicture.dated("1999:01:02 03:04:05"))
        _ = album.file("c.jpg", TestPicture.dated("2010:06:07 08:09:10"))
        let script = folder.file("first.txt", "2000 key Home\n2600 end")
        let result = Binaries.vitrine(
            [
                "--headless", "200x200", "--script", script, "--trace", "-", "--viewer", "--set",
                "collection.sort=\(order)", album.path,
            ])
        let last = try #require(TraceFrame.all(result.output).last)
        #expect(last.text("path")?.hasSuffix(first) == true)
    }

    /// The time of a file, a camera's clock, and a camera with an offset: 11:59 to 12:02 in Nepal.
    @Test func picturesAreInTheOrderOfTheClockOnTheWall() throws {
        let album = HeadlessGrid([])
        album.put(TestPicture.card(60, 40).png(), as: "4.png", time: 182_022_440)
        album.put(TestPicture.dated("2026:06:21 12:00:00"), as: "3.jpg")
        album.put(TestPicture.card(60, 40).png(), as: "2.png", time: 182_022_560)
        album.put(TestPicture.dated("2026:06:21 08:17:00", offset: "+02:00"), as: "1.jpg")
        let script = folder.file(
            "keys.txt", "2000 key Home\n2300 key Right\n2600 key Right\n2900 key Right\n3300 end")
        let result = Binaries.vitrine(
            [
                "--headless", "200x200", "--script", script, "--trace", "-", "--viewer", "--set",
                "collection.sort=taken", album.album,
            ], environment: album.environment + ["TZ=NPT-5:45"])
        #expect(result.status == 0 && result.errors == "")
        let names = TraceFrame.all(result.output).filter { $0.time > 2200 }
            .compactMap { $0.text("path")?.split(separator: "/").last }
        let shown = names.reduce(into: [Substring]()) { if $0.last != $1 { $0.append($1) } }
        #expect(shown == ["4.png", "3.jpg", "2.png", "1.jpg"])
    }

    @Test func aBrokenNeighbourDoesNotDelayTheNext() throws {
        let album = TemporaryFolder()
        _ = album.file("1.png", TestPicture.card(30, 20).png())
        _ = album.file("2.png", "no picture at all")
        _ = album.file("3.png", TestPicture.card(50, 20).png())
        let script = folder.file("on.txt", "100 key Right\n600 key Right\n1500 end")
        let result = Binaries.vitrine(
            ["--headless", "200x200", "--script", script, "--trace", "-", "--viewer", album.path])
        let frames = TraceFrame.all(result.output)
        #expect(frames.contains { $0.line.contains("2.png: ") })
        #expect(frames.last?.numbers("image") == [50, 20])
        #expect(result.status == 0)
        #expect(result.errors.contains("2.png"))
    }

    @Test(arguments: Orientation.allCases)
    func everyOrientationIsPaintedUpright(_ orientation: Orientation) throws {
        let card = TestPicture.card(120, 80)
        let path = folder.file(
            "rotated.jpg", card.stored(as: orientation).jpeg(orientation: orientation))
        let shot = folder / "rotated.png"
        let result = Binaries.vitrine(["--headless", "120x80", "--shot", shot, path])
        #expect(result.status == 0)
        let image = try #require(Screenshot(shot))
        for (x, y) in [(30, 20), (90, 20), (30, 60), (90, 60)] {
            let (seen, wanted) = (image.color(x, y), card.color(x, y))
            #expect(abs(seen.r - wanted.r) < 12 && abs(seen.g - wanted.g) < 12, "\(x) \(y)")
            #expect(abs(seen.b - wanted.b) < 12, "\(x) \(y)")
        }
    }

    @Test func zoomOneShowsExactPixels() throws {
        let path = folder.file("exact.png", photo.png())
        let script = folder.file("one.txt", "0 key 1\n2000 end")
        let shot = folder / "exact-shot.png"
        let result = Binaries.vitrine(
            [
                "--headless", "400x300@2", "--script", script, "--shot", shot, "--trace", "-",
                path,
            ])
        #expect(result.status == 0)
        let rect = try #require(TraceFrame.all(result.output).last?.rect)
        let (left, top) = (Int((-rect.x * 2).rounded()), Int((-rect.y * 2).rounded()))
        let image = try #require(Screenshot(shot))
        #expect(image.size == PixelSize(width: 800, height: 600))
        var off = 0
        for y in 0..<600 {
            for x in 0..<800 where image.color(x, y) != photo.color(x + left, y + top) { off += 1 }
        }
        #expect(off == 0)
    }

    @Test func aPictureIsReadFromStandardInput() throws {
        let shot = folder / "stdin.png"
        let result = Binaries.vitrine(
            ["--headless", "64x64", "--shot", shot, "-"], input: TestPicture.card(64, 64).png())
        #expect(result.status == 0)
        let image = try #require(Screenshot(shot))
        #expect(image.color(10, 10).r > 190)
    }

    /// What a shell passes as a path: the viewer opens its own descriptor, not that of another process.
    @Test(arguments: [
        "exec \"$0\" $OPTIONS /dev/stdin < \"$1\"", "exec \"$0\" $OPTIONS - < \"$1\"",
        "cat \"$1\" | \"$0\" $OPTIONS /dev/fd/0", "exec \"$0\" $OPTIONS <(cat \"$1\")",
        "exec \"$0\" $OPTIONS <(sleep 0.5; cat \"$1\")", "exec \"$0\" $OPTIONS /dev/fd/7 7< \"$1\"",
        "exec \"$0\" $OPTIONS /proc/self/fd/7 7< <(cat \"$1\")",
        "cd \"${1%/*}\"; exec \"$0\" $OPTIONS --viewer /dev/fd/7/card.png 7< .",
        "exec \"$0\" $OPTIONS \"file://localhost$1\"",
    ])
    func aPictureIsReadFromWhatAShellNames(command: String) throws {
        let (card, shot) = (
            folder.file("card.png", TestPicture.card(64, 64).png()), folder / "shot.png"
        )
        let result = ChildProcess.run(
            ["/bin/bash", "-c", command, Binaries.vitrine, card],
            environment: [
                "OPTIONS=--headless 64x64 --shot \(shot)", "HOME=\(folder.path)",
                "PATH=/usr/bin:/bin",
            ])
        #expect(result.status == 0 && result.errors == "")
        let image = try #require(Screenshot(shot))
        #expect(image.color(10, 10).r > 190)
    }

    @Test(arguments: [
        ("https://example.org/a.png", "not a file of this computer"),
        ("file://other.invalid/a.png", "not a file of this computer"),
        ("file:///a%zz.png", "the address of the file is damaged"),
        ("/dev/fd/999", "there is no such file"), ("/proc/self/fd/998", "there is no such file"),
    ])
    func whatNamesNoFileIsRefused(argument: String, reason: String) {
        let result = Binaries.vitrine(
            ["--headless", "64x64", argument], environment: ["HOME=\(folder.path)"])
        #expect(result.status == 1)
        #expect(result.errors == "vitrine: \(argument): \(reason)\n")
    }
}
