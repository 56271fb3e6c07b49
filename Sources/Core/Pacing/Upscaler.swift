package import Geometry

/// Who upscales a frame that was painted at a lower resolution.
package enum Upscaler: Hashable, Sendable {
    /// The compositor, by any factor: the buffer itself has fewer pixels.
    case compositor
    /// The painter: the buffer has all pixels, and square blocks of pixels are equal.
    case painter

    /// Samples per device pixel, along each side, the finest resolution first.
    package var resolutions: [Double] {
        switch self {
        case .compositor: [1, 0.75, 0.5, 0.375]
        // Blocks have whole pixels, so there is nothing in between.
        case .painter: [1, 1 / 2, 1 / 3, 1 / 4]
        }
    }

    /// Buffer pixels per device pixel, along each side, for a frame at `resolution`.
    package func bufferResolution(at resolution: Double) -> Double {
        self == .compositor ? resolution : 1
    }

    /// Buffer pixels per device pixel, along each side, where no picture has more than `detail`
    /// pixels per device pixel, along each side.
    ///
    /// An example is the small preview that cameras put into their files. Upscaling in two steps
    /// looks like one step and is faster: allocating memory for a frame takes ten times as long as
    /// painting it. The buffer keeps at least two pixels per picture pixel. `surface` is in device
    /// pixels.
    package func bufferResolution(for detail: Double, on surface: PixelSize) -> Double {
        let isLarge = surface.width * surface.height > Self.mostAtOnce
        guard self == .compositor, isLarge else { return 1 }
        return Self.ofPreviews.first { detail * 2 <= $0 } ?? 1
    }

    /// The largest surface, in device pixels, whose memory is allocated fast enough.
    private static let mostAtOnce = 2 << 20
    private static let ofPreviews = [0.25, 0.5]

    /// The side, in buffer pixels, of the blocks of equal pixels in a frame at `resolution`.
    package func blockSide(at resolution: Double) -> Int {
        self == .compositor ? 1 : max(1, Int(clamping: (1 / resolution).rounded()))
    }
}
