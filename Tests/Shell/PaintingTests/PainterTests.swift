import Geometry
import Painting
import ImageTypes
import SceneModel
import Testing

@Suite struct PainterTests {
    private static let canvasSize = PixelSize(width: 40, height: 80)

    private func scene(_ item: PictureItem, backdrop: Double = 1) -> Scene {
        Scene(
            size: Self.canvasSize.size, scale: 1, backdrop: backdrop, items: [.picture(item)])
    }

    private func item(
        _ bitmap: Bitmap, center: Point, zoom: Double, rotation: Double = 0, opacity: Double = 1
    ) -> PictureItem {
        PictureItem(
            source: .init(picture: 0, revision: 1), size: bitmap.size,
            placement: Placement(center: center, zoom: zoom, rotation: rotation), opacity: opacity)
    }

    @Test func zoomOneIsExactAndTheRestIsBackdrop() {
        let picture = Bitmap(PixelSize(width: 10, height: 6)) { x, y in
            0xFF00_0000 | UInt32(x * 20) << 16 | UInt32(y * 40)
        }
        let pixels = scene(item(picture, center: Point(x: 15, y: 23), zoom: 1)).painted(
            with: picture)
        for y in 0..<80 {
            for x in 0..<40 {
                let inside = (10..<20).contains(x) && (20..<26).contains(y)
                let wanted: UInt32 =
                    inside
                    ? 0xFF00_0000 | UInt32((x - 10) * 20) << 16 | UInt32((y - 20) * 40)
                    : 0xFF00_0000
                #expect(pixels[y * 40 + x] == wanted)
            }
        }
    }

    /// The backdrop has a colour, also below transparent pictures and their checkerboards.
    @Test(arguments: [false, true], [0.5, 1])
    func theBackdropHasAColor(hasCheckerboard: Bool, opacity: Double) {
        let clear = Bitmap(PixelSize(width: 10, height: 10), format: .argb32) { _, _ in 0 }
        var item = item(clear, center: Point(x: 20, y: 40), zoom: 1, opacity: opacity)
        item.hasCheckerboard = hasCheckerboard
        var scene = scene(item)
        scene.backdropColor = Color(red: 1, green: 0.8, blue: 0.6)
        let pixels = scene.painted(with: clear)
        #expect(pixels[0] == 0xFFFF_CC99 && pixels[40 * 80 - 1] == 0xFFFF_CC99)
        let below = pixels[40 * 40 + 20]
        if !hasCheckerboard {
            #expect(below == 0xFFFF_CC99)
        } else {
            // The squares are grey; in between, the colour is seen through them.
            #expect((below >> 16 & 255 == below & 255) == (opacity == 1))
            #expect(below >> 24 == 255 && below != 0xFFFF_CC99)
        }
        var black = scene
        black.backdropColor = .black(1)
        #expect(scene.damage(since: black) == [PixelRect(Self.canvasSize)])
    }

    /// A thin picture is one whole pixel wide, at any subpixel position of its center.
    @Test(arguments: [20.0, 20.3, 20.7], [0.0, .pi / 2])
    func noPictureIsThinnerThanAPixel(center: Double, rotation: Double) {
        let strip = Bitmap(PixelSize(width: 1, height: 2000)) { _, _ in 0xFFFF_FFFF }
        for zoom in [0.03, 0.5] {
            let pixels = scene(
                item(strip, center: Point(x: center, y: center), zoom: zoom, rotation: rotation)
            ).painted(with: strip)
            let across: [UInt32] = (0..<40).map { place in
                let pixel = rotation == 0 ? pixels[20 * 40 + place] : pixels[place * 40 + 20]
                return pixel & 255
            }
            #expect(across.count { $0 > 240 } == 1)
            #expect(across.count { $0 > 10 } == 1)
        }
    }

