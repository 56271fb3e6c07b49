import CLinux
import Geometry
import Glibc
import Painting
import ImageTypes
import SceneModel
import Threads

extension BenchSuite {
    static let painting = BenchSuite(name: "painting") { PaintingBench(.best).figures() }
    static let paintingPortable = BenchSuite(name: "painting-portable") {
        PaintingBench(.portable).figures()
    }
    static let paintingSIMD = BenchSuite(name: "painting-simd") { PaintingBench(.simd).figures() }
}

/// The most copies of a frame that a frame may take: with AVX2, or with smaller sets of instructions.
private struct Bars {
    var pinch = 1.2
    /// A half transparent picture, a checkerboard or a cross-fade.
    var blended = 1.5
    var rotated = 2.0
    var refined = 6.0
    /// Deep pixels of a picture with a gain plane.
    var deep = 2.2
}

/// Measures the painting of frames of 3840×2160, compared with a copy of such a frame on one
/// thread.
struct PaintingBench {
    private static let size = PixelSize(width: 3840, height: 2160)
    /// Three frames, as in a window: the compositor holds one while another is painted.
    private let frames = (0..<3).map { _ in
        SharedPixels(length: size.width * 4 * size.height)
    }
    private let workers = WorkerPool(width: Int(clinux_processor_count()))
    private let painter: Painter
    private let bars: Bars
    /// A picture that fills the frame at any zoom above 1/2, without a three-quarter level.
    private let fresh = Bitmap.noise(PixelSize(width: 8192, height: 5464))
    /// The same picture with a three-quarter level, as after some time at rest.
    private let picture: Bitmap

    init(_ kernel: PaintingKernel) {
        painter = Painter(kernel: kernel)
        bars =
            kernel == .best
            ? Bars() : Bars(pinch: 1.5, blended: 2, rotated: 3, refined: 9, deep: 3.2)
        picture = Self.withThreeQuarterLevel(fresh, workers)
    }

    /// Adds the three-quarter level, which the viewer makes while a picture lies still.
    ///
    /// Traps if there is no memory, since nothing can be measured then.
    private static func withThreeQuarterLevel(_ picture: Bitmap, _ workers: WorkerPool) -> Bitmap {
        let level = ThreeQuarterLevel(of: picture, on: size, filterSpace: .encoded)?
            .make(concurrently: { workers.run($0, $1) }, until: PaintingCancellation())
        // A benchmark without its pixels has no figures.
        guard let level else { fatalError("no memory for the three-quarter level") }
        return picture.adding(level)
    }

    /// A copy of a frame: the minimum cost of showing a finished frame.
    private var memcpy: ReferenceWork {
        let (from, to) = (frames[0], SharedPixels(length: frames[0].length))
        return ReferenceWork(name: "memcpy of a frame, one thread") {
            Glibc.memcpy(to.base, from.base, from.length)
        }
    }

    func figures() -> [Figure] {
        let memcpy = memcpy
        let groups: [[Figure]] = [
            pinches(memcpy), [fit(memcpy), pan(memcpy), tileRows(memcpy)],
            translucentPinches(memcpy), [checkeredPinch(memcpy)],
            crossFades(of: picture, "", memcpy), rotatedPinches(memcpy), blockPinches(memcpy),
            sharpFrames(of: picture, at: [0.51, 0.54, 0.7, 1.01, 3], "", memcpy),
            [freshPinch(memcpy), threeQuarterLevel(memcpy)], planarFrames(memcpy),
        ]
        return groups.flatMap(\.self)
    }

