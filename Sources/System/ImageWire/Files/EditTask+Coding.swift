import Edits
import Geometry
import ImageTypes

extension EditTask {
    func write(to writer: inout WireWriter) {
        switch self {
        case .plan(let request):
            writer.add(UInt8(1))
            request.write(to: &writer)
        case .write(let request):
            writer.add(UInt8(2))
            request.write(to: &writer)
        case .fingerprint(let request):
            writer.add(UInt8(3))
            request.edit.write(to: &writer)
            writer.add(
                UInt8(
                    (request.ofCoefficients ? 1 : 0) | (request.trimsEdges ? 2 : 0)
                        | (request.turnsPixels ? 4 : 0)))
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.number(UInt8.self) {
        case 1: self = .plan(try EditRequest(from: &reader))
        case 2: self = .write(try EditRequest(from: &reader))
        case 3:
            var request = FingerprintRequest(try PictureEdit(from: &reader))
            let flags = try reader.number(UInt8.self)
            guard flags <= 7 else { throw WireError() }
            request.turnsPixels = flags & 4 != 0
            request.ofCoefficients = flags & 1 != 0
            request.trimsEdges = flags & 2 != 0
            self = .fingerprint(request)
        default: throw WireError()
        }
    }
}

extension EditRequest {
    fileprivate func write(to writer: inout WireWriter) {
        edit.write(to: &writer)
        writer.add(crop.rawValue)
        writer.add(
            UInt8((turnsPixels ? 1 : 0) | (trimsEdges ? 2 : 0) | (mayReencode ? 4 : 0)))
    }

    fileprivate init(from reader: inout WireReader) throws(WireError) {
        self.init(try PictureEdit(from: &reader))
        guard let crop = CropMethod(rawValue: try reader.number()) else { throw WireError() }
        let flags = try reader.number(UInt8.self)
        guard flags <= 7 else { throw WireError() }
        self.crop = crop
        turnsPixels = flags & 1 != 0
        trimsEdges = flags & 2 != 0
        mayReencode = flags & 4 != 0
    }
}

extension PictureEdit {
    fileprivate func write(to writer: inout WireWriter) {
        writer.add(turn.rawValue)
        writer.add(UInt8(crop == nil ? 0 : 1))
        guard let crop else { return }
        let rect = crop.rect
        for number in [crop.angle, rect.x, rect.y, rect.width, rect.height] {
            writer.add(number.bitPattern)
        }
    }

    fileprivate init(from reader: inout WireReader) throws(WireError) {
        guard let turn = Orientation(rawValue: try reader.number()) else { throw WireError() }
        self.init(turn: turn)
        let hasCrop = try reader.number(UInt8.self)
        guard hasCrop <= 1 else { throw WireError() }
        guard hasCrop == 1 else { return }
        var numbers: [Double] = []
        let most = Double(PictureLimits.tiledPixels)
        for _ in 0..<5 {
            let number = Double(bitPattern: try reader.number())
            guard number.isFinite, abs(number) <= most else { throw WireError() }
            numbers.append(number)
        }
        guard abs(numbers[0]) <= 45, numbers[3] >= 1, numbers[4] >= 1 else { throw WireError() }
        crop = Crop(
            angle: numbers[0],
            rect: Rect(x: numbers[1], y: numbers[2], width: numbers[3], height: numbers[4]))
    }
}

extension EditReply {
    func write(to writer: inout WireWriter) {
        switch self {
        case .planned(let description):
            writer.add(UInt8(1))
            description.write(to: &writer)
        case .written(let description):
            writer.add(UInt8(2))
            description.write(to: &writer)
        case .fingerprint(let fingerprint):
            writer.add(UInt8(3))
            fingerprint.write(to: &writer)
        case .refused(let reason):
            writer.add(UInt8(4))
            writer.add(reason, limit: Envelope.textLimit)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.number(UInt8.self) {
        case 1: self = .planned(try EditDescription(from: &reader))
        case 2: self = .written(try EditDescription(from: &reader))
        case 3: self = .fingerprint(try PictureFingerprint(from: &reader))
        case 4: self = .refused(reason: try reader.text(limit: Envelope.textLimit))
        default: throw WireError()
        }
    }
}

extension EditDescription {
    fileprivate func write(to writer: inout WireWriter) {
        switch method {
        case .orientationTag: writer.add(UInt8(0xF1))
        case .jpegCoefficients: writer.add(UInt8(0xF2))
        case .reencoded(let quality): writer.add(UInt8(quality.map { min(max($0, 1), 100) } ?? 0))
        }
        writer.add(format, limit: 32)
        writer.add(fileExtension, limit: 8)
        writer.add(UInt64(max(0, size.width)))
        writer.add(UInt64(max(0, size.height)))
        let part = kept ?? PixelRect(x: 0, y: 0, width: 0, height: 0)
        for number in [part.x, part.y, part.width, part.height] {
            writer.add(UInt64(max(0, number)))
        }
        let losses = losses.prefix(Self.mostLosses)
        writer.add(UInt8(losses.count))
        for loss in losses { writer.add(loss, limit: Self.longestLoss) }
        writer.add(UInt8(omitsPictures ? 1 : 0))
    }

