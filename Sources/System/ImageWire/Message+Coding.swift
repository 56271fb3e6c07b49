import Geometry
import ImageTypes

/// The common start of all messages: a magic number, a kind and the request's number.
///
/// The fields of the kind follow.
enum Envelope {
    /// The letters VtD1.
    static let magic: UInt32 = 0x3144_7456
    static let textLimit = 1024
    /// Upper bound of a picture's side in pixels that a file header can claim.
    static let sideLimit = 1 << 31

    /// Upper bound of `PictureInfo.detail`.
    static let mostDetail = 8

    /// Most bytes per pixel of intermediate samples: four floats.
    static let mostScratch = 16

    /// Upper bound of the number of format names in a message.
    static let mostFormats = 64
    /// The longest duration of a frame, in milliseconds: one day.
    static let longestFrame = 86_400_000.0
    /// Upper bound of the frames of an animation, and of its loops.
    static let mostFrames = Int(Int32.max)

    /// One second before the year 1, in seconds since 1970: encodes a missing date.
    static let noDate = -62_135_596_801
    /// Seconds from `noDate` to the end of the year 9999.
    static let dateLimit = 315_537_897_600
    /// Encodes a missing offset from UTC; all others are more, in minutes.
    private static let noOffset = -CaptureTime.mostOffset / 60 - 1

    /// 0 encodes what is missing.
    static func write(_ time: CaptureTime?, to writer: inout WireWriter) {
        writer.add(UInt64(max(0, (time?.wallClock ?? noDate) - noDate)))
        writer.add(UInt16(clamping: (time?.utcOffset.map { $0 / 60 } ?? noOffset) - noOffset))
    }

    static func captureTime(from reader: inout WireReader) throws(WireError) -> CaptureTime? {
        let date = try reader.number(0...dateLimit)
        let offset = Int(try reader.number(UInt16.self))
        guard offset < -2 * noOffset else { throw WireError() }
        if date == 0 { return nil }
        return CaptureTime(
            wallClock: date + noDate, utcOffset: offset == 0 ? nil : (offset + noOffset) * 60)
    }

    static func open(_ kind: UInt32, id: Int) -> WireWriter {
        var writer = WireWriter()
        writer.add(magic)
        writer.add(kind)
        writer.add(UInt64(id))
        return writer
    }

    static func read(_ bytes: [UInt8]) throws(WireError) -> (UInt32, Int, WireReader) {
        var reader = WireReader(bytes)
        guard try reader.number(UInt32.self) == magic else { throw WireError() }
        let kind = try reader.number(UInt32.self)
        let id = try reader.number(0...Int.max)
        return (kind, id, reader)
    }
}

/// The longest message in bytes.
package let longestMessage = 4096

extension DecodeRequest {
    package var bytes: [UInt8] {
        switch self {
        case .open(let id): return Envelope.open(1, id: id).bytes
        case .decode(let id, let target, let acceptsPlanes, let forTargetOnly, let wantsGain):
            var writer = Envelope.open(2, id: id)
            writer.add(UInt64(max(0, target.width)))
            writer.add(UInt64(max(0, target.height)))
            writer.add(
                UInt8((acceptsPlanes ? 1 : 0) | (forTargetOnly ? 2 : 0) | (wantsGain ? 4 : 0)))
            return writer.bytes
        case .thumbnail(let id, let request):
            var writer = Envelope.open(3, id: id)
            writer.add(UInt64(max(0, request.side)))
            writer.add(
                UInt8((request.wantsSRGBCopy ? 1 : 0) | (request.wantsRegions ? 2 : 0)))
            return writer.bytes
        case .describe(let id): return Envelope.open(4, id: id).bytes
        case .play(let id): return Envelope.open(6, id: id).bytes
        case .frame(let id): return Envelope.open(7, id: id).bytes
        case .tile(let id, let part):
            var writer = Envelope.open(11, id: id)
            part.write(to: &writer)
            return writer.bytes
        case .limit(let id, let limits):
            var writer = Envelope.open(12, id: id)
            writer.add(UInt64(max(0, limits.pixels)))
            writer.add(UInt64(max(0, limits.wholePixels)))
            return writer.bytes
        case .sandboxReport(let id): return Envelope.open(9, id: id).bytes
        case .abilities(let id): return Envelope.open(8, id: id).bytes
        case .metadata(let id): return Envelope.open(10, id: id).bytes
        case .backingFile(let id): return Envelope.open(13, id: id).bytes
        case .screen(let id): return Envelope.open(14, id: id).bytes
        case .edit(let id, let task):
            var writer = Envelope.open(15, id: id)
            task.write(to: &writer)
            return writer.bytes
        case .expect(let id, let format):
            var writer = Envelope.open(16, id: id)
            writer.add(format.name, limit: 32)
            return writer.bytes
        }
    }

