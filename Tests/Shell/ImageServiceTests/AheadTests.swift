import Geometry
import ImageService
import ImageTypes
import SceneModel
import TestKit
import Testing

/// Pictures that are decoded ahead and held at the size of the screen, with real decoders and a screen of
/// 64 × 64 pixels.
@Suite struct AheadTests {
    /// A photograph of planes and one of pixels: at half their size they still fill the screen.
    static let files = [TestPicture.card(200, 150).jpeg(), TestPicture.card(200, 150).png()]

    private static func stage(_ file: [UInt8], pictures: Int = 2) throws -> ProviderStage {
        let stage = try ProviderStage()
        for id in 1...pictures { stage.write(id, file) }
        return stage
    }

    private func show(_ id: Int, side: Double, on stage: ProviderStage) throws {
        let source = try #require(stage.provider.source(of: id))
        let size = try #require(stage.infos[id]).size
        let placement = Placement(
            center: Point(x: 32, y: 32), zoom: side / Double(size.width))
        stage.provider.decodeFiner(
            Scene(
                size: Size(width: 64, height: 64), scale: 1, backdrop: 1,
                items: [.picture(PictureItem(source: source, size: size, placement: placement))]),
            looksCloser: true)
    }

    @Test(arguments: files)
    func neighboursAreHeldAtTheSizeOfTheScreen(_ file: [UInt8]) throws {
        let stage = try Self.stage(file)
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest())
        #expect(stage.width(1) == 200 && stage.width(2) == 100)
    }

    /// The picture keeps its source, so it is neither painted nor refined again.
    @Test(arguments: files)
    func aPictureIsDecodedWholeOnceAPersonHasTurnedToIt(_ file: [UInt8]) throws {
        let stage = try Self.stage(file)
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest())
        let source = stage.provider.source(of: 2)
        stage.provider.want([2, 1], keeping: [1, 2])
        try show(2, side: 64, on: stage)
        #expect(stage.run { stage.width(2) == 200 && stage.width(1) == 100 })
        #expect(stage.provider.source(of: 2) == source)
        #expect(!stage.provider.isBusy && stage.deadline == nil)
    }

    /// The levels of a neighbour are those of the whole picture, bit by bit.
    @Test(arguments: files)
    func theLevelsAreThoseOfTheWholePicture(_ file: [UInt8]) throws {
        let stage = try Self.stage(file)
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest())
        let pictures = try [1, 2].map { id in
            try #require(stage.provider.source(of: id).flatMap { stage.provider.bitmap($0) })
        }
        for level in pictures[1].levels {
            let whole = try #require(pictures[0].levels.first { $0.mipLevel == level.mipLevel })
            #expect(bytes(level, of: pictures[1]) == bytes(whole, of: pictures[0]))
        }
        #expect(pictures[1].memory.bytes.count * 3 < pictures[0].memory.bytes.count)
    }

    private func bytes(_ level: Bitmap.Level, of bitmap: Bitmap) -> [UInt8] {
        var bytes = Array(
            bitmap.memory.bytes[level.offset..<level.offset + level.stride * level.size.height])
        if let chroma = level.chroma {
            let end = chroma.offset + chroma.stride * chroma.size.height
            bytes += bitmap.memory.bytes[chroma.offset..<end]
        }
        return bytes
    }

    /// A neighbour that is drawn larger than the screen is decoded whole before its turn.
    @Test func aNeighbourThatIsShownLargerIsDecodedWhole() throws {
        let stage = try Self.stage(Self.files[0])
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest())
        try show(2, side: 150, on: stage)
        #expect(stage.rest() && stage.width(2) == 200)
    }

    /// With a zoom that is kept from page to page, the next picture is shown enlarged at once.
    @Test func neighboursAreWholeIfTheZoomIsKept() throws {
        let stage = try Self.stage(Self.files[0])
        stage.provider.reducesNeighbours = false
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest() && stage.width(2) == 200)
        stage.provider.want([2, 1], keeping: [1, 2])
        #expect(stage.rest() && stage.width(1) == 200)
    }

    /// Who compares two pictures sees both at their full resolution.
    @Test func aPictureThatWasEnlargedStaysWholeWhileItIsNear() throws {
        let stage = try Self.stage(Self.files[0], pictures: 3)
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest())
        try show(1, side: 150, on: stage)
        stage.provider.want([2, 1], keeping: [1, 2])
        #expect(stage.run { stage.width(2) == 200 && !stage.provider.isBusy })
        #expect(stage.width(1) == 200)
        stage.provider.want([3, 2], keeping: [2, 3])
        stage.provider.want([2, 1], keeping: [1, 2])
        #expect(stage.run { stage.width(1) == 100 })
    }

    /// What is shown needs nothing of a file that is gone, so nobody is told before the person zooms in.
    @Test func aFileThatIsGoneIsReportedWhenMoreOfItIsNeeded() throws {
        let stage = try Self.stage(Self.files[0])
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest())
        stage.write(2, [])
        stage.provider.want([2, 1], keeping: [1, 2])
        try show(2, side: 64, on: stage)
        #expect(stage.run { stage.width(1) == 100 && !stage.provider.isBusy })
        #expect(stage.width(2) == 100 && stage.messages[2] == nil && stage.failures.isEmpty)
        try show(2, side: 150, on: stage)
        #expect(stage.rest() && stage.messages[2] != nil)
    }

    /// A person who turns on while the fine levels are decoded loses nothing: they follow later.
    @Test func aCancelledCompletionFollowsLater() throws {
        let stage = try Self.stage(Self.files[0], pictures: 3)
        stage.provider.want([1, 2], keeping: [1, 2, 3])
        #expect(stage.rest())
        let source = stage.provider.source(of: 2)
        stage.provider.want([2, 1], keeping: [1, 2, 3])
        stage.provider.want([3, 2], keeping: [1, 2, 3])
        #expect(stage.rest() && stage.width(3) == 200)
        #expect(stage.width(2) == 100 && stage.provider.source(of: 2) == source)
        stage.provider.want([2, 3], keeping: [1, 2, 3])
        #expect(stage.run { stage.width(2) == 200 } && stage.provider.source(of: 2) == source)
    }

    @Test func aLargerScreenGetsFinerNeighbours() throws {
        let stage = try Self.stage(Self.files[0])
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest() && stage.width(2) == 100)
        stage.provider.setTarget(PixelSize(width: 100, height: 100))
        #expect(stage.rest() && stage.width(2) == 100)
        stage.provider.setTarget(PixelSize(width: 128, height: 128))
        #expect(stage.rest() && stage.width(2) == 200)
    }

    // MARK: All pixels

    /// Paper needs more than the screen, as does the moment after a page turn, when little is held.
    @Test(arguments: files)
    func allPixelsOfANeighbourAreThereOnRequest(_ file: [UInt8]) throws {
        let stage = try Self.stage(file)
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest() && stage.width(2) == 100)
        var widths: [Int?] = []
        stage.provider.withWhole(2) { widths.append($0?.levels[0].size.width) }
        #expect(widths.isEmpty)
        #expect(stage.run { !widths.isEmpty })
        stage.provider.withWhole(1) { widths.append($0?.levels[0].size.width) }
        stage.provider.withWhole(3) { widths.append($0?.levels[0].size.width) }
        #expect(stage.run { widths.count == 3 } && widths == [200, nil, 200])
    }

    /// Nothing is served while pictures are requested: who requests them holds what an action may change.
    @Test func allPixelsComeFromTheEventLoop() throws {
        let stage = try Self.stage(Self.files[0])
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest() && stage.width(2) == 100)
        var count = 0
        stage.provider.withWhole(2) { _ in count += 1 }
        stage.provider.withWhole(2) { _ in count += 1 }
        stage.provider.want([], keeping: [])
        #expect(count == 0)
        #expect(stage.run { count > 0 } && stage.deadline == nil)
        #expect(count == 1)
    }

    /// A page turn interrupts the decoding of the finer levels, which is begun again.
    @Test func allPixelsComeAfterAnInterruption() throws {
        let stage = try Self.stage(Self.files[0], pictures: 3)
        stage.provider.want([1, 2], keeping: [1, 2, 3])
        #expect(stage.rest() && stage.width(2) == 100)
        stage.provider.want([2, 1], keeping: [1, 2, 3])
        var widths: [Int?] = []
        stage.provider.withWhole(2) { widths.append($0?.levels[0].size.width) }
        stage.provider.want([3, 2], keeping: [1, 2, 3])
        #expect(stage.run { !widths.isEmpty } && widths == [200])
    }

    /// In a slideshow, every picture is decoded for the screen alone.
    @Test func allPixelsOfASlideAreThereOnRequest() throws {
        let stage = try Self.stage(Self.files[0])
        stage.provider.reducedSide = 64
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest() && stage.width(1) ?? 200 < 200)
        var widths: [Int?] = []
        stage.provider.withWhole(1) { widths.append($0?.levels[0].size.width) }
        #expect(stage.run { !widths.isEmpty } && widths == [200])
    }

    /// In the grid no picture is wanted.
    @Test func aPictureThatIsNotWantedHasAllPixelsOrNone() throws {
        let stage = try Self.stage(Self.files[0])
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest() && stage.width(2) == 100)
        stage.provider.want([], keeping: [1, 2])
        var widths: [Int?] = []
        for id in [1, 2] {
            stage.provider.withWhole(id) { widths.append($0?.levels[0].size.width) }
        }
        #expect(stage.run { widths.count == 2 } && Set(widths) == [200, nil])
        #expect(!stage.provider.isBusy)
    }

    /// Pixels that are held are better than none.
    @Test func withoutTheFileOrThePictureAllPixelsAreThoseThatAreHeld() throws {
        let stage = try Self.stage(Self.files[0])
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest() && stage.width(2) == 100)
        var widths: [Int?] = []
        stage.provider.withWhole(2) { widths.append($0?.levels[0].size.width) }
        stage.provider.want([1], keeping: [1])
        #expect(stage.run { !widths.isEmpty } && widths == [100])
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest() && stage.width(2) == 100)
        stage.write(2, [])
        stage.provider.withWhole(2) { widths.append($0?.levels[0].size.width) }
        #expect(stage.run { widths.count == 2 } && widths == [100, 100])
    }

    @Test func aMessageComesOnce() throws {
        let stage = try Self.stage(Array(Self.files[0].dropLast(3000)))
        stage.provider.want([1, 2], keeping: [1, 2])
        #expect(stage.rest() && stage.width(2) == 100 && stage.messages[2] != nil)
        stage.provider.want([2, 1], keeping: [1, 2])
        #expect(stage.run { stage.width(2) == 200 && !stage.provider.isBusy })
        #expect(stage.messages[2] == nil)
    }
}
