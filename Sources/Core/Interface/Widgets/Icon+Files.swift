import Geometry
import SceneModel

/// The icons of commands for files.
extension Icon {
    /// The paths of these icons; empty for all others.
    var filePaths: [VectorPath] {
        switch self {
        case .heart: [VectorPath(Self.heartOutline)]
        case .heartFilled: Self.solid(Self.heartOutline)
        case .star: [VectorPath(Self.starOutline)]
        case .starFilled: Self.solid(Self.starOutline)
        case .send:
            [
                Self.circle(6.5, 12, 2.8), Self.circle(17, 6, 2.8), Self.circle(17, 18, 2.8),
                Self.line(9, 10.6, 14.5, 7.4), Self.line(9, 13.4, 14.5, 16.6),
            ]
        case .edit:
            [
                Self.closed(4, 20, 5, 15.5, 16, 4.5, 19.5, 8, 8.5, 19),
                Self.line(13.2, 7.3, 16.7, 10.8),
            ]
        case .trash: Self.bin + [Self.line(10, 11, 10, 16), Self.line(14, 11, 14, 16)]
        case .deleteForGood:
            Self.bin + [Self.line(9.5, 11, 14.5, 16), Self.line(14.5, 11, 9.5, 16)]
        case .crop:
            [
                Self.line(7, 2.5, 7, 17, 21.5, 17), Self.line(2.5, 7, 17, 7, 17, 21.5),
            ]
        case .flipHorizontally: Self.flip
        case .flipVertically: Self.flip.map(\.transposed)
        case .copy:
            [
                Self.rectangle(9, 8, 19, 21),
                Self.line(6, 16.5, 5, 16.5, 5, 3.5, 15, 3.5, 15, 5),
            ]
        case .paste:
            [
                Self.line(8.5, 5, 5, 5, 5, 21, 19, 21, 19, 5, 15.5, 5),
                Self.rectangle(8.5, 3, 15.5, 7), Self.line(8.5, 12, 15.5, 12),
                Self.line(8.5, 16, 13, 16),
            ]
        case .folderMove:
            [
                Self.folder, Self.line(8, 13.5, 16, 13.5),
                Self.line(13, 10.5, 16, 13.5, 13, 16.5),
            ]
        case .folderCopy:
            [Self.folder, Self.line(12, 10.5, 12, 16.5), Self.line(9, 13.5, 15, 13.5)]
        default: otherFilePaths
        }
    }

    private var otherFilePaths: [VectorPath] {
        switch self {
        case .rename:
            [
                Self.line(11, 7.5, 3, 7.5, 3, 16.5, 11, 16.5),
                Self.line(18, 7.5, 21, 7.5, 21, 16.5, 18, 16.5), Self.line(14.5, 4.5, 14.5, 19.5),
                Self.line(12, 4.5, 17, 4.5), Self.line(12, 19.5, 17, 19.5),
            ]
        case .print:
            [
                Self.line(6.5, 8.5, 6.5, 3.5, 17.5, 3.5, 17.5, 8.5),
                Self.line(6.5, 17, 3.5, 17, 3.5, 8.5, 20.5, 8.5, 20.5, 17, 17.5, 17),
                Self.rectangle(6.5, 13.5, 17.5, 20.5),
            ]
        case .background:
            [
                Self.rectangle(3, 4, 21, 16.5), Self.line(12, 16.5, 12, 20.5),
                Self.line(8, 20.5, 16, 20.5), Self.line(6, 13.5, 10, 9, 13, 12, 15, 10, 18, 13.5),
            ]
        case .openWith:
            [
                Self.line(13, 4.5, 19.5, 4.5, 19.5, 11), Self.line(19.5, 4.5, 11, 13),
                Self.line(16.5, 14, 16.5, 19.5, 4.5, 19.5, 4.5, 7.5, 10, 7.5),
            ]
        case .redo: Icon.undo.paths.map { $0.mirrored(onWidth: Self.side) }
        case .filter: [Self.closed(3.5, 5, 20.5, 5, 14, 12.5, 14, 19.5, 10, 17, 10, 12.5)]
        case .run:
            [
                Self.rectangle(3, 4.5, 21, 19.5), Self.line(6.5, 9, 9.5, 12, 6.5, 15),
                Self.line(12, 15.5, 17, 15.5),
            ]
        case .file:
            [
                Self.closed(5.5, 3, 13.5, 3, 18.5, 8, 18.5, 21, 5.5, 21),
                Self.line(13.5, 3, 13.5, 8, 18.5, 8),
            ]
        case .swapSides:
            [
                Self.line(8.5, 3.5, 3.5, 3.5, 3.5, 20.5, 10.5, 20.5, 10.5, 13.5),
                Self.line(12.5, 3.5, 20.5, 3.5, 20.5, 10.5, 8.5, 10.5, 8.5, 3.5),
            ]
        case .stop: [Self.rectangle(6.5, 6.5, 17.5, 17.5)]
        default: []
        }
    }

    // MARK: Parts

    /// An outline with its inside filled, as large as the icon with the outline alone.
    private static func solid(_ outline: [VectorPath.Segment]) -> [VectorPath] {
        [VectorPath(outline), VectorPath(outline, isFilled: true)]
    }

    private static let folder = closed(3, 5.5, 8.5, 5.5, 10.5, 8, 21, 8, 21, 19, 3, 19)

    private static let bin = [
        line(4, 6.5, 20, 6.5), line(9, 6.5, 9, 3.5, 15, 3.5, 15, 6.5),
        line(6, 6.5, 7, 20.5, 17, 20.5, 18, 6.5),
    ]

    /// A triangle, its mirror image, and the axis between the two.
    private static let flip = [
        closed(9, 6, 9, 18, 2.5, 18),
        VectorPath(closed(15, 6, 15, 18, 21.5, 18).segments, isFilled: true),
        closed(15, 6, 15, 18, 21.5, 18), line(12, 3, 12, 6.5), line(12, 9, 12, 12.5),
        line(12, 15, 12, 18.5), line(12, 20.5, 12, 21.5),
    ]

    /// Two arcs of a radius of 4.3 that meet in a notch above, with tangents to the point below.
    private static let heartOutline: [VectorPath.Segment] = {
        let left = Point(x: 7.9, y: 9.1)
        let right = Point(x: side - left.x, y: left.y)
        // The angles of the tangent and of the notch about the centre on the left.
        let (tangent, notch) = (2.4277, 5.9770)
        return [
            .move(Point(x: 12, y: 20.4)),
            .arc(center: left, radius: 4.3, from: tangent, to: notch),
            .arc(center: right, radius: 4.3, from: 3 * .pi - notch, to: 3 * .pi - tangent), .close,
        ]
    }()

    /// A star with five points about (12, 12.8), with radii of 10 and 4.2.
    private static let starOutline = closed(
        12, 2.8, 14.47, 9.4, 21.51, 9.71, 15.99, 14.1, 17.88, 20.89,
        12, 17, 6.12, 20.89, 8.01, 14.1, 2.49, 9.71, 9.53, 9.4
    ).segments
}

extension VectorPath {
    /// The path of lines with x and y exchanged; arcs are left out.
    fileprivate var transposed: VectorPath {
        VectorPath(
            segments.compactMap { segment in
                switch segment {
                case .move(let point): .move(Point(x: point.y, y: point.x))
                case .line(let point): .line(Point(x: point.y, y: point.x))
                case .close: .close
                case .arc: nil
                }
            }, isFilled: isFilled)
    }
}
