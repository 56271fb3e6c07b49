import Geometry
import TestKit
import Testing

/// Crops of real files, by the keys of crop mode.
@Suite struct CropTests {
    private let folder = TemporaryFolder()
    private let photo = TestPicture.photograph(1200, 800)

    /// Runs the viewer with a picture and keys, one every 300 ms; returns the last moment.
    @discardableResult
    private func run(
        _ file: String, _ events: [String], on size: String = "800x600", options: [String] = []
    ) throws -> Double {
        var time = 300
        var lines: [String] = []
        for event in events {
            lines += event.split(separator: ";").map { "\(time) \($0)" }
            time += 300
        }
        lines.append("\(time + 2500) end")
        let result = Binaries.vitrine(
            [
                "--headless", size, "--reduced-motion", "--script",
                folder.file("script.txt", lines.joined(separator: "\n") + "\n"),
            ] + options + [file],
            environment: [
                "XDG_DATA_HOME=\(folder.path)/data", "HOME=\(folder.path)", "LANG=C.UTF-8",
            ])
        #expect(result.status == 0, "\(result.errors)")
        return Double(time)
    }

    private func rows(_ path: String) throws -> [[UInt8]] {
        let bytes = try #require(TestFile.read(path), "\(path)")
        return try #require(TestPicture.rows(ofJPEG: bytes)).rows
    }

    /// The largest and the mean difference of the rows of a picture from a part of another one, without
    /// a margin.
    private func difference(
        _ part: [[UInt8]], _ whole: [[UInt8]], x: Int, y: Int, margin: Int = 0
    ) -> (most: Int, mean: Double) {
        var (most, sum, count) = (0, 0, 0)
        let width = part[0].count / 4
        for row in margin..<part.count - margin {
            for column in margin * 4..<(width - margin) * 4 where column % 4 != 3 {
                let off = abs(Int(part[row][column]) - Int(whole[row + y][column + x * 4]))
                (most, sum, count) = (max(most, off), sum + off, count + 1)
            }
        }
        return (most, Double(sum) / Double(max(count, 1)))
    }

    @Test func returnSavesASquareBesideTheOriginal() throws {
        let path = folder.file("photo.jpg", photo.jpeg(quality: 95))
        let before = TestFile.read(path)
        try run(path, ["key c", "key a", "key a", "key Return"])
        let part = try rows(folder / "photo (cropped).jpg")
        #expect(part.count == 800 && part[0].count == 800 * 4)
        let off = difference(part, try rows(path), x: 200, y: 0)
        #expect(off.mean < 2 && off.most < 40, "\(off)")
        #expect(TestFile.read(path) == before)
    }

    /// A copy is shown, and its message leads back to the original.
    @Test(arguments: [false, true]) func theCopyIsShown(goesBack: Bool) throws {
        _ = folder.file("photo.jpg", photo.jpeg(quality: 90))
        let keys = ["key Return", "key c", "key a", "key a", "key Return"]
        let back = goesBack ? ["key Tab", "key Return"] : []
        let tree = folder / "tree.json"
        try run(folder.path, keys + back, options: ["--ui-at", "3800:\(tree)"])
        let text = try #require(TestFile.text(tree))
        let name = goesBack ? "photo.jpg" : "photo (cropped).jpg"
        #expect(text.contains("\"frame\",\"name\":\"\(name)"), "\(text.prefix(200))")
        #expect(text.contains("Show original") == !goesBack)
        #expect(TestFile.read(folder / "photo (cropped).jpg") != nil)
    }

    @Test func undoRemovesTheCopy() throws {
        let path = folder.file("photo.jpg", photo.jpeg(quality: 90))
        let keys = ["key c", "key a", "key a", "key Return", "key Ctrl+z"]
        try run(path, keys, options: ["--trace", folder / "trace.txt"])
        #expect(TestFile.read(folder / "photo (cropped).jpg") == nil)
        #expect(TestFile.read(path) != nil)
        // It was there before.
        let trace = TestFile.text(folder / "trace.txt") ?? ""
        #expect(trace.contains("“photo (cropped).jpg” saved"))
        #expect(trace.contains("Undone: crop"))
    }

    /// The row of the menu is chosen by keys; the menu stays open, and its first row saves.
    @Test func onTheBlockGridEveryCoefficientStays() throws {
        let path = folder.file("photo.jpg", photo.jpeg(quality: 85))
        try run(
            path,
            [
                "key c", "key a", "key a",
                "touch down 0 770 32;touch frame", "touch up 0;touch frame",
                "key Down", "key Down", "key Down", "key Return", "key Return",
            ])
        let part = try rows(folder / "photo (cropped).jpg")
        // The left edge at 200 moves to the grid.
        #expect(part.count == 800 && part[0].count == 808 * 4)
        #expect(difference(part, try rows(path), x: 192, y: 0, margin: 2).most == 0)
    }

