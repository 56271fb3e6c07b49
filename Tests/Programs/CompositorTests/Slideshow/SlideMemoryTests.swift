import CompositorKit
import Geometry
import Glibc
import Input
import TestKit
import Testing

extension LiveTests {
    /// Slideshows that go on after a restart.
    @Suite struct SlideMemoryTests {
        private let folder = TemporaryFolder()

        /// A folder of pictures.
        private func album(_ name: String = "album", count: Int) -> String {
            folder.folder(name)
            for number in 0..<count {
                _ = folder.file("\(name)/\(number + 10).png", Stage.small)
            }
            return folder / name
        }

        private func stage(_ paths: [String], _ options: [String] = []) throws -> Stage {
            try Stage.shown(
                options: [
                    "--slideshow", "2", "--set", "slideshow.transition=cut", "--set",
                    "slideshow.resume=1",
                ] + options + paths, pictures: [], stateFolder: folder / "state")
        }

        /// The pictures that were shown one after another.
        private func slides(_ stage: Stage) -> [Int] {
            var slides: [Int] = []
            for frame in stage.trace where frame.numbers("image").count == 2 {
                if let index = frame.index, index != slides.last { slides.append(index) }
            }
            return slides
        }

        /// Runs until so many pictures were shown: the decoder may wait for a processor.
        @discardableResult
        private func slides(_ count: Int, of stage: Stage) -> [Int] {
            for _ in 0..<160 where slides(stage).count < count {
                stage.compositor.run(seconds: 0.25)
            }
            return slides(stage)
        }

        private var files: [String] {
            ChildProcess.run(["find", folder / "state/slideshow", "-type", "f"]).output
                .split(separator: "\n").map(String.init)
        }

