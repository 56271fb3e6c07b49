import CoreTestKit
import SeededRandom
import Geometry
import Gestures
import Input
import Motion
import SceneModel
import Testing
import Viewer
import Grid
import Interface

@testable import Browser

/// Invariants of the browser under random gestures, and under random changes of the pictures.
@Suite struct BrowserPropertyTests {
    private static let shardCount = 8
    private static let scripts = RandomScripts(500, parts: shardCount)

    @Test(arguments: 0..<shardCount)
    func randomScripts(shard: Int) {
        let failure = Self.scripts.failure(in: shard) { Self.check(seed: $0) }
        #expect(failure == nil)
    }

    private static let layouts: [GridSettings.Layout] = [.reflow, .canvas, .justified]
    private static let sizes = [
        PixelSize(width: 3000, height: 2000), PixelSize(width: 900, height: 4000),
        PixelSize(width: 60, height: 40),
    ]

    private static func check(seed: UInt64) -> [String] {
        var random = SeededGenerator(seed: seed &* 2_654_435_761 &+ 5)
        let surface = Size(
            width: Double.random(in: 400...1600, using: &random).rounded(),
            height: Double.random(in: 400...1200, using: &random).rounded())
        var grid = GridSettings()
        grid.layout = layouts.randomElement(using: &random) ?? .reflow
        grid.pinch = Bool.random(using: &random) ? .peek : .zoom
        grid.peekRelease = Bool.random(using: &random) ? .open : .back
        grid.columns = Int.random(in: 1...6, using: &random)
        var viewer = ViewerSettings()
        viewer.reducedMotion = Int.random(in: 0..<8, using: &random) == 0
        grid.reducedMotion = viewer.reducedMotion
        let count = Int.random(in: 1...40, using: &random)
        var stage = Stage(
            browser: BrowserModel(
                Bool.random(using: &random) ? .grid : .viewer,
                viewport: Viewport(size: surface), contents: GridContents(count: count),
                viewerSettings: viewer, gridSettings: grid, text: .fixed),
            random: random)
        var hands = RandomHands(
            seed: seed, on: surface, moreKeys: ["g", "Escape", "Return", "Home", "End"])
        for entry in hands.script() + hands.script() { stage.send(entry) }
        stage.settleAndCheck()
        return stage.complaints
    }

    /// A browser whose pictures arrive late, fail to decode, disappear and change their index.
    private struct Stage {
        var hands: Interaction<BrowserModel>
        var random: SeededGenerator
        var complaints: [String] = []
        private var now = 0.0
        private var start = 0.0
        private var last = 0.0
        private var hasQuit = false
        private var wanted: [Int] = []

        init(browser: BrowserModel, random: SeededGenerator) {
            hands = Interaction(browser)
            self.random = random
            wanted = browser.wanted
        }

        private var moment: Moment { Moment(milliseconds: now) }

        private mutating func chance(_ one: Int) -> Bool {
            Int.random(in: 0..<one, using: &random) == 0
        }

        mutating func send(_ entry: RandomHands.Event) {
            // A second script starts when the first one has ended.
            if entry.time < last { start = now + 50 }
            last = entry.time
            pass(to: max(now, start + entry.time))
            var effects: [ViewerEffect] = []
            hands.handle(entry.event, at: moment, effects: &effects)
            apply(effects)
            if chance(4) { load() }
            if chance(60) { change() }
        }

        private mutating func pass(to time: Double) {
            while now < time {
                now = min(now + 16, time)
                var effects: [ViewerEffect] = []
                hands.advance(to: moment, effects: &effects)
                apply(effects)
                checkFrame()
            }
        }

        private mutating func apply(_ effects: [ViewerEffect]) {
            if effects.contains(.quit) { hasQuit = true }
            if effects.contains(.want) {
                _ = hands.target.viewer.prune(at: moment)
                wanted = hands.target.wanted
            }
        }

        /// Delivers all requested pictures; some of them fail to decode.
        private mutating func load() {
            for index in wanted where index < hands.target.viewer.count {
                if chance(12) {
                    hands.target.viewer.fail(index: index, text: "broken", at: moment)
                } else {
                    let size = sizes.randomElement(using: &random) ?? sizes[0]
                    hands.target.viewer.present(
                        index: index, size: size, source: .init(picture: index, revision: 1),
                        at: moment)
                }
                hands.target.pictureArrived(at: moment)
            }
        }

        /// Removes or inserts one picture at a random index.
        private mutating func change() {
            let count = hands.target.grid.contents.count
            let place = Int.random(in: 0...count, using: &random)
            var effects: [ViewerEffect] = []
            if chance(2), place < count {
                hands.target.update(
                    to: GridContents(count: count - 1),
                    mapping: { $0 == place ? nil : $0 > place ? $0 - 1 : $0 },
                    nearest: { count < 2 ? nil : min($0, count - 2) }, at: moment,
                    effects: &effects)
            } else {
                hands.target.update(
                    to: GridContents(count: count + 1), mapping: { $0 >= place ? $0 + 1 : $0 },
                    nearest: { $0 }, at: moment, effects: &effects)
            }
            apply(effects)
        }

        private mutating func checkFrame() {
            let count = hands.target.grid.contents.count
            let frame = hands.target.frame(
                at: moment, content: { _ in CellContent() }, name: { "\($0)" })
            require((0...1).contains(frame.scene.backdrop), "the backdrop")
            for item in frame.scene.items {
                let bounds = item.bounds
                require(
                    bounds.x.isFinite && bounds.y.isFinite && bounds.width.isFinite
                        && bounds.height.isFinite, "a coordinate is not finite in \(item)")
            }
            for cell in frame.grid?.cells ?? [] {
                require(cell.index < count, "a cell of picture \(cell.index) of \(count)")
            }
        }

        private mutating func require(_ isRight: Bool, _ text: @autoclosure () -> String) {
            if !isRight { complaints.append("at \(now): \(text())") }
        }

        mutating func settleAndCheck() {
            for _ in 0..<5 {
                load()
                pass(to: now + 2000)
            }
            require(!hands.isAnimating(at: moment), "the animation never ends")
            guard !hasQuit, hands.target.grid.contents.count > 0 else { return }
            let browser = hands.target
            switch browser.mode {
            case .grid: require(browser.grid.hidden == nil, "a cell stays empty")
            case .viewer:
                require(browser.viewer.coversSurface(at: moment), "the grid is visible")
                let frame = hands.target.frame(
                    at: moment, content: { _ in CellContent() }, name: { "\($0)" })
                for case .picture(let item) in frame.scene.items {
                    require(item.crop == nil && item.clip == nil, "the picture stays cropped")
                }
                require(frame.viewer.index < browser.viewer.count, "the index is out of range")
            }
        }
    }
}