    package init(_ bytes: [UInt8]) throws(WireError) {
        var (kind, id, reader) = try Envelope.read(bytes)
        switch kind {
        case 13: self = .backingFile(id: id)
        case 14: self = .screen(id: id)
        case 15: self = .edit(id: id, try EditTask(from: &reader))
        case 16:
            let name = try reader.text(limit: 32)
            guard let format = PictureFormat.all.first(where: { $0.name == name }) else {
                throw WireError()
            }
            self = .expect(id: id, format)
        case 1: self = .open(id: id)
        case 2:
            let sides = 0...Envelope.sideLimit
            let width = try reader.number(sides)
            let height = try reader.number(sides)
            let flags = try reader.number(UInt8.self)
            guard flags <= 7 else { throw WireError() }
            self = .decode(
                id: id, target: PixelSize(width: width, height: height),
                acceptsPlanes: flags & 1 != 0, forTargetOnly: flags & 2 != 0,
                wantsGain: flags & 4 != 0)
        case 3:
            let side = try reader.number(1...PictureLimits.side)
            let flags = try reader.number(UInt8.self)
            guard flags <= 3 else { throw WireError() }
            self = .thumbnail(
                id: id,
                ThumbnailRequest(
                    side: side, wantsSRGBCopy: flags & 1 != 0, wantsRegions: flags & 2 != 0))
        case 4: self = .describe(id: id)
        case 6: self = .play(id: id)
        case 7: self = .frame(id: id)
        case 9: self = .sandboxReport(id: id)
        case 12:
            var limits = DecodeLimits()
            limits.pixels = try reader.number(0...PictureLimits.pixels)
            limits.wholePixels = try reader.number(0...PictureLimits.pixels)
            self = .limit(id: id, limits)
        case 11: self = .tile(id: id, try PictureTile(from: &reader))
        case 8: self = .abilities(id: id)
        case 10: self = .metadata(id: id)
        default: throw WireError()
        }
        try reader.finish()
    }
}