    /// Two pages side by side, each cut in the middle of the gap between them.
    @Test(arguments: [0.0, 0.3])
    func picturesEndAtTheirClip(rotation: Double) {
        let picture = Bitmap(PixelSize(width: 100, height: 100)) { _, _ in 0xFF00_00FF }
        var left = item(picture, center: Point(x: 0, y: 40), zoom: 1, rotation: rotation)
        var right = item(picture, center: Point(x: 45, y: 40), zoom: 1, rotation: rotation)
        left.clip = Rect(x: -60, y: 0, width: 72, height: 80)
        right.clip = Rect(x: 20.4, y: 10, width: 80, height: 60)
        let scene = Scene(
            size: Self.canvasSize.size, scale: 1, backdrop: 1,
            items: [.picture(left), .picture(right)])
        let pixels = scene.painted(with: picture)
        for y in 0..<80 {
            for x in 0..<40 {
                let inside = x < 12 || (x >= 20 && y >= 10 && y < 70)
                #expect(pixels[y * 40 + x] == (inside ? 0xFF00_00FF : 0xFF00_0000))
            }
        }
    }

    /// The checkerboard shows through transparent pixels only; an opaque picture has none.
    @Test(arguments: [0, 0.4])
    func aCheckerboardLiesBehindTransparentPixels(rotation: Double) {
        let size = PixelSize(width: 30, height: 60)
        let transparent = Bitmap(size, format: .argb32) { x, _ in x < 15 ? 0 : 0xFF00_00FF }
        var item = item(transparent, center: Point(x: 20, y: 40), zoom: 1, rotation: rotation)
        func pixels(_ bitmap: Bitmap) -> [UInt32] {
            scene(item).painted(with: bitmap)
        }
        let plain = pixels(transparent)
        item.hasCheckerboard = true
        let checkered = pixels(transparent)
        var seen: Set<UInt32> = []
        for y in 0..<80 {
            for x in 0..<40 {
                let own = (Point(x: Double(x) + 0.5, y: Double(y) + 0.5) - Point(x: 20, y: 40))
                    .rotated(by: -rotation)
                guard abs(own.dx) < 13, abs(own.dy) < 28, abs(own.dx) > 2 else {
                    if abs(own.dx) > 17 || abs(own.dy) > 32 {
                        #expect(checkered[y * 40 + x] == plain[y * 40 + x])
                    }
                    continue
                }
                if own.dx > 0 {
                    #expect(checkered[y * 40 + x] == 0xFF00_00FF)
                } else {
                    let isLight = (x / 8 + y / 8) % 2 == 1
                    #expect(checkered[y * 40 + x] == (isLight ? 0xFFCC_CCCC : 0xFF99_9999))
                    seen.insert(checkered[y * 40 + x])
                }
            }
        }
        #expect(seen.count == 2)
        let opaque = Bitmap(size) { _, _ in 0xFF12_3456 }
        #expect(pixels(opaque).contains(0xFF12_3456) && !pixels(opaque).contains(0xFFCC_CCCC))
    }

    /// A picture is cropped to its center in flight, also while it is rotated.
    @Test(arguments: [0, 0.3, Double.pi / 2])
    func onlyTheCenterOfACroppedPictureShows(rotation: Double) {
        let picture = Bitmap(PixelSize(width: 100, height: 100)) { _, _ in 0xFF00_00FF }
        let center = Point(x: 20, y: 40)
        var cropped = item(picture, center: center, zoom: 0.5, rotation: rotation)
        cropped.crop = Size(width: 20, height: 60)
        let scene = Scene(
            size: Self.canvasSize.size, scale: 1, backdrop: 1, items: [.picture(cropped)])
        let pixels = scene.painted(with: picture)
        for y in 0..<80 {
            for x in 0..<40 {
                let offset = Point(x: Double(x) + 0.5, y: Double(y) + 0.5) - center
                let own = offset.rotated(by: -rotation)
                let inside = (abs(own.dx) - 5, abs(own.dy) - 15)
                // Edge pixels are antialiased.
                guard max(inside.0, inside.1) < -0.8 || max(inside.0, inside.1) > 0.8 else {
                    continue
                }
                let shows = inside.0 < 0 && inside.1 < 0
                #expect(pixels[y * 40 + x] == (shows ? 0xFF00_00FF : 0xFF00_0000), "\(x) \(y)")
            }
        }
    }

