import CLinux
import Geometry
import Glibc
import Painting
import ImageTypes
import SceneModel
import Threads

extension BenchSuite {
    static let painting = BenchSuite(name: "painting") { PaintingBench().figures() }
}

/// How long frames of 3840×2160 take, beside a copy of such a frame on one thread.
struct PaintingBench {
    private static let size = PixelSize(width: 3840, height: 2160)
    /// As a window has them: the compositor holds one while another is painted.
    private let frames = (0..<3).map { _ in
        SharedPixels(length: size.width * 4 * size.height)
    }
    private let workers = WorkerPool(width: Int(clinux_processor_count()))
    private let painter = Painter()
    /// Fills the frame at any zoom above a half, as the rows of pinches want it.
    private let fresh = Bitmap.noise(PixelSize(width: 8192, height: 5464))
    /// The same once it has lain still.
    private let picture: Bitmap

    init() { picture = Self.rested(fresh, workers) }

    /// With what the viewer makes of a picture while it lies still.
    ///
    /// Traps where there is none, for want of memory: then there is nothing to measure.
    private static func rested(_ picture: Bitmap, _ workers: WorkerPool) -> Bitmap {
        let made = ThreeQuarterLevel(of: picture, on: size, filterSpace: .numbers)?
            .make(concurrently: { workers.run($0, $1) }, until: PaintingCancellation())
        guard let made else { fatalError("no intermediate reduction") }
        return picture.adding(made)
    }

    /// A copy of a frame, which is what showing one that is there costs at least.
    private var memcpy: ReferenceWork {
        let (from, to) = (frames[0], SharedPixels(length: frames[0].length))
        return ReferenceWork(name: "memcpy of a frame, one thread") {
            Glibc.memcpy(to.base, from.base, from.length)
        }
    }

    func figures() -> [Figure] {
        let memcpy = memcpy
        return pinches(memcpy) + [fit(memcpy), pan(memcpy), strip(memcpy)]
            + fadedPinches(memcpy) + [checkeredPinch(memcpy)] + turnedPinches(memcpy)
            + coarsePinches(memcpy) + rests(memcpy)
            + [freshPinch(memcpy), intermediate(memcpy)]
    }

    /// Every frame is at another zoom and place.
    private func pinches(_ memcpy: ReferenceWork) -> [Figure] {
        [0.51, 0.67, 0.68, 0.7, 0.99, 1.01, 1.3, 2, 5, 16].map { zoom in
            Measurement.figure("pinch at \(zoom)", bar: 1.5, beside: memcpy) { round in
                pinch(picture, zoom: zoom, round)
            }
        }
    }

    /// Moved before it ever lay still.
    private func freshPinch(_ memcpy: ReferenceWork) -> Figure {
        Measurement.figure("pinch at 0.51 at once", bar: nil, beside: memcpy) { round in
            pinch(fresh, zoom: 0.51, round)
        }
    }

    /// Where each row of the frame crosses few rows of the picture, and many.
    private func turnedPinches(_ memcpy: ReferenceWork) -> [Figure] {
        [0.1, 0.8, 1.4].map { rotation in
            Measurement.figure(
                // The first had its name when it was alone.
                "turned pinch at 0.7" + (rotation == 0.1 ? "" : ", by \(rotation)"), bar: nil,
                beside: memcpy
            ) { round in pinch(picture, zoom: 0.7, rotation: rotation, round) }
        }
    }

    /// On machines that are too slow for a sample a pixel; turned, where samples are dear.
    private func coarsePinches(_ memcpy: ReferenceWork) -> [Figure] {
        [(0.0, 2, 1.2), (0, 3, 0.9), (0, 4, 0.9), (0.1, 2, nil)].map {
            (rotation: Double, blockSide: Int, bar: Double?) in
            Measurement.figure(
                (rotation == 0 ? "" : "turned ") + "pinch at 0.7 in blocks of \(blockSide)",
                bar: bar, beside: memcpy
            ) { round in
                pinch(picture, zoom: 0.7, rotation: rotation, round, blockSide: blockSide)
            }
        }
    }

    /// The backdrop shows on both sides.
    private func fit(_ memcpy: ReferenceWork) -> Figure {
        let picture = Self.rested(.noise(PixelSize(width: 6000, height: 4000)), workers)
        return Measurement.figure(
            "pinch about fit of 24 megapixels", bar: 1.5, beside: memcpy
        ) { round in
            paint(
                picture, zoom: 0.54 * (1 - Double(round) * 1e-4),
                center: Point(x: 1920.3, y: 1079.8), round)
        }
    }