extension DecodeReply {
    package var bytes: [UInt8] {
        switch self {
        case .info(let id, let info):
            var writer = Envelope.open(11, id: id)
            writer.add(UInt64(info.size.width))
            writer.add(UInt64(info.size.height))
            writer.add(info.orientation.rawValue)
            writer.add(info.format, limit: 32)
            writer.add(info.capture.camera, limit: Capture.longestCamera)
            Envelope.write(info.capture.time, to: &writer)
            let isDiskBacked = info.backingFileBytes > 0
            writer.add(
                UInt8((info.isAnimated ? 1 : 0) | (info.isTiled ? 2 : 0) | (isDiskBacked ? 4 : 0)))
            writer.add(UInt8(info.detail))
            writer.add(UInt8(isDiskBacked ? info.scratch : 0))
            writer.add(stars: info.rating)
            RegionCoding.write(info.regions, to: &writer)
            return writer.bytes
        case .pixels(let id, let isFinal):
            var writer = Envelope.open(12, id: id)
            writer.add(UInt8(isFinal ? 1 : 0))
            return writer.bytes
        case .gain(let id, let range):
            var writer = Envelope.open(23, id: id)
            range.write(to: &writer)
            return writer.bytes
        case .progress(let id): return Envelope.open(13, id: id).bytes
        case .finished(let id, let message):
            var writer = Envelope.open(14, id: id)
            writer.add(message ?? "", limit: Envelope.textLimit)
            return writer.bytes
        case .failed(let id, let failure):
            var writer = Envelope.open(15, id: id)
            failure.write(to: &writer)
            return writer.bytes
        case .frame(let id, let frame):
            var writer = Envelope.open(17, id: id)
            writer.add(UInt64(min(max(0, frame.number), Envelope.mostFrames)))
            writer.add(UInt64(max(0, min(frame.duration, Envelope.longestFrame)) * 1000))
            // A file may claim more loops than the message can hold; no viewer sees the difference.
            writer.add(UInt64(min(max(0, frame.loops), Envelope.mostFrames)))
            return writer.bytes
        case .tile(let id, let part):
            var writer = Envelope.open(21, id: id)
            part.write(to: &writer)
            return writer.bytes
        case .abilities(let id, let abilities):
            var writer = Envelope.open(18, id: id)
            writer.add(UInt64(abilities.readsCoefficients ? 1 : 0))
            writer.add(UInt64(abilities.formats.count))
            for name in abilities.formats { writer.add(name, limit: 32) }
            return writer.bytes
        case .sandboxReport(let id, let report):
            var writer = Envelope.open(19, id: id)
            report.write(to: &writer)
            return writer.bytes
        case .metadata(let id, let metadata):
            var writer = Envelope.open(20, id: id)
            metadata.write(to: &writer)
            return writer.bytes
        case .edited(let id, let reply):
            var writer = Envelope.open(22, id: id)
            reply.write(to: &writer)
            return writer.bytes
        }
    }

    package init(_ bytes: [UInt8]) throws(WireError) {
        var (kind, id, reader) = try Envelope.read(bytes)
        switch kind {
        case 11:
            let sides = 1...PictureLimits.tiledPixels
            let width = try reader.number(sides)
            let height = try reader.number(sides)
            guard width <= PictureLimits.tiledPixels / height else { throw WireError() }
            guard let orientation = Orientation(rawValue: try reader.number(UInt8.self)) else {
                throw WireError()
            }
            let format = try reader.text(limit: 32)
            let camera = try reader.text(limit: Capture.longestCamera)
            let capture = Capture(
                time: try Envelope.captureTime(from: &reader), camera: camera)
            let kind = try reader.number(UInt8.self)
            var info = PictureInfo(
                size: PixelSize(width: width, height: height), orientation: orientation,
                format: format, capture: capture,
                isAnimated: kind & 1 != 0)
            info.isTiled = kind & 2 != 0
            info.detail = Int(try reader.number(UInt8.self))
            guard info.detail <= Envelope.mostDetail else { throw WireError() }
            guard info.isTiled || width <= PictureLimits.pixels / height else { throw WireError() }
            info.scratch = Int(try reader.number(UInt8.self))
            guard info.scratch <= (kind & 4 == 0 ? 0 : Envelope.mostScratch) else {
                throw WireError()
            }
            if kind & 4 != 0 {
                // The viewer computes the file's size; the decoder only says how many bytes per pixel
                // its intermediate samples take.
                guard info.isTiled,
                    let bytes = PixelLayout.backingFileBytes(for: info.size, scratch: info.scratch)
                else { throw WireError() }
                info.backingFileBytes = bytes
            }
            info.rating = try reader.stars()
            info.regions = try RegionCoding.read(from: &reader)
            self = .info(id: id, info)
        case 12: self = .pixels(id: id, isFinal: try reader.number(UInt8.self) != 0)
        case 23: self = .gain(id: id, try GainRange(from: &reader))
        case 13: self = .progress(id: id)
        case 14:
            let message = try reader.text(limit: Envelope.textLimit)
            self = .finished(id: id, message: message.isEmpty ? nil : message)
        case 15: self = .failed(id: id, try DecodeFailure(from: &reader))
        case 17:
            let number = try reader.number(0...Envelope.mostFrames)
            let duration = try reader.number(0...Int(Envelope.longestFrame) * 1000)
            let loops = try reader.number(0...Envelope.mostFrames)
            self = .frame(
                id: id,
                FrameInfo(number: number, duration: Double(duration) / 1000, loops: loops))
        case 18:
            var abilities = DecoderAbilities(
                formats: [], readsCoefficients: try reader.number(0...1) == 1)
            for _ in 0..<(try reader.number(0...Envelope.mostFormats)) {
                abilities.formats.append(try reader.text(limit: 32))
            }
            self = .abilities(id: id, abilities)
        case 21: self = .tile(id: id, try PictureTile(from: &reader))
        case 19: self = .sandboxReport(id: id, try SandboxReport(from: &reader))
        case 22: self = .edited(id: id, try EditReply(from: &reader))
        case 20: self = .metadata(id: id, try PictureMetadata(from: &reader))
        default: throw WireError()
        }
        try reader.finish()
    }
}

