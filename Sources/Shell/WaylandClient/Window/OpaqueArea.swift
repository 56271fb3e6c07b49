import Geometry

/// The part of a window that hides what is behind it, in logical pixels.
struct OpaqueArea: Equatable {
    /// Disjoint rectangles.
    let rects: [PixelRect]

    static let none = OpaqueArea(rects: [])

    private init(rects: [PixelRect]) { self.rects = rects }

    /// The whole window without the squares of its rounded corners.
    init(_ state: WindowState) {
        let size = PixelSize(
            width: Int(clamping: state.size.width.rounded(.up)),
            height: Int(clamping: state.size.height.rounded(.up)))
        let radius = Int(clamping: state.cornerRadius.rounded(.up))
        guard radius > 0 else {
            rects = [PixelRect(size)]
            return
        }
        let inner = size.width - 2 * radius
        rects = [
            PixelRect(x: radius, y: 0, width: inner, height: radius),
            PixelRect(x: 0, y: radius, width: size.width, height: size.height - 2 * radius),
            PixelRect(x: radius, y: size.height - radius, width: inner, height: radius),
        ].filter { !$0.isEmpty }
    }
}
