import Containers
import Glibc

/// What a file says about its gain map: a second picture that tells how much brighter than white each place may be.
///
/// Sources: ISO 21496-1 in the form that libultrahdr and libavif write; Adobe, Gain map specification 1.0.
package struct GainMap: Hashable {
    /// How codes of the map become gains, in one channel or in all.
    package struct Channel: Hashable {
        /// The binary logarithms of the gain at the codes 0 and 1.
        package var minimum: Double
        package var maximum: Double
        package var gamma: Double
        /// What is added to the light of the base, and of the brighter picture.
        package var offsets: [Double]
    }

    /// One for all channels, or red, green and blue.
    package let channels: [Channel]
    /// The binary logarithms of the headrooms that the base and the other picture are made for.
    package let baseHeadroom: Double
    package let alternateHeadroom: Double

    /// How a code between 0 and 1 becomes a gain between those of its channel.
    package enum Form: Hashable {
        /// In equal ratios, as ISO 21496-1 and Adobe define.
        case exponential
        /// In equal steps of light, as in Apple's maps, whose codes have the transfer function of ITU-R BT.709.
        case linear
    }

    package let form: Form

    /// The largest binary logarithm of a gain or a headroom that makes sense.
    private static let largest = 8.0
    private static let gammas = 0.1...10.0
    /// The largest offset that makes sense: light is 1 at white.
    private static let largestOffset = 1.0

    /// Nil for values that make no sense: a wrong brightness is worse than none.
    init?(_ channels: [Channel], headrooms: (base: Double, alternate: Double)) {
        func isSound(_ stops: Double) -> Bool { stops.isFinite && abs(stops) <= Self.largest }
        guard channels.count == 1 || channels.count == 3,
            (0...Self.largest).contains(headrooms.base),
            (0...Self.largest).contains(headrooms.alternate), headrooms.base != headrooms.alternate,
            channels.allSatisfy({ channel in
                isSound(channel.minimum) && isSound(channel.maximum)
                    && channel.minimum <= channel.maximum && Self.gammas.contains(channel.gamma)
                    && channel.offsets.allSatisfy { abs($0) <= Self.largestOffset }
            })
        else { return nil }
        self.channels = channels
        form = .exponential
        (baseHeadroom, alternateHeadroom) = headrooms
    }

    /// A map of Apple's, whose brightest code stands for light `headroom` times as bright; nil without headroom.
    init?(apple headroom: Double) {
        guard headroom > 1, log2(headroom) <= Self.largest else { return nil }
        let stops = log2(headroom)
        channels = [Channel(minimum: 0, maximum: stops, gamma: 1, offsets: [0, 0])]
        (baseHeadroom, alternateHeadroom, form) = (0, stops, .linear)
    }

    /// The binary logarithm of the gain of a code from 0 to 1 in a channel from 0 to 2.
    package func gain(_ code: Double, channel: Int) -> Double {
        let channel = channels[channels.count == 1 ? 0 : channel]
        switch form {
        case .exponential:
            let share = pow(code, 1 / channel.gamma)
            return channel.minimum + (channel.maximum - channel.minimum) * share
        case .linear:
            let light = code < 0.081 ? code / 4.5 : pow((code + 0.099) / 1.099, 1 / 0.45)
            return log2(1 + (exp2(channel.maximum) - 1) * light)
        }
    }

    /// How many times as bright as white the picture becomes on a screen that can show all of it.
    package var headroom: Double { exp2(max(baseHeadroom, alternateHeadroom)) }

    /// The binary form of ISO 21496-1: versions, flags, and fractions of four bytes above four bytes.
    ///
    /// Nil for a version that is not known, and for the first picture's mark, which ends after the versions.
    init?(iso bytes: UnsafeRawBufferPointer) {
        var reader = BigEndianReader(bytes)
        guard reader.number(2) == 0, reader.number(2) != nil, let flags = reader.number(1) else {
            return nil
        }
        // An early form has one denominator for all fractions.
        let isCommon = flags & 8 != 0
        let common = isCommon ? reader.number(4) : nil
        func fraction(isSigned: Bool = false) -> Double? {
            guard let above = reader.number(4), let below = common ?? reader.number(4), below > 0
            else { return nil }
            let number = isSigned ? Int(Int32(truncatingIfNeeded: above)) : above
            return Double(number) / Double(below)
        }
        guard let base = fraction(), let alternate = fraction() else { return nil }
        var channels: [Channel] = []
        for _ in 0..<(flags & 0x80 != 0 ? 3 : 1) {
            guard let minimum = fraction(isSigned: true), let maximum = fraction(isSigned: true),
                let gamma = fraction(), let first = fraction(isSigned: true),
                let second = fraction(isSigned: true)
            else { return nil }
            channels.append(
                Channel(
                    minimum: minimum, maximum: maximum, gamma: gamma, offsets: [first, second]))
        }
        self.init(channels, headrooms: (base, alternate))
    }

    /// The properties of Adobe's form in the XMP packet of the map; nil without them.
    init?(_ xmp: XMPReader) {
        func numbers(_ property: XMPReader.Property) -> [Double]? {
            guard let values = xmp.values[property] else { return nil }
            let numbers = values.compactMap { Double($0) }
            return numbers.count == values.count ? numbers : []
        }
        guard let maximum = numbers(.gainMapMaximum),
            let capacity = numbers(.gainMapCapacityMaximum)?.first
        else { return nil }
        let minimum = numbers(.gainMapMinimum) ?? [0]
        let gamma = numbers(.gainMapGamma) ?? [1]
        let offsets: [[Double]] = [
            numbers(.gainMapOffsetSDR) ?? [1.0 / 64], numbers(.gainMapOffsetHDR) ?? [1.0 / 64],
        ]
        let count = ([maximum, minimum, gamma] + offsets).map(\.count).max() ?? 0
        func value(_ values: [Double], _ channel: Int) -> Double {
            guard let last = values.last else { return .nan }
            return channel < values.count ? values[channel] : last
        }
        let channels = (0..<count).map { channel in
            Channel(
                minimum: value(minimum, channel), maximum: value(maximum, channel),
                gamma: value(gamma, channel), offsets: offsets.map { value($0, channel) })
        }
        let low = numbers(.gainMapCapacityMinimum)?.first ?? 0
        let isReversed = xmp.values[.gainMapBaseIsHDR]?.first?.lowercased() == "true"
        self.init(
            channels, headrooms: isReversed ? (capacity, low) : (low, capacity))
    }
}