        @Test func aShuffleRepeatsNothingAfterRestarts() throws {
            let path = album(count: 12)
            var shown: [Int] = []
            for run in 0..<4 {
                let stage = try stage([path], ["--set", "slideshow.order=shuffle"])
                let slides = slides(4, of: stage)
                #expect(slides.count == 4)
                if run > 0 { #expect(slides.first == shown.last) }
                shown += slides.dropFirst(run > 0 ? 1 : 0)
                try stage.expectGoodEnd()
            }
            #expect(Set(shown.prefix(12)) == Set(0..<12), "\(shown)")
        }

        @Test func thePlaceBelongsToThePaths() throws {
            let (first, second) = (album("one", count: 5), album("two", count: 5))
            var stage = try stage([first])
            #expect(slides(3, of: stage) == [0, 1, 2])
            try stage.expectGoodEnd()
            // Other paths have a place of their own, and so has the same folder with others.
            for paths in [[second], [first, second]] {
                stage = try self.stage(paths)
                #expect(slides(2, of: stage) == [0, 1])
                try stage.expectGoodEnd()
            }
            #expect(files.count == 3)
            stage = try self.stage([first])
            #expect(slides(2, of: stage) == [2, 3])
            try stage.expectGoodEnd()
        }

        /// A new picture in the folder does not move the place; a removed one begins anew.
        @Test func thePlaceIsAPictureNotANumber() throws {
            let path = album(count: 5)
            var stage = try stage([path])
            slides(3, of: stage)
            try stage.expectGoodEnd()
            _ = folder.file("album/09.png", Stage.small)
            stage = try self.stage([path])
            #expect(slides(stage) == [3])
            try stage.expectGoodEnd()
            unlink(folder / "album/12.png")
            stage = try self.stage([path])
            #expect(slides(stage) == [0])
            try stage.expectGoodEnd()
        }

        /// At the start after a reboot the folder may not be there yet.
        @Test func aFolderThatIsFilledLaterGoesOn() throws {
            let path = album(count: 5)
            func stage() throws -> Stage {
                try Stage.shown(
                    in: .program,
                    options: [
                        "--slideshow", "1", "--set", "slideshow.transition=cut", path,
                    ], pictures: [], environment: ["XDG_STATE_HOME=\(folder.path)"])
            }
            var running = try stage()
            #expect(running.compositor.run(seconds: 20) { running.trace.last?.index == 2 })
            #expect(try running.close() == 0)
            for number in 10..<15 {
                rename(path + "/\(number).png", folder / "\(number).png")
            }
            running = try stage()
            #expect(try running.last.showsGrid)
            for number in 10..<15 {
                rename(folder / "\(number).png", path + "/\(number).png")
            }
            #expect(running.compositor.run(seconds: 20) { slides(running).count > 1 })
            #expect(slides(running).prefix(2) == [2, 3], "\(slides(running))")
            #expect(try running.close() == 0)
        }

        @Test func filesAndPeopleHavePriority() throws {
            let path = album(count: 5)
            var stage = try stage([path])
            slides(3, of: stage)
            try stage.expectGoodEnd()
            // Without a slideshow the first picture is shown.
            stage = try Stage.shown(
                options: ["--viewer", path], pictures: [], stateFolder: folder / "state")
            #expect(slides(stage) == [0])
            try stage.expectGoodEnd()
            let files = (10..<15).map { path + "/\($0).png" }
            for expected in [[0, 1, 2], [0, 1, 2]] {
                stage = try self.stage(files)
                #expect(slides(3, of: stage) == expected)
                try stage.expectGoodEnd()
            }
        }

        /// While the slideshow plays, what is lost with the power is at most a minute old.
        @Test func thePlaceIsWrittenWhileItPlays() throws {
            let stage = try stage([album(count: 50)])
            var contents: [String] = []
            for _ in 0..<100 {
                stage.compositor.run(seconds: 2)
                usleep(2000)
                let text = files.first.flatMap { TestFile.text($0) }
                if let text, text != contents.last { contents.append(text) }
            }
            // In 200 s: at once, then every 30 s.
            #expect((6...8).contains(contents.count), "\(contents.count)")
            #expect(contents.allSatisfy { $0.hasPrefix("place ") && $0.utf8.count == 23 })
            try stage.expectGoodEnd()
        }

        @Test func whatCannotBeReadIsIgnored() throws {
            let path = album(count: 5)
            var stage = try stage([path])
            slides(2, of: stage)
            try stage.expectGoodEnd()
            let file = try #require(files.first)
            for text in [
                "", "place 1\n", String(repeating: "place 0000000000000000\n", count: 9999),
            ] {
                TestFile.write(Array(text.utf8), to: file)
                stage = try self.stage([path])
                #expect(slides(stage) == [0])
                try stage.expectGoodEnd()
            }
        }

        /// The slideshow follows the names or the dates, whatever the order of the grid is.
        @Test func anotherOrderThanThatOfTheListing() throws {
            let path = album(count: 4)
            for (number, age) in [2, 0, 3, 1].enumerated() {
                var times = Array(
                    repeating: timespec(tv_sec: 1_000_000 - age * 1000, tv_nsec: 0), count: 2)
                utimensat(AT_FDCWD, path + "/\(number + 10).png", &times, 0)
            }
            func slides(_ order: String, _ sort: [String]) throws -> [Int] {
                let stage = try Stage.shown(
                    options: [
                        "--slideshow", "1", "--set", "slideshow.transition=cut", "--set",
                        "slideshow.order=\(order)", path,
                    ] + sort, pictures: [])
                defer { #expect((try? stage.close()) == 0) }
                return self.slides(5, of: stage)
            }
            // The indices are those of the listing: by name, or by name backwards.
            #expect(try slides("name", []) == [0, 1, 2, 3, 0])
            #expect(
                try slides("name", ["--set", "collection.descending=true"]) == [0, 3, 2, 1, 0])
            #expect(try slides("date", []) == [0, 3, 1, 2, 0])
            #expect(try slides("date", ["--set", "collection.sort=taken"]) == [0, 1, 2, 3, 0])
        }

        /// In a kiosk that begins with the grid, the slideshow for nobody goes on where it was.
        @Test func aKioskGoesOn() throws {
            let path = album(count: 6)
            func kiosk() throws -> Stage {
                try Stage.shown(
                    options: [
                        "--kiosk", "--set", "kiosk.attract=3", "--set", "slideshow.interval=2",
                        "--set", "slideshow.transition=cut", path,
                    ], pictures: [], stateFolder: folder / "state")
            }
            let first = try kiosk()
            #expect(try first.last.showsGrid)
            for _ in 0..<160 where try first.last.index ?? 0 < 2 {
                first.compositor.run(seconds: 0.25)
            }
            let last = try #require(try first.last.index)
            #expect(last >= 2)
            first.compositor.run(seconds: 0.1)
            first.type("Escape")
            first.playExitGesture()
            #expect(first.untilEnded() == 0)
            let second = try kiosk()
            #expect(slides(1, of: second).first == last)
        }

        @Test func aPointerThatRestsIsHidden() throws {
            let stage = try stage([album(count: 3)])
            let seat = stage.compositor.seats[0]
            func move(_ x: Double) throws {
                seat.send(.pointer(.move(to: Point(x: x, y: 200))), to: try stage.surface)
                stage.compositor.run(seconds: 0.1)
            }
            try move(300)
            #expect(!seat.hidesCursor)
            stage.compositor.run(seconds: 2.7)
            #expect(!seat.hidesCursor)
            stage.compositor.run(seconds: 0.4)
            #expect(seat.hidesCursor)
            try move(310)
            #expect(!seat.hidesCursor)
            stage.compositor.run(seconds: 3.1)
            #expect(seat.hidesCursor)
            // Without a slideshow the pointer stays.
            stage.type("s")
            stage.compositor.run(seconds: 0.1)
            #expect(!seat.hidesCursor)
            try move(320)
            stage.compositor.run(seconds: 5)
            #expect(!seat.hidesCursor)
            try stage.expectGoodEnd()
        }
    }
}