    /// A photograph as the decoder delivers most of them.
    private func planarFrames(_ memcpy: ReferenceWork) -> [Figure] {
        let picture = Bitmap.planes(PixelSize(width: 8192, height: 5464))
        let pinches = [0.51, 0.7, 0.99, 1.3, 2, 5, 16].map { zoom in
            Measurement.figure("pinch at \(zoom), planes", bar: bars.pinch, beside: memcpy) {
                round in
                pinch(picture, zoom: zoom, round)
            }
        }
        // The edges of the picture, which cairo paints, are visible.
        let whole = Bitmap.planes(PixelSize(width: 6000, height: 4000))
        let fit = Measurement.figure(
            "pinch about fit of 24 megapixels, planes", bar: bars.pinch, beside: memcpy
        ) { round in
            paint(
                whole, zoom: 0.53 * (1 - Double(round) * 1e-4),
                center: Point(x: 1920.3, y: 1079.8), round)
        }
        let rotated = [0.1, 0.8, 1.4].map { rotation in
            Measurement.figure(
                "rotated pinch at 0.7 by \(rotation), planes", bar: bars.rotated, beside: memcpy
            ) { round in pinch(picture, zoom: 0.7, rotation: rotation, round) }
        }
        let sharp = sharpFrames(of: picture, at: [0.51, 0.7, 1.01, 3], ", planes", memcpy)
        let translucent = Measurement.figure(
            "pinch at 0.7, half transparent, planes", bar: bars.blended, beside: memcpy
        ) { round in pinch(picture, zoom: 0.7, opacity: 0.5, round) }
        return pinches + [
            fit, translucent, deepPinch(.gray, "", memcpy),
            deepPinch(ChromaFormat(columnShift: 1, rowShift: 1), " of three channels", memcpy),
        ]
            + crossFades(of: picture, ", planes", memcpy) + rotated
            + sharp
    }

    /// A photograph with a gain map of a quarter of its sides, as phones make them, on a screen four times as bright
    /// as white.
    private func deepPinch(
        _ format: ChromaFormat, _ name: String, _ memcpy: ReferenceWork
    ) -> Figure {
        var picture = Bitmap.planes(PixelSize(width: 8192, height: 5464))
        if let range = GainRange(minimum: 0, maximum: 2, start: 0, full: 2) {
            picture.gain = GainPlane(
                range, Bitmap.planes(PixelSize(width: 2048, height: 1366), format))
        }
        return Measurement.figure(
            "pinch at 0.7, planes with gain" + name, bar: bars.deep, beside: memcpy
        ) { round in
            let offset = Double(round)
            var lit = scene(
                picture, zoom: 0.7 * (1 + offset * 1e-4),
                center: Point(x: 1920.3 + offset * 0.37, y: 1080.6 - offset * 0.29))
            if case .picture(var item)? = lit.items.first {
                item.light = 1
                lit.items = [.picture(item)]
            }
            painter.paint(
                lit, into: canvas(round, headroom: 4), damage: [PixelRect(Self.size)],
                bitmap: { _ in picture }, concurrently: { workers.run($0, $1) })
        }
    }

    /// Every frame has another zoom and position.
    private func pinches(_ memcpy: ReferenceWork) -> [Figure] {
        [0.51, 0.67, 0.68, 0.7, 0.99, 1.01, 1.3, 2, 5, 16].map { zoom in
            Measurement.figure("pinch at \(zoom)", bar: bars.pinch, beside: memcpy) { round in
                pinch(picture, zoom: zoom, round)
            }
        }
    }

    /// A picture that is moved before its three-quarter level exists.
    private func freshPinch(_ memcpy: ReferenceWork) -> Figure {
        Measurement.figure("pinch at 0.51 at once", bar: nil, beside: memcpy) { round in
            pinch(fresh, zoom: 0.51, round)
        }
    }

    /// Each row of the frame crosses few rows of the picture, or many, depending on the angle.
    private func rotatedPinches(_ memcpy: ReferenceWork) -> [Figure] {
        [0.1, 0.8, 1.4].map { rotation in
            Measurement.figure(
                // The first figure was once the only one; its name must not change.
                "rotated pinch at 0.7" + (rotation == 0.1 ? "" : ", by \(rotation)"),
                bar: bars.rotated,
                beside: memcpy
            ) { round in pinch(picture, zoom: 0.7, rotation: rotation, round) }
        }
    }

