import Geometry

/// The size of the very first window, for which no size is remembered: the size of the picture.
enum FirstWindow {
    /// The largest part of the screen along each side.
    private static let largestPart = 0.8
    /// Smaller windows have no room for what belongs to the picture, in logical pixels.
    private static let smallest = Size(width: 360, height: 240)

    /// The logical size for a picture on a screen with this logical size.
    ///
    /// The window has the proportions of the picture unless one side would be too short.
    static func size(of picture: PixelSize, scale: Double, on screen: Size) -> Size {
        guard !picture.isEmpty, scale > 0 else { return smallest }
        let natural = picture.size * (1 / scale)
        let room = Size(
            width: max(screen.width * largestPart, smallest.width),
            height: max(screen.height * largestPart, smallest.height))
        let fit = min(1, room.width / natural.width, room.height / natural.height)
        // A small picture keeps its proportions in a window that is large enough, if that fits.
        let enough = max(smallest.width / natural.width, smallest.height / natural.height)
        let most = min(room.width / natural.width, room.height / natural.height)
        let factor = max(fit, min(enough, most))
        return Size(
            width: max((natural.width * factor).rounded(), smallest.width),
            height: max((natural.height * factor).rounded(), smallest.height))
    }
}
