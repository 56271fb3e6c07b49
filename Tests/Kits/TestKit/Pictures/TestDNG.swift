package import Geometry

/// Writes small DNGs with a preview in the first directory and the sensor samples in another one.
package enum TestDNG {
    /// Encodes `picture` as 16-bit RGGB sensor samples in linear light.
    ///
    /// For neutral light the sensor's red is 1/2 and its blue 3/4 of its green. The camera's
    /// primaries are those of sRGB with a D65 white.
    package static func encode(
        _ picture: TestPicture, preview: [UInt8]? = nil, previewSize: PixelSize? = nil,
        orientation: Orientation = .upright
    ) -> [UInt8] {
        var samples: [UInt8] = []
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                let color = picture.color(x, y)
                let value =
                    switch (x % 2, y % 2) {
                    case (0, 0): color.r * 32
                    case (1, 1): color.b * 48
                    default: color.g * 64
                    }
                samples += [UInt8(value & 255), UInt8(value >> 8)]
            }
        }
        var sensor = TestTIFF.Page(
            width: picture.size.width, height: picture.size.height, bits: 16, samples: 1,
            photometric: 32803, pixels: samples)
        sensor.fields = [
            .init(254, longs: [0]), .init(33421, shorts: [2, 2]),
            .init(33422, bytes: [0, 1, 1, 2]), .init(50714, shorts: [0]),
            .init(50717, longs: [16320]),
        ]
        let own: [TestTIFF.Field] = [
            .init(271, bytes: Array("Vitrine\0".utf8), type: 2),
            .init(272, bytes: Array("Test\0".utf8), type: 2),
            .init(274, shorts: [Int(orientation.rawValue)]),
            .init(50706, bytes: [1, 4, 0, 0]), .init(50707, bytes: [1, 1, 0, 0]),
            .init(50708, bytes: Array("Vitrine Test\0".utf8), type: 2),
            // The matrix from XYZ to the camera: that of sRGB except for the white balance.
            .init(
                50721,
                fractions: [
                    1.6202, -0.7686, -0.2493, -0.9693, 1.8760, 0.0416, 0.0417, -0.1530, 0.7929,
                ], isSigned: true),
            .init(50728, fractions: [0.5, 1, 0.75]), .init(50778, shorts: [21]),
        ]
        guard let preview, let previewSize else {
            sensor.fields += own
            return TestTIFF.encode([sensor])
        }
        var first = TestTIFF.Page(
            width: previewSize.width, height: previewSize.height, bits: 8, samples: 3,
            photometric: 6, pixels: preview)
        first.fields = [.init(254, longs: [1]), .init(259, shorts: [7])] + own
        return TestTIFF.encode([first], subPages: [sensor])
    }
}
