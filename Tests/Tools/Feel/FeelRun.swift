import CoreTestKit
import Browser
import Geometry
import Glibc
import Input
import Motion
import SceneModel
import Viewer
import Grid

/// Plays and judges all gestures of one kind.
struct FeelRun {
    private let kind: Kind
    private let seed: UInt64
    private let stage: FeelStage
    private let picture: PixelSize
    var isVerbose = false
    private var result: FeelResult
    /// The state after the keys of the kind.
    private var base: ViewerSnapshot?

    init(_ kind: Kind, album: String, seed: UInt64, picture: PixelSize) throws {
        self.kind = kind
        self.seed = seed
        self.picture = picture
        result = FeelResult(kind: kind)
        var arguments = [
            "--set", "frames.adaptive_resolution=false", "--set", "frames.rest=plain",
            "--set", "frames.hold_back=false",
            "--set", "viewer.dismiss=grid", "--size", "800x500",
        ]
        if kind == .peek { arguments += ["--set", "grid.columns=1"] }
        setenv("XDG_CACHE_HOME", album + "/../cache", 1)
        stage = try FeelStage(arguments + ["--grid", album])
    }

    mutating func play(_ count: Int) throws -> FeelResult {
        for number in 0..<count {
            var player = Player(
                seed: seed &* 1_000_003 &+ UInt64(number) &* 7919, on: FeelStage.size)
            prepare()
            let isEarly = kind.mayBeginEarly && player.hand.chance(4)
            if isEarly {
                stage.press(kind == .pan || kind == .fling || kind == .pinchIn ? "minus" : "0")
                if kind != .doubleTap, kind != .pinchOut { stage.press("plus") }
                stage.rest(player.hand.number(30...260))
            }
            let before = isEarly && kind != .doubleTap ? seen() : base ?? seen()
            let intent = player.gesture(kind)
            let carry = !isEarly && [.pinchOut, .pinchIn].contains(kind) ? law(of: intent) : nil
            judge(intent, before: before, isEarly: isEarly, law: carry, number: number)
        }
        return result
    }

    private func seen() -> ViewerSnapshot { ViewerSnapshot((stage.last ?? stage.frames[0]).frame) }

    /// Restores the initial state of the kind.
    private mutating func prepare() {
        if seen().hasMenu {
            stage.press("Escape")
            stage.settle()
        }
        if kind.isInGrid {
            if seen().mode == .viewer { stage.press("Escape") }
        } else if seen().mode == .grid {
            for key in ["Home", "Right", "Right", "Right", "Right", "Return"] { stage.press(key) }
            stage.settle()
        }
        // A page turn needs a neighbour on each side.
        let index = seen().index
        if !kind.isInGrid, kind != .lastSwipe, index < 3 || index > 190 {
            stage.press("Home")
            stage.settle()
            for _ in 0..<8 {
                stage.press("space")
                stage.settle()
            }
        }
        if !kind.isInGrid {
            // The last gesture may have rotated the picture.
            for _ in 0..<3 where abs(seen().rotation) > 1e-6 {
                stage.press("R")
                stage.settle()
            }
        }
        // Each key starts from the state after the previous one.
        for key in kind.keys {
            stage.press(key)
            stage.settle()
        }
        if kind == .gridScroll {
            stage.press("Home")
            for _ in 0..<4 { stage.press("Next") }
        }
        stage.settle()
        base = seen()
        _ = stage.drainFrames()
    }

    private mutating func perform(_ intent: Intent) -> (frames: [FeelStage.Frame], rest: Double) {
        _ = stage.drainFrames()
        stage.play(intent.events)
        let rest = stage.settle()
        return (stage.drainFrames(), rest)
    }

    /// The final zoom if all fingers lift in one frame, at the time of the first lift.
    private mutating func law(of intent: Intent) -> Double {
        var together = intent
        let ups = intent.events.map(\.event).filter(\.isLift)
        // Reports in the frame of the first lift count.
        let first = intent.events.firstIndex { $0.event.isLift } ?? 0
        let end = intent.events[first...].firstIndex { $0.event == .touch(.frame) } ?? first
        together.events =
            intent.events[..<end].filter { !$0.event.isLift } + ups.map { (intent.firstLift, $0) }
            + [(intent.firstLift, .touch(.frame))]
        _ = perform(together)
        let zoom = seen().zoom
        prepare()
        return zoom
    }

    private mutating func judge(
        _ intent: Intent, before: ViewerSnapshot, isEarly: Bool, law: Double?, number: Int
    ) {
        let cell =
            kind == .cellTap
            ? stage.last?.frame.grid.flatMap { grid in
                grid.cells.first { $0.rect.contains(intent.landing) }?.index
            } : nil
        let start = stage.now.milliseconds
        let (frames, rest) = perform(intent)
        let after = seen()
        var verdict = Judge(
            kind: kind, intent: intent, before: before, frames: frames, isEarly: isEarly,
            hasEnded: stage.hasEnded, surface: FeelStage.size, picture: picture
        ).verdict(after: after)
        if kind == .cellTap {
            verdict.isMeant =
                cell.map { after.mode == .viewer && after.index == $0 } ?? (after.mode == .grid)
            verdict.isDestructive = after.mode == .viewer && after.index != cell
        }
        if let law, let limits = after.limits, law > limits.fit * 1.001, law < limits.max * 0.999 {
            // Relative to the zoom change after the release; changes below 5 % are not noticeable.
            verdict.releaseError =
                abs(log(after.zoom / law)) / max(abs(log(law / before.zoom)), 0.05)
        }
        let motions = Motions(frames, intent, from: start, surface: FeelStage.size)
        result.add(verdict, motions, rest: rest)
        let isOff = (verdict.releaseError ?? 0) > 0.05
        if isVerbose,
            !verdict.isMeant || verdict.isDestructive || motions.jumps + motions.stills > 0 || isOff
        {
            print(
                "\(kind.rawValue) \(number)\(isEarly ? " early" : ""):"
                    + "\(verdict.isMeant ? "" : " not as meant")\(verdict.isDestructive ? " HARM" : "")"
                    + " \(verdict.note) jumps \(motions.jumps) \(motions.worst) still "
                    + "\(motions.stills) carry off \(verdict.releaseError ?? 0), zoom \(before.zoom), "
                    + "\(after.zoom), expected \(law ?? 0)")
            for (time, event) in intent.events {
                let entry = GestureScript.Entry(moment: Moment(milliseconds: time), event: event)
                print("    \(entry.line)")
            }
        }
        if stage.hasEnded { exit(1) }
    }
}

extension Intent {
    /// The first reported position of the first finger.
    fileprivate var landing: Point {
        for case (_, .touch(.down(_, let point))) in events { return point }
        return place
    }
}