    /// Whole device pixels at one a picture pixel: rows are copied as they are.
    private func pan(_ memcpy: ReferenceWork) -> Figure {
        Measurement.figure("pan at 1:1 by whole pixels", bar: 0.7, beside: memcpy) { round in
            let way = Double(round) * 7
            paint(picture, zoom: 1, center: Point(x: 1920 + way, y: 1080 - way), round)
        }
    }

    /// A part of a tiled picture arrives at rest: its rows are new, the rest of the buffer stays.
    private func strip(_ memcpy: ReferenceWork) -> Figure {
        Measurement.figure(
            "256 new rows, the rest stays", bar: 0.25, beside: memcpy
        ) { round in
            paint(
                picture, zoom: 0.7, center: Point(x: 1920.3, y: 1080.6), round,
                damage: PixelRect(x: 0, y: 512, width: Self.size.width, height: 256))
        }
    }

    /// All of a frame, sharp and as light.
    private func rests(_ memcpy: ReferenceWork) -> [Figure] {
        [0.51, 0.54, 0.7, 1.01, 3].map { zoom in
            Measurement.figure(
                "sharp at rest at \(zoom)", bar: 12, rounds: 7, beside: memcpy
            ) { round in paintSharp(picture, zoom: zoom, round) }
        }
    }

    /// What is done for a picture of 24 megapixels after that, beside everything else.
    private func intermediate(_ memcpy: ReferenceWork) -> Figure {
        let picture = Bitmap.noise(PixelSize(width: 6000, height: 4000))
        return Measurement.figure(
            "intermediate reduction of 24 megapixels", bar: nil, rounds: 7, beside: memcpy
        ) { _ in _ = Self.rested(picture, workers) }
    }

    private func paintSharp(_ picture: Bitmap, zoom: Double, _ round: Int) {
        let complete = painter.paintSharp(
            scene(picture, zoom: zoom, center: Point(x: 1920.3, y: 1080.6)),
            into: canvas(round), bitmap: { _ in picture },
            concurrently: { workers.run($0, $1) }, until: PaintingCancellation())
        precondition(complete, "nobody cancels it")
    }

    /// What lies under the picture is seen through it.
    private func fadedPinches(_ memcpy: ReferenceWork) -> [Figure] {
        [0.51, 0.7, 1.3].map { zoom in
            Measurement.figure("pinch at \(zoom), half clear", bar: nil, beside: memcpy) { round in
                pinch(picture, zoom: zoom, opacity: 0.5, round)
            }
        }
    }

    /// A drawing or a cut-out: light and dark squares are seen through it.
    private func checkeredPinch(_ memcpy: ReferenceWork) -> Figure {
        let picture = Bitmap.noise(PixelSize(width: 6000, height: 4000), format: .argb32)
        return Measurement.figure(
            "pinch at 1.3 on a checkerboard", bar: nil, beside: memcpy
        ) { round in pinch(picture, zoom: 1.3, round) }
    }

    /// A frame of fingers that spread and wander a little from round to round.
    private func pinch(
        _ picture: Bitmap, zoom: Double, rotation: Double = 0, opacity: Double = 1, _ round: Int,
        blockSide: Int = 1
    ) {
        let way = Double(round)
        paint(
            picture, zoom: zoom * (1 + way * 1e-4), rotation: rotation, opacity: opacity,
            center: Point(x: 1920.3 + way * 0.37, y: 1080.6 - way * 0.29), round,
            blockSide: blockSide)
    }

    private func paint(
        _ picture: Bitmap, zoom: Double, rotation: Double = 0, opacity: Double = 1,
        center: Point, _ round: Int, blockSide: Int = 1, damage: PixelRect? = nil
    ) {
        painter.paint(
            scene(picture, zoom: zoom, rotation: rotation, opacity: opacity, center: center),
            into: canvas(round),
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
        // What is clear of one that has clear parts is seen.
        item.isOnCheckerboard = picture.format == .argb32
        return Scene(size: Self.size.size, scale: 1, backdrop: 1, items: [.picture(item)])
    }

    private func canvas(_ round: Int) -> Canvas {
        Canvas(
            memory: frames[round % frames.count].mutableBytes, size: Self.size,
            stride: Self.size.width * 4)
    }
}
