import CompositorKit
import Geometry
import TestKit
import Testing

/// Small pictures, and folders that open and close, in the pixels of the release build.
extension HeadlessGridTests {
    private static func colored(_ red: UInt8, _ green: UInt8, _ side: Int = 200) -> [UInt8] {
        TestPicture(size: PixelSize(width: side, height: side)) { _, _ in (red, green, 0) }.png()
    }

    @Test func anIconIsNotEnlargedInItsCell() throws {
        let run = HeadlessGrid([Self.colored(200, 0, 40), Self.colored(200, 0)]).play(rest: 1)
        let shot = try #require(run.shots.last)
        // 40 of the 124 pixels of the cell.
        let middle = HeadlessGrid.cell(0).center
        for (distance, isIcon) in [(0.0, true), (19, true), (21, false), (60, false)] {
            let red = shot.color(Int(middle.x + distance), Int(middle.y)).r
            #expect(isIcon ? red == 200 : red < 60, "at \(distance): \(red)")
        }
        let other = HeadlessGrid.cell(1).center
        #expect(shot.color(Int(other.x + 60), Int(other.y)).r == 200)
    }

    /// A red picture in a folder below a green one: a tap opens the folder out of its tile, the arrow closes it.
    @Test func aTapOpensAFolderOutOfItsTile() throws {
        let grid = HeadlessGrid([Self.colored(0, 200)])
        grid.folder.folder("album/inside")
        for index in 0..<15 { grid.put(Self.colored(200, 0), as: "inside/\(index).png") }
        let run = grid.play(shotTimes: [980, 1060, 1900, 1990]) {
            $0.rest(900)
            $0.tap(100, 80)
            $0.rest(950)
            $0.key("Alt+Left")
            $0.rest(1000)
        }
        func isRed(_ shot: Int, _ x: Int, _ y: Int) -> Bool {
            run.shots[shot].color(x, y).r > 150
        }
        #expect(run.status == 0 && run.shots.count == 5, "\(run.errors)")
        // Half-way the pictures fill the left part of the surface, and not yet all of it.
        #expect(isRed(1, 100, 80) && !isRed(1, 610, 60))
        #expect(isRed(2, 100, 60) && isRed(2, 610, 60))
        // The cover shrinks over the green picture, and lies in its tile at the end.
        #expect(run.shots[3].color(62, 260).g < 150)
        #expect(run.shots[4].color(62, 260).g == 200)
        #expect(isRed(4, 100, 80) && !isRed(4, 610, 60))
        let frames = run.frames.filter { $0.time > 1000 && $0.time < 1400 }
        #expect(frames.count > 5)
    }
}
