import CompositorKit
import Geometry
import Glibc
import Input
import TestKit
import Testing
import WaylandServer
import WaylandProtocol

extension LiveTests {
    /// Drags out of the viewer, and drops on it.
    @Suite struct DragTests {
        /// The drag takes the finger away: nothing of it is left for the grid.
        @Test func aLongPressAndAMoveDragTheSelection() throws {
            let stage = try GridTests.filled()
            stage.play { hand in
                hand.touch([1: (62, 62)])
                hand.rest(700)
                hand.lift(1)
                hand.rest(400)
                hand.touch([1: (320, 62)])
                hand.rest(700)
                hand.move([1: (340, 100)], in: 100)
                hand.rest(50)
            }
            let data = stage.compositor.data
            #expect(data.requests.count == 1 && data.requests[0].hasPrefix("drag "))
            let source = try #require(data.dragged)
            #expect(source.types.contains("text/uri-list") && source.actions == [.copy, .ask])
            #expect(data.icon != nil)
            #expect(try stage.last.line.contains("\"selection\":2"))
            source.resource.cancelled()
            stage.play { hand in
                hand.lift(1)
                hand.rest(400)
                hand.touch([1: (62, 320)])
                hand.rest(60)
                hand.lift(1)
                hand.rest(600)
            }
            #expect(try stage.last.line.contains("\"selection\":3"))
            #expect(stage.compositor.violations == [])
        }

        @Test func aDroppedFileIsOpened() throws {
            let stage = try Stage.shown(pictures: [Stage.small])
            let other = stage.folder.file("other.png", Stage.large)
            // The edge of the surface, beside the picture.
            func edge() -> Int? { stage.compositor.surface?.pixels.map { $0.color(5, 200).b } }
            let before = edge()
            let data = stage.compositor.data
            let offer = data.makeOffer(["text/uri-list"], actions: [.copy, .ask])
            let surface = try #require(stage.compositor.surface)
            data.device?.enter(
                serial: 1, surface: surface.resource, x: 50, y: 60, id: offer.resource)
            offer.resource.action(dndAction: .ask)
            #expect(
                stage.compositor.run { edge() != before },
                "no line says that the file can be dropped")
            data.device?.drop()
            #expect(stage.compositor.run { !offer.pipes.isEmpty })
            offer.send(Array("file://\(other)\r\n".utf8))
            #expect(stage.compositor.run { (try? stage.last.line.contains("[1600,1000]")) == true })
            #expect(offer.requests.suffix(2) == ["finish", "destroy"])
            #expect(stage.compositor.violations == [])
        }

        /// As browsers drag a picture of a page: its address, and the picture.
        @Test func aPictureOfAPageIsOpened() throws {
            let stage = try Stage.shown(pictures: [Stage.small])
            let data = stage.compositor.data
            let offer = data.makeOffer(
                ["text/uri-list", "text/html", "image/png"], actions: [.copy, .ask])
            let surface = try #require(stage.compositor.surface)
            data.device?.enter(
                serial: 1, surface: surface.resource, x: 50, y: 60, id: offer.resource)
            offer.resource.action(dndAction: .ask)
            data.device?.drop()
            #expect(stage.compositor.run { !offer.pipes.isEmpty })
            offer.send(Array("https://example.org/card.png\r\n".utf8))
            #expect(stage.compositor.run { offer.requests.contains("receive image/png") })
            var rest = Stage.large[...]
            #expect(stage.compositor.run { offer.send(from: &rest) })
            #expect(stage.compositor.run { (try? stage.last.line.contains("[1600,1000]")) == true })
            #expect(try stage.last.text("toast") == nil)
            #expect(offer.requests.suffix(2) == ["finish", "destroy"])
            #expect(stage.compositor.violations == [])
        }

        /// The middle button pastes what is selected in another program; a selected text is no error.
        @Test func theMiddleButtonOpensTheSelectedFile() throws {
            let stage = try Stage.shown(pictures: [Stage.small])
            let other = stage.folder.file("other.png", Stage.large)
            func click() {
                stage.play {
                    $0.point(300, 200)
                    $0.press(.middle)
                    $0.release(.middle)
                    $0.rest(300)
                }
            }
            click()
            let text = stage.compositor.data.selectPrimary(["text/html"])
            click()
            #expect(text.asked == [])
            #expect(try stage.last.text("toast") == nil)
            let files = stage.compositor.data.selectPrimary(["text/uri-list"])
            click()
            #expect(files.asked == ["text/uri-list"])
            files.send(Array("file://\(other)\r\n".utf8))
            #expect(stage.compositor.run { (try? stage.last.line.contains("[1600,1000]")) == true })
            #expect(stage.compositor.violations == [])
        }

        /// Ten thousand addresses: pictures, one that is missing, and one of another computer.
        @Test func manyDroppedFilesAreOpened() throws {
            let count = 9998
            let stage = try Stage.shown(pictures: [Stage.small])
            stage.folder.folder("many")
            let first = stage.folder.file("many/0.png", Stage.small)
            var list = "# a comment\r\nhttps://example.org/a.png\r\nfile:///no/such/file.png\r\n"
            for number in 0..<count {
                let path = stage.folder / "many/\(number).png"
                if number > 0 { link(first, path) }
                list += "file://\(path)\r\n"
            }
            let data = stage.compositor.data
            let offer = data.makeOffer(["text/uri-list"], actions: [.copy, .ask])
            let surface = try #require(stage.compositor.surface)
            data.device?.enter(
                serial: 1, surface: surface.resource, x: 50, y: 60, id: offer.resource)
            offer.resource.action(dndAction: .ask)
            data.device?.drop()
            #expect(stage.compositor.run { !offer.pipes.isEmpty })
            var rest = Array(list.utf8)[...]
            #expect(stage.compositor.run { offer.send(from: &rest) })
            #expect(
                stage.compositor.run(seconds: 180) {
                    // Real time for the thread that looks for the files.
                    usleep(1000)
                    return (try? stage.last.line.contains("\"count\":\(count),")) == true
                })
            // The viewer still answers.
            stage.play {
                $0.key("End")
                $0.rest(800)
            }
            #expect(try stage.last.path.hasSuffix("/\(count - 1).png"))
            #expect(stage.compositor.violations == [])
        }
    }
}