    @Test func aPartialRepaintEqualsTheWholeFrame() {
        let picture = Bitmap(PixelSize(width: 900, height: 1000)) { x, y in
            0xFF00_0000 | UInt32(x / 4) << 8 | UInt32(y / 4)
        }
        let size = PixelSize(width: 300, height: 420)
        let scene = Scene(
            size: size.size, scale: 1, backdrop: 1,
            items: [
                .picture(item(picture, center: Point(x: 151.3, y: 207.7), zoom: 0.37))
            ])
        let whole = scene.painted(with: picture)
        let rect = PixelRect(x: 33, y: 101, width: 171, height: 203)
        let part = scene.painted(with: picture, damage: [rect])
        // The filter steps in 1/128 of a pixel from where it starts: values may differ by 1.
        var largest = 0
        for y in rect.y..<rect.maxY {
            for x in rect.x..<rect.maxX {
                let (a, b) = (part[y * size.width + x], whole[y * size.width + x])
                largest = max(largest, abs(Int(a & 255) - Int(b & 255)))
                largest = max(largest, abs(Int(a >> 8 & 255) - Int(b >> 8 & 255)))
            }
        }
        #expect(largest <= 1)
    }

    @Test func bandsLeaveNoSeam() {
        // A smooth gradient: adjacent rows differ by at most 1.
        let picture = Bitmap(PixelSize(width: 40, height: 1000)) { _, y in
            0xFF00_0000 | UInt32(y / 4)
        }
        let size = PixelSize(width: 40, height: 420)
        let scene = Scene(
            size: size.size, scale: 1, backdrop: 1,
            items: [
                .picture(item(picture, center: Point(x: 20, y: 210.3), zoom: 0.45))
            ])
        let pixels = scene.painted(with: picture)
        for y in 1..<420 {
            let rise = Int(pixels[y * 40 + 20] & 255) - Int(pixels[(y - 1) * 40 + 20] & 255)
            #expect((0...1).contains(rise))
        }
    }

    @Test func nothingOutsideTheDamageIsTouched() {
        let picture = Bitmap(PixelSize(width: 40, height: 80)) { _, _ in 0xFFFF_FFFF }
        let rect = PixelRect(x: 5, y: 6, width: 7, height: 8)
        let pixels = scene(item(picture, center: Point(x: 20, y: 40), zoom: 1)).painted(
            with: picture, damage: [rect])
        for y in 0..<80 {
            for x in 0..<40 {
                let isInside = !rect.intersection(PixelRect(x: x, y: y, width: 1, height: 1))
                    .isEmpty
                #expect(pixels[y * 40 + x] == (isInside ? 0xFFFF_FFFF : Scene.untouched))
            }
        }
    }

    @Test func edgesOnHalfPixelsAreHalfCovered() {
        let picture = Bitmap(PixelSize(width: 10, height: 10)) { _, _ in 0xFFFF_FFFF }
        let pixels = scene(item(picture, center: Point(x: 16, y: 25), zoom: 1.1)).painted(
            with: picture)
        let row = pixels[25 * 40..<26 * 40].map { Int($0 & 255) }
        #expect(abs(row[10] - 128) <= 2 && abs(row[21] - 128) <= 2)
        #expect(row[9] == 0 && row[11] == 255 && row[20] == 255 && row[22] == 0)
    }

    @Test func quarterTurnsPutCornersWhereTheyBelong() {
        // Red in the top left corner; rotated clockwise, red is at the top right.
        let picture = Bitmap(PixelSize(width: 20, height: 10)) { x, y in
            x < 10 && y < 5 ? 0xFFFF_0000 : 0xFF00_00FF
        }
        let pixels = scene(item(picture, center: Point(x: 20, y: 40), zoom: 1, rotation: .pi / 2))
            .painted(with: picture)
        #expect(pixels[33 * 40 + 22] == 0xFFFF_0000)
        #expect(pixels[33 * 40 + 17] == 0xFF00_00FF)
        #expect(pixels[47 * 40 + 22] == 0xFF00_00FF)
        #expect(pixels[40 * 40 + 5] == 0xFF00_0000)
    }