    /// Frames in blocks, for machines too slow for a sample per pixel; also rotated, where samples
    /// are expensive.
    private func blockPinches(_ memcpy: ReferenceWork) -> [Figure] {
        [(0.0, 2, 1.2), (0, 3, 0.9), (0, 4, 0.9), (0.1, 2, nil)].map {
            (rotation: Double, blockSide: Int, bar: Double?) in
            Measurement.figure(
                (rotation == 0 ? "" : "rotated ") + "pinch at 0.7 in blocks of \(blockSide)",
                bar: bar, beside: memcpy
            ) { round in
                pinch(picture, zoom: 0.7, rotation: rotation, round, blockSide: blockSide)
            }
        }
    }

    /// The backdrop is visible on both sides.
    private func fit(_ memcpy: ReferenceWork) -> Figure {
        let picture = Self.withThreeQuarterLevel(
            .noise(PixelSize(width: 6000, height: 4000)), workers)
        return Measurement.figure(
            "pinch about fit of 24 megapixels", bar: bars.pinch, beside: memcpy
        ) { round in
            paint(
                picture, zoom: 0.54 * (1 - Double(round) * 1e-4),
                center: Point(x: 1920.3, y: 1079.8), round)
        }
    }

    /// A pan by whole device pixels at 1:1: rows are copied unchanged.
    private func pan(_ memcpy: ReferenceWork) -> Figure {
        Measurement.figure("pan at 1:1 by whole pixels", bar: 0.7, beside: memcpy) { round in
            let offset = Double(round) * 7
            paint(picture, zoom: 1, center: Point(x: 1920 + offset, y: 1080 - offset), round)
        }
    }

    /// A tile of a large picture arrives at rest: its rows are painted, the rest of the buffer
    /// stays.
    private func tileRows(_ memcpy: ReferenceWork) -> Figure {
        Measurement.figure(
            "256 new rows, the rest stays", bar: 0.25, beside: memcpy
        ) { round in
            paint(
                picture, zoom: 0.7, center: Point(x: 1920.3, y: 1080.6), round,
                damage: PixelRect(x: 0, y: 512, width: Self.size.width, height: 256))
        }
    }

    /// Whole frames through the sharp filter: in linear light, and in encoded values, which the viewer filters
    /// unless a setting says otherwise.
    private func sharpFrames(
        of picture: Bitmap, at zooms: [Double], _ kind: String, _ memcpy: ReferenceWork
    ) -> [Figure] {
        [(FilterSpace.linear, ""), (.encoded, ", encoded values")].flatMap { space, name in
            zooms.map { zoom in
                Measurement.figure(
                    "sharp at rest at \(zoom)\(kind)\(name)", bar: bars.refined, rounds: 7,
                    beside: memcpy
                ) { round in paintSharp(picture, zoom: zoom, space, round) }
            }
        }
    }

    /// The three-quarter level of a picture of 24 megapixels, made in the background.
    private func threeQuarterLevel(_ memcpy: ReferenceWork) -> Figure {
        let picture = Bitmap.noise(PixelSize(width: 6000, height: 4000))
        return Measurement.figure(
            "three-quarter level of 24 megapixels", bar: nil, rounds: 7, beside: memcpy
        ) { _ in _ = Self.withThreeQuarterLevel(picture, workers) }
    }

    private func paintSharp(
        _ picture: Bitmap, zoom: Double, _ space: FilterSpace, _ round: Int
    ) {
        let complete = painter.paintSharp(
            scene(picture, zoom: zoom, center: Point(x: 1920.3, y: 1080.6)),
            into: canvas(round), filterSpace: space, bitmap: { _ in picture },
            concurrently: { workers.run($0, $1) }, until: PaintingCancellation())
        precondition(complete, "nobody cancels it")
    }