    /// The picture in the frame is the picture in the file.
    @Test(arguments: [["bracketright", "bracketright"], ["r", "h", "comma"], ["v"]])
    func whatTheFrameShowsIsWritten(_ keys: [String]) throws {
        let path = folder.file("photo.jpg", photo.jpeg(quality: 95))
        let steps = ["c", "plus", "plus", "Left", "Up"] + keys + ["Return"]
        let shot = 300 + 300 * (steps.count - 1) - 20
        try run(
            path, steps.map { "key \($0)" },
            options: [
                "--shot-at", "\(shot):\(folder / "frame.png")", "--ui-at",
                "\(shot):\(folder / "ui.json")",
            ])
        let part = try rows(folder / "photo (cropped).jpg")
        let frame = try #require(frameRect(folder / "ui.json"))
        let screen = try #require(Screenshot(folder / "frame.png"))
        let scale = Double(part[0].count / 4) / frame[2]
        #expect(abs(Double(part.count) / frame[3] - scale) < 0.02 * scale)
        var (sum, count) = (0, 0)
        for y in stride(from: 12.0, to: frame[3] - 12, by: 7) {
            for x in stride(from: 12.0, to: frame[2] - 12, by: 7) {
                let (column, row) = (Int((x + 0.5) * scale), Int((y + 0.5) * scale))
                let pixel = part[row][column * 4..<column * 4 + 3].map { Int($0) }
                let seen = screen.color(Int(frame[0] + x), Int(frame[1] + y))
                sum += abs(pixel[0] - seen.b) + abs(pixel[1] - seen.g) + abs(pixel[2] - seen.r)
                count += 3
            }
        }
        #expect(Double(sum) / Double(count) < 6, "\(Double(sum) / Double(count))")
    }

    /// The rectangle of the crop frame in a tree of the interface.
    private func frameRect(_ path: String) -> [Double]? {
        guard let text = TestFile.text(path), let name = text.firstRange(of: "\"Crop frame\""),
            let start = text[name.upperBound...].firstRange(of: "\"rect\":["),
            let end = text[start.upperBound...].firstIndex(of: "]")
        else { return nil }
        return text[start.upperBound..<end].split(separator: ",").compactMap { Double($0) }
    }

    @Test func theInterfaceHasNamesAndTheOutsideIsDim() throws {
        let grey = TestPicture(size: PixelSize(width: 1200, height: 800)) { _, _ in (150, 150, 150)
        }
        let path = folder.file("grey.png", grey.png())
        try run(
            path, ["key c", "key plus", "key plus", "key Escape"],
            options: [
                "--shot-at", "1180:\(folder / "crop.png")", "--ui-at",
                "1180:\(folder / "ui.json")",
            ])
        let tree = try #require(TestFile.text(folder / "ui.json"))
        for name in [
            "Crop frame", "Cancel", "Save", "Proportions", "Straighten", "Rotate right",
            "Flip horizontally", "Flip vertically", "Reset",
        ] {
            #expect(tree.contains("\"name\":\"\(name)\""), "\(name)")
        }
        let frame = try #require(frameRect(folder / "ui.json"))
        let screen = try #require(Screenshot(folder / "crop.png"))
        let middle = Int(frame[1] + frame[3] / 3 + 9)
        func light(_ x: Double) -> Int {
            let color = screen.color(Int(x), middle)
            return color.r + color.g + color.b
        }
        let (left, right) = (frame[0], frame[0] + frame[2])
        #expect(light(left + 14) == 450 && light(right - 14) == 450)
        #expect(2 * light(left - 14) < 450 && 2 * light(right + 14) < 450)
        // The line of the frame.
        #expect((-2...2).contains { light(left + Double($0)) > 700 })
        #expect(TestFile.read(folder / "grey (cropped).png") == nil)
    }

    // MARK: Several pictures

    /// What a copy leaves out is named before the copy is made.
    @Test(arguments: [("key Return", true), ("key Escape", false)])
    func furtherPicturesAreNamedBeforeACopyIsMade(answer: String, isSaved: Bool) throws {
        let pictures = [TestPicture.photograph(300, 200), TestPicture.photograph(150, 100)]
        let path = folder.file("two.ico", TestICO.encode(pictures.map { $0.png() }))
        // The question comes while nothing is pressed.
        try run(
            path, ["key c", "key a", "key a", "key Return", "", "", "", "", answer],
            options: [
                "--ui-at", "2600:\(folder / "ui.json")", "--trace", folder / "trace.txt",
            ])
        let tree = try #require(TestFile.text(folder / "ui.json"))
        #expect(tree.contains("Save a copy of “two.ico”?"), "\(tree.suffix(600))")
        #expect(tree.contains("the further pictures in the file are left out"))
        let copy = TestFile.read(folder / "two (cropped).png")
        #expect((copy != nil) == isSaved)
        let trace = TestFile.text(folder / "trace.txt") ?? ""
        #expect(trace.contains("nothing was cropped") == !isSaved)
        #expect(trace.contains("“two (cropped).png” saved") == isSaved)
        #expect(!trace.contains("full quality"))
        #expect(TestFile.read(path) == TestICO.encode(pictures.map { $0.png() }))
    }
}