    fileprivate init(from reader: inout WireReader) throws(WireError) {
        let method: EditMethod
        switch try reader.number(UInt8.self) {
        case 0xF1: method = .orientationTag
        case 0xF2: method = .jpegCoefficients
        case 0: method = .reencoded(quality: nil)
        case let quality where quality <= 100: method = .reencoded(quality: Int(quality))
        default: throw WireError()
        }
        let format = try reader.text(limit: 32)
        let name = try reader.text(limit: 8)
        // The extension becomes part of a file's name.
        guard !name.isEmpty,
            name.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
        else { throw WireError() }
        let sides = 1...PictureLimits.tiledPixels
        let (width, height) = (try reader.number(sides), try reader.number(sides))
        let places = 0...PictureLimits.tiledPixels
        let (x, y) = (try reader.number(places), try reader.number(places))
        let (keptWidth, keptHeight) = (try reader.number(places), try reader.number(places))
        var kept: PixelRect?
        if keptWidth > 0, keptHeight > 0 {
            kept = PixelRect(x: x, y: y, width: keptWidth, height: keptHeight)
        }
        let count = Int(try reader.number(UInt8.self))
        guard count <= Self.mostLosses else { throw WireError() }
        var losses: [String] = []
        for _ in 0..<count { losses.append(try reader.text(limit: Self.longestLoss)) }
        let omitted = try reader.number(UInt8.self)
        guard omitted <= 1 else { throw WireError() }
        self.init(
            method, format: format, fileExtension: name,
            size: PixelSize(width: width, height: height), kept: kept, losses: losses,
            omitsPictures: omitted == 1)
    }
}

extension PictureFingerprint {
    fileprivate func write(to writer: inout WireWriter) {
        writer.add(format, limit: 32)
        writer.add(UInt64(max(0, size.width)))
        writer.add(UInt64(max(0, size.height)))
        writer.add(pixels)
        writer.add(colors)
        for hash in metadata { writer.add(hash) }
    }

    fileprivate init(from reader: inout WireReader) throws(WireError) {
        let format = try reader.text(limit: 32)
        let sides = 1...PictureLimits.tiledPixels
        let (width, height) = (try reader.number(sides), try reader.number(sides))
        let pixels = try reader.bytes(limit: Self.hashLength)
        let colors = try reader.bytes(limit: Self.side * Self.side * 3)
        guard pixels.count == Self.hashLength, colors.count == Self.side * Self.side * 3 else {
            throw WireError()
        }
        var metadata: [[UInt8]] = []
        for _ in Self.metadataKinds {
            let hash = try reader.bytes(limit: Self.hashLength)
            guard hash.isEmpty || hash.count == Self.hashLength else { throw WireError() }
            metadata.append(hash)
        }
        self.init(
            format: format, size: PixelSize(width: width, height: height), pixels: pixels,
            colors: colors, metadata: metadata)
    }
}