    /// A translucent picture over the backdrop.
    private func translucentPinches(_ memcpy: ReferenceWork) -> [Figure] {
        [0.51, 0.7, 1.3].map { zoom in
            Measurement.figure(
                "pinch at \(zoom), half transparent", bar: bars.blended, beside: memcpy
            ) {
                round in
                pinch(picture, zoom: zoom, opacity: 0.5, round)
            }
        }
    }

    /// A picture with transparency over a checkerboard.
    private func checkeredPinch(_ memcpy: ReferenceWork) -> Figure {
        let picture = Bitmap.noise(PixelSize(width: 6000, height: 4000), format: .argb32)
        return Measurement.figure(
            "pinch at 1.3 on a checkerboard", bar: bars.blended, beside: memcpy
        ) { round in pinch(picture, zoom: 1.3, round) }
    }

    /// A photograph that fades in over another one: both at rest, and both with a slow pan.
    private func crossFades(
        of picture: Bitmap, _ kind: String, _ memcpy: ReferenceWork
    ) -> [Figure] {
        [("cross-fade at 0.7", 0.0), ("cross-fade at 0.7 in motion", 0.37)].map { name, step in
            // The frames of a fade of a second.
            Measurement.figure(
                name + kind, bar: bars.blended, rounds: 60, beside: memcpy
            ) { round in
                let center = Point(x: 1920.3 + Double(round) * step, y: 1080.6)
                // As in a fade, the opacity differs in each frame.
                let opacity = 0.2 + Double(round % 16) * 0.04
                var scene = scene(picture, zoom: 0.7, center: center)
                scene.items +=
                    self.scene(picture, zoom: 0.71, opacity: opacity, center: center).items
                paint(scene, of: picture, round)
            }
        }
    }

    /// Paints a frame of a pinch that moves a little from round to round.
    private func pinch(
        _ picture: Bitmap, zoom: Double, rotation: Double = 0, opacity: Double = 1, _ round: Int,
        blockSide: Int = 1
    ) {
        let offset = Double(round)
        paint(
            picture, zoom: zoom * (1 + offset * 1e-4), rotation: rotation, opacity: opacity,
            center: Point(x: 1920.3 + offset * 0.37, y: 1080.6 - offset * 0.29), round,
            blockSide: blockSide)
    }

    private func paint(
        _ picture: Bitmap, zoom: Double, rotation: Double = 0, opacity: Double = 1,
        center: Point, _ round: Int, blockSide: Int = 1, damage: PixelRect? = nil
    ) {
        paint(
            scene(picture, zoom: zoom, rotation: rotation, opacity: opacity, center: center),
            of: picture, round, blockSide: blockSide, damage: damage)
    }

    private func paint(
        _ scene: Scene, of picture: Bitmap, _ round: Int, blockSide: Int = 1,
        damage: PixelRect? = nil
    ) {
        painter.paint(
            scene, into: canvas(round),
            blockSide: blockSide, damage: [damage ?? PixelRect(Self.size)],
            bitmap: { _ in picture },
            concurrently: { workers.run($0, $1) })
    }

    private func scene(
        _ picture: Bitmap, zoom: Double, rotation: Double = 0, opacity: Double = 1, center: Point
    ) -> Scene {
        var item = PictureItem(
            source: .init(picture: 0, revision: 1), size: picture.size,
            placement: Placement(center: center, zoom: zoom, rotation: rotation), opacity: opacity)
        // A checkerboard shows behind a picture with transparency.
        item.hasCheckerboard = picture.format == .argb32
        return Scene(size: Self.size.size, scale: 1, backdrop: 1, items: [.picture(item)])
    }

    private func canvas(_ round: Int, headroom: Double? = nil) -> Canvas {
        Canvas(
            memory: frames[round % frames.count].mutableBytes, size: Self.size,
            stride: Self.size.width * 4, headroom: headroom)
    }
}