extension GainRange {
    fileprivate func write(to writer: inout WireWriter) {
        for number in [minimum, maximum, start, full] { writer.add(number.bitPattern) }
    }

    fileprivate init(from reader: inout WireReader) throws(WireError) {
        func number() throws(WireError) -> Double {
            Double(bitPattern: try reader.number(UInt64.self))
        }
        let (minimum, maximum) = (try number(), try number())
        guard
            let range = GainRange(
                minimum: minimum, maximum: maximum, start: try number(), full: try number())
        else { throw WireError() }
        self = range
    }
}

extension PictureTile {
    fileprivate func write(to writer: inout WireWriter) {
        for number in [mipLevel, rect.x, rect.y, rect.width, rect.height] {
            writer.add(UInt64(max(0, number)))
        }
    }

    fileprivate init(from reader: inout WireReader) throws(WireError) {
        let mipLevel = try reader.number(0...PixelHeader.mostLevels)
        let places = 0...Envelope.sideLimit
        let (x, y) = (try reader.number(places), try reader.number(places))
        let sides = 1...PictureLimits.side
        let (width, height) = (try reader.number(sides), try reader.number(sides))
        self.init(
            mipLevel: mipLevel, rect: PixelRect(x: x, y: y, width: width, height: height))
    }
}

extension DecodeFailure {
    fileprivate func write(to writer: inout WireWriter) {
        var (kind, text, numbers, most) = (UInt8(0), "", (0, 0), 0)
        switch self {
        case .notAPicture(let description): (kind, text) = (1, description)
        case .empty: kind = 2
        case .cutShort: kind = 3
        case .damaged(let reason): (kind, text) = (4, reason)
        case .tooLarge(let width, let height, let limit):
            (kind, numbers, most) = (5, (width, height), limit)
        case .notAFile(let description): (kind, text) = (6, description)
        case .unreadable(let reason): (kind, text) = (7, reason)
        // Only the viewer reports these failures, never the decoder.
        case .crashed, .killed, .timeLimitReached, .invalidReply, .cpuLimitReached, .stalled:
            kind = 0
        case .hung: kind = 9
        case .noLibrary(let name): (kind, text) = (8, name)
        }
        writer.add(kind)
        writer.add(text, limit: Envelope.textLimit)
        // A file header may claim larger sides than a message can hold.
        writer.add(UInt64(min(max(0, numbers.0), Envelope.sideLimit)))
        writer.add(UInt64(min(max(0, numbers.1), Envelope.sideLimit)))
        writer.add(UInt64(max(0, most)))
    }

    fileprivate init(from reader: inout WireReader) throws(WireError) {
        let kind = try reader.number(UInt8.self)
        let text = try reader.text(limit: Envelope.textLimit)
        let width = try reader.number(0...Envelope.sideLimit)
        let height = try reader.number(0...Envelope.sideLimit)
        let most = try reader.number(0...PictureLimits.tiledPixels)
        switch kind {
        case 1: self = .notAPicture(kind: text)
        case 2: self = .empty
        case 3: self = .cutShort
        case 4: self = .damaged(reason: text)
        case 5: self = .tooLarge(width: width, height: height, most: most)
        case 6: self = .notAFile(kind: text)
        case 7: self = .unreadable(reason: text)
        case 8: self = .noLibrary(format: text)
        case 9: self = .hung
        default: throw WireError()
        }
    }
}
