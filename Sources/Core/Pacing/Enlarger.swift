package import Geometry

/// Who makes a frame that was painted with fewer pixels as large as the screen.
package enum Enlarger: Hashable, Sendable {
    /// Whoever shows the buffer, by any factor: the buffer itself has fewer pixels.
    case compositor
    /// We do: the buffer has all pixels, and square blocks of them are alike.
    case painter

    /// Pixels that are sampled per device pixel, along each side, from the finest on.
    package var resolutions: [Double] {
        switch self {
        case .compositor: [1, 0.75, 0.5, 0.375]
        // Blocks of whole pixels: nothing in between.
        case .painter: [1, 1 / 2, 1 / 3, 1 / 4]
        }
    }

    /// Pixels of the buffer per device pixel, along each side, of a frame of that resolution.
    package func bufferResolution(at resolution: Double) -> Double {
        self == .compositor ? resolution : 1
    }

    /// The same for a surface of that many device pixels where nothing has more than `detail` pixels for
    /// each of those, along each side, as the small picture that cameras put into their files.
    ///
    /// Enlarged in two steps it looks as in one, and comes sooner: making memory for a frame takes ten
    /// times as long as painting it. Two pixels of the buffer are left for each of the picture's.
    package func bufferResolution(for detail: Double, on surface: PixelSize) -> Double {
        let isLarge = surface.width * surface.height > Self.mostAtOnce
        return self == .compositor && isLarge && detail * 2 <= Self.coarsest ? Self.coarsest : 1
    }

    /// Device pixels of a surface whose memory comes quickly enough.
    private static let mostAtOnce = 2 << 20
    private static let coarsest = 0.25

    /// How many pixels of the buffer are alike, along each side, in a frame of that resolution.
    package func blockSide(at resolution: Double) -> Int {
        self == .compositor ? 1 : max(1, Int((1 / resolution).rounded()))
    }
}