    @Test func transparentPicturesShowTheBackdrop() {
        let half = Bitmap(PixelSize(width: 10, height: 10), format: .argb32) { _, _ in 0x8080_8080 }
        let pixels = scene(item(half, center: Point(x: 20, y: 40), zoom: 1)).painted(with: half)
        #expect(pixels[40 * 40 + 20] == 0xFF80_8080)
        let faded = Bitmap(PixelSize(width: 10, height: 10)) { _, _ in 0xFFFF_FFFF }
        let leaving = scene(item(faded, center: Point(x: 20, y: 40), zoom: 1, opacity: 0.5))
            .painted(with: faded)
        #expect(abs(Int(leaving[40 * 40 + 20] & 255) - 128) <= 1)
    }

    @Test func extremePlacementsDoNotTrap() {
        let picture = Bitmap(PixelSize(width: 3, height: 3)) { _, _ in 0xFFFF_FFFF }
        for (center, zoom) in [
            (Point(x: 1e9, y: -1e9), 1.0), (Point(x: 20, y: 40), 1e6), (Point(x: 20, y: 40), 1e-9),
        ] {
            let pixels = scene(item(picture, center: center, zoom: zoom)).painted(with: picture)
            #expect(pixels[0] >> 24 == 255)
        }
    }

    @Test func damageIsWhatDiffers() {
        let picture = Bitmap(PixelSize(width: 10, height: 10)) { _, _ in 0xFFFF_FFFF }
        let before = scene(item(picture, center: Point(x: 10, y: 10), zoom: 1))
        let after = scene(item(picture, center: Point(x: 30, y: 70), zoom: 1))
        #expect(before.damage(since: before) == [])
        #expect(before.damage(since: nil) == [PixelRect(Self.canvasSize)])
        #expect(
            Set(after.damage(since: before)) == [
                PixelRect(x: 5, y: 5, width: 10, height: 10),
                PixelRect(x: 25, y: 65, width: 10, height: 10),
            ])
    }

    /// Tiles of a huge picture arrive one by one, below chrome that was there before.
    @Test func anInsertedItemIsTheOnlyDamage() {
        let picture = Bitmap(PixelSize(width: 10, height: 10)) { _, _ in 0xFFFF_FFFF }
        let parts = [10.0, 30, 50, 70].map {
            SceneItem.picture(item(picture, center: Point(x: 20, y: $0), zoom: 1))
        }
        var before = scene(item(picture, center: Point(x: 20, y: 40), zoom: 1))
        before.items = [parts[0], parts[1], parts[3]]
        var after = before
        after.items = parts
        let part = PixelRect(x: 15, y: 45, width: 10, height: 10)
        #expect(after.damage(since: before) == [part])
        #expect(before.damage(since: after) == [part])
        after.items = [parts[3], parts[0], parts[1]]
        #expect(after.damage(since: before).count == 3)
    }

    @Test func layersPaintTextInsideTheirRectangle() {
        let text = "a name\u{0}\n with \u{1F600} \(String(repeating: "long ", count: 99))"
        let layer = LayerItem(
            rect: Rect(x: 0, y: 10, width: 300, height: 60),
            elements: [
                .text(
                    .init(
                        Rect(x: 0, y: 0, width: 300, height: 60), text, TextStyle(size: 15),
                        .gray(1)))
            ])
        let scene = Scene(
            size: Size(width: 320, height: 100), scale: 1, backdrop: 1, items: [.layer(layer)])
        let empty = Bitmap(PixelSize(width: 1, height: 1)) { _, _ in 0 }
        let pixels = scene.painted(with: empty)
        let bright = pixels.indices.filter { pixels[$0] & 255 > 150 }
        #expect(bright.count > 100)
        for index in bright {
            #expect((10..<70).contains(index / 320) && (0..<300).contains(index % 320))
        }
    }

    /// Like rows of a scrolled list: the layer and its damage end at the clip.
    @Test func layersEndAtTheirClip() {
        func scene(_ y: Double) -> Scene {
            let line = LayerItem(
                rect: Rect(x: 0, y: y, width: 200, height: 30),
                elements: [.box(.init(Rect(x: 0, y: 0, width: 200, height: 30), .gray(0.3)))],
                clip: Rect(x: 0, y: 40, width: 150, height: 60))
            return Scene(
                size: Size(width: 200, height: 120), scale: 1, backdrop: 1, items: [.layer(line)])
        }
        let empty = Bitmap(PixelSize(width: 1, height: 1)) { _, _ in 0 }
        let pixels = scene(30).painted(with: empty)
        for (index, pixel) in pixels.enumerated() {
            let isInside = (40..<60).contains(index / 200) && index % 200 < 150
            #expect((pixel & 255 > 20) == isInside)
        }
        let damage = scene(35).damage(since: scene(30))
        #expect(damage == [PixelRect(x: 0, y: 40, width: 150, height: 26)])
    }

    // MARK: Layers of a scrolled list

    /// Rows of 24 logical pixels below a title, on a translucent ground.
    private func list(scrolledBy offset: Double, scale: Double) -> Scene {
        let panel = Rect(x: 10, y: 5, width: 120, height: 90)
        var list = panel
        list.y += 20
        list.height -= 20
        let ground = LayerItem(
            rect: panel,
            elements: [
                .box(
                    .init(
                        Rect(origin: .zero, size: panel.size), .gray(0.5, 0.5), cornerRadius: 9))
            ])
        let rows = (0..<9).map { number in
            let size = Size(width: 120, height: 24)
            return LayerItem(
                rect: Rect(origin: Point(x: 10, y: 25 + 24 * Double(number) - offset), size: size),
                elements: [
                    .box(.init(Rect(x: 4, y: 2, width: 100, height: 20), .gray(1, 0.3))),
                    .text(
                        .init(
                            Rect(origin: .zero, size: size), "Row \(number)", TextStyle(size: 14),
                            .gray(1))),
                ], clip: list)
        }
        return Scene(
            size: Size(width: 140, height: 100), scale: scale, backdrop: 1,
            items: [.layer(ground)] + rows.map { .layer($0) })
    }

    /// Painting only the damage gives the same pixels as painting everything, and the title row is not
    /// part of the damage.
    @Test(arguments: [1, 1.25, 1.5, 2])
    func scrolledLayersAreRepaintedExactly(scale: Double) {
        let empty = Bitmap(PixelSize(width: 1, height: 1)) { _, _ in 0 }
        var before = list(scrolledBy: 0, scale: scale)
        var pixels = before.painted(with: empty)
        for offset in [3, 3.4, 17.9, 48, 60.3, 12] {
            let after = list(scrolledBy: offset, scale: scale)
            let damage = after.damage(since: before)
            let top = Int((25 * scale).rounded(.down))
            #expect(damage.allSatisfy { $0.y >= top && $0.maxY <= Int((95 * scale).rounded(.up)) })
            let painted = after.painted(with: empty, damage: damage)
            for (index, pixel) in painted.enumerated() {
                let place = PixelRect(
                    x: index % after.pixelSize.width, y: index / after.pixelSize.width, width: 1,
                    height: 1)
                guard damage.contains(where: { !$0.intersection(place).isEmpty }) else { continue }
                pixels[index] = pixel
            }
            #expect(pixels == after.painted(with: empty))
            before = after
        }
    }

    /// Rows that begin at multiples of four keep their distances at all offsets.
    @Test(arguments: [1.25, 1.5, 1.75])
    func scrolledRowsKeepTheirDistances(scale: Double) {
        let empty = Bitmap(PixelSize(width: 1, height: 1)) { _, _ in 0 }
        for step in 0..<40 {
            let scene = list(scrolledBy: Double(step) * 0.37, scale: scale)
            let pixels = scene.painted(with: empty)
            let column = Int(100 * scale)
            let width = scene.pixelSize.width
            var edges: [Int] = []
            for y in Int(30 * scale)..<Int(90 * scale)
            where pixels[y * width + column] & 255 > pixels[(y - 1) * width + column] & 255 {
                if edges.last.map({ y - $0 > 4 }) ?? true { edges.append(y) }
            }
            for (one, next) in zip(edges, edges.dropFirst()) {
                #expect(next - one == Int(24 * scale), "offset \(step)")
            }
        }
    }
}
