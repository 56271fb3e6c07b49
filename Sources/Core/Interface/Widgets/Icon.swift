import Geometry
package import SceneModel

/// The symbolic icons, drawn in one stroke on one grid.
package enum Icon: String, Hashable, Sendable, CaseIterable {
    case back, forward, next, previous, information, menu, close, minimize, maximize, restore
    case rotateClockwise, rotateAnticlockwise, fullscreen, leaveFullscreen, zoomIn, zoomOut, fit
    case oneToOne, play, pause, slideshow, grid, select, help, sort, open, undo, check, warning,
        picture
    case columns, keepZoom, light, largerCells, smallerCells, submenu, expand, collapse, settings
    case heart, heartFilled, star, starFilled, send, edit, trash, deleteForGood, crop
    case flipHorizontally, flipVertically, copy, paste, folderMove, folderCopy, rename, print
    case background, openWith, redo, filter, run, file, stop, swapSides, tornPicture
    case fill, first, last, checkerboard, search, up, window

    /// The side of the grid and the width of the stroke, in units of the paths.
    package static let side = 24.0
    package static let stroke = 1.8

    /// Whether the icon points along the reading direction, so that right-to-left languages mirror it.
    ///
    /// `next` and `previous` point to pages, which change sides in these languages.
    package var isDirectional: Bool {
        switch self {
        case .back, .forward, .next, .previous, .first, .last, .undo, .redo, .submenu: true
        default: false
        }
    }

    /// The paths, as they are for left-to-right languages.
    package var paths: [VectorPath] {
        switch self {
        case .back: [Self.line(19, 12, 5, 12), Self.line(11, 6, 5, 12, 11, 18)]
        case .forward: [Self.line(5, 12, 19, 12), Self.line(13, 6, 19, 12, 13, 18)]
        case .next: [Self.line(9, 5, 16, 12, 9, 19)]
        case .previous: [Self.line(15, 5, 8, 12, 15, 19)]
        case .information:
            [Self.circle(12, 12, 9), Self.line(12, 11, 12, 16.5), Self.dot(12, 7.6)]
        case .menu: [Self.dot(12, 5), Self.dot(12, 12), Self.dot(12, 19)]
        case .close: [Self.line(6, 6, 18, 18), Self.line(18, 6, 6, 18)]
        case .minimize: [Self.line(6, 17, 18, 17)]
        case .maximize: [Self.rectangle(6, 6, 18, 18)]
        case .restore: [Self.rectangle(5, 9, 15, 19), Self.line(9, 9, 9, 5, 19, 5, 19, 15, 15, 15)]
        case .rotateClockwise: Self.rotation
        case .rotateAnticlockwise: Self.rotation.map { $0.mirrored(onWidth: Self.side) }
        case .fullscreen:
            [
                Self.line(14, 4.5, 19.5, 4.5, 19.5, 10), Self.line(19.5, 4.5, 13.5, 10.5),
                Self.line(10, 19.5, 4.5, 19.5, 4.5, 14), Self.line(4.5, 19.5, 10.5, 13.5),
            ]
        case .leaveFullscreen:
            [
                Self.line(13.5, 5, 13.5, 10.5, 19, 10.5), Self.line(13.5, 10.5, 19.5, 4.5),
                Self.line(10.5, 19, 10.5, 13.5, 5, 13.5), Self.line(10.5, 13.5, 4.5, 19.5),
            ]
        case .zoomIn: [Self.line(5, 12, 19, 12), Self.line(12, 5, 12, 19)]
        case .zoomOut: [Self.line(5, 12, 19, 12)]
        case .fit:
            Self.corners(outer: 4, inner: 8) + [Self.rectangle(8.5, 9.5, 15.5, 14.5)]
        case .oneToOne:
            [
                Self.line(2.5, 9, 5.5, 6.5, 5.5, 18), Self.line(16.5, 9, 19.5, 6.5, 19.5, 18),
                Self.dot(11.2, 10), Self.dot(11.2, 16),
            ]
        case .play: [Self.closed(8, 5, 19, 12, 8, 19)]
        case .slideshow:
            [Self.rectangle(3.5, 4.5, 20.5, 17), Self.closed(10, 8, 15, 10.75, 10, 13.5)]
                + [Self.line(8, 20, 16, 20)]
        case .pause: [Self.line(8.5, 6, 8.5, 18), Self.line(15.5, 6, 15.5, 18)]
        case .grid:
            [
                Self.rectangle(5, 5, 10, 10), Self.rectangle(14, 5, 19, 10),
                Self.rectangle(5, 14, 10, 19), Self.rectangle(14, 14, 19, 19),
            ]
        case .select: [Self.circle(12, 12, 9), Self.line(8, 12.5, 11, 15.5, 16.5, 9)]
        case .help:
            [
                Self.circle(12, 12, 9),
                VectorPath([
                    .arc(
                        center: Point(x: 12, y: 9.8), radius: 2.8, from: -.pi, to: .pi / 2.6),
                    .line(Point(x: 12, y: 13.8)),
                ]), Self.dot(12, 17),
            ]
        case .sort:
            [Self.line(5, 7, 19, 7), Self.line(5, 12, 15, 12), Self.line(5, 17, 11, 17)]
        case .open:
            [Self.closed(3.5, 6, 9, 6, 11, 8.5, 20.5, 8.5, 20.5, 18.5, 3.5, 18.5)]
        case .undo:
            [
                Self.line(9, 5, 5, 9, 9, 13),
                VectorPath([
                    .move(Point(x: 5, y: 9)), .line(Point(x: 14.5, y: 9)),
                    .arc(
                        center: Point(x: 14.5, y: 13.75), radius: 4.75, from: -.pi / 2,
                        to: .pi / 2), .line(Point(x: 10, y: 18.5)),
                ]),
            ]
        case .check: [Self.line(5, 12.5, 10, 17.5, 19, 7)]
        case .warning:
            [
                Self.closed(12, 4, 21, 19.5, 3, 19.5), Self.line(12, 10, 12, 14),
                Self.dot(12, 16.8),
            ]
        case .picture:
            [
                Self.rectangle(3.5, 5, 20.5, 19), Self.circle(8.5, 10, 1.6),
                Self.line(4.5, 18, 10.5, 12.5, 13.5, 15.5, 16.5, 12.5, 20, 16),
            ]
        case .fill:
            [
                Self.rectangle(4, 4, 20, 20), Self.line(8, 16, 16, 8),
                Self.line(12, 8, 16, 8, 16, 12), Self.line(8, 12, 8, 16, 12, 16),
            ]
        case .first: [Self.line(6.5, 5, 6.5, 19), Self.line(17.5, 5, 10.5, 12, 17.5, 19)]
        case .last: [Self.line(17.5, 5, 17.5, 19), Self.line(6.5, 5, 13.5, 12, 6.5, 19)]
        case .checkerboard:
            [
                Self.rectangle(4, 4, 20, 20), Self.line(12, 4, 12, 20), Self.line(4, 12, 20, 12),
                Self.line(6.5, 9.5, 9.5, 6.5), Self.line(14.5, 17.5, 17.5, 14.5),
            ]
        case .tornPicture:
            [
                Self.line(11, 5, 3.5, 5, 3.5, 19, 9, 19, 11.5, 15.5, 8.5, 12, 12, 8.5, 11, 5),
                Self.line(
                    14.5, 5, 20.5, 5, 20.5, 19, 12.5, 19, 15, 15.5, 12, 12, 15.5, 8.5, 14.5, 5),
            ]
        case .columns:
            [
                Self.rectangle(4, 5, 20, 19), Self.line(9.3, 5, 9.3, 19),
                Self.line(14.7, 5, 14.7, 19),
            ]
        case .window:
            [Self.rectangle(3.5, 5, 20.5, 19), Self.line(3.5, 9.5, 20.5, 9.5)]
        case .up: [Self.line(12, 19, 12, 5), Self.line(6, 11, 12, 5, 18, 11)]
        case .search: [Self.circle(10.5, 10.5, 6), Self.line(15, 15, 20, 20)]
        case .largerCells, .smallerCells:
            [
                Self.circle(10.5, 10.5, 6), Self.line(15, 15, 20, 20),
                Self.line(8, 10.5, 13, 10.5),
            ] + (self == .largerCells ? [Self.line(10.5, 8, 10.5, 13)] : [])
        case .light:
            [
                Self.circle(12, 12, 4), Self.line(12, 2.5, 12, 5), Self.line(12, 19, 12, 21.5),
                Self.line(2.5, 12, 5, 12), Self.line(19, 12, 21.5, 12),
                Self.line(5.3, 5.3, 7, 7), Self.line(17, 17, 18.7, 18.7),
                Self.line(5.3, 18.7, 7, 17), Self.line(17, 7, 18.7, 5.3),
            ]
        case .keepZoom: [Self.rectangle(3.5, 6, 10.5, 18), Self.rectangle(13.5, 6, 20.5, 18)]
        case .submenu: [Self.line(9.5, 6.5, 15, 12, 9.5, 17.5)]
        case .expand: [Self.line(6.5, 9.5, 12, 15, 17.5, 9.5)]
        case .collapse: [Self.line(6.5, 14.5, 12, 9, 17.5, 14.5)]
        case .settings:
            [
                Self.line(4, 7, 12.5, 7), Self.circle(15, 7, 2.5), Self.line(17.5, 7, 20, 7),
                Self.line(4, 17, 6.5, 17), Self.circle(9, 17, 2.5), Self.line(11.5, 17, 20, 17),
            ]
        default: filePaths
        }
    }

    // MARK: Parts

    /// A line through points, given as x and y in turn.
    static func line(_ coordinates: Double...) -> VectorPath {
        VectorPath(segments(coordinates))
    }

    static func closed(_ coordinates: Double...) -> VectorPath {
        VectorPath(segments(coordinates) + [.close])
    }

    private static func segments(_ coordinates: [Double]) -> [VectorPath.Segment] {
        stride(from: 0, to: coordinates.count - 1, by: 2).map { number in
            let point = Point(x: coordinates[number], y: coordinates[number + 1])
            return number == 0 ? .move(point) : .line(point)
        }
    }

    static func rectangle(
        _ left: Double, _ top: Double, _ right: Double, _ bottom: Double
    ) -> VectorPath { closed(left, top, right, top, right, bottom, left, bottom) }

    static func circle(_ x: Double, _ y: Double, _ radius: Double) -> VectorPath {
        VectorPath([
            .arc(center: Point(x: x, y: y), radius: radius, from: 0, to: 2 * .pi), .close,
        ])
    }

    static func dot(_ x: Double, _ y: Double) -> VectorPath {
        VectorPath(
            [.arc(center: Point(x: x, y: y), radius: 1.5, from: 0, to: 2 * .pi), .close],
            isFilled: true)
    }

    /// Four angles, of which the corner or the ends point outwards.
    private static func corners(outer: Double, inner: Double) -> [VectorPath] {
        let (a, b) = (outer, inner)
        return [(false, false), (true, false), (true, true), (false, true)].map { flipX, flipY in
            func x(_ value: Double) -> Double { flipX ? side - value : value }
            func y(_ value: Double) -> Double { flipY ? side - value : value }
            return line(x(a), y(b), x(a), y(a), x(b), y(a))
        }
    }

    /// A picture, and an arrow around its upper right corner.
    private static let rotation = [
        rectangle(3.5, 10.5, 13.5, 20.5),
        VectorPath([
            .arc(center: Point(x: 10.5, y: 13.5), radius: 8, from: -.pi * 0.55, to: 0)
        ]), line(15.4, 11, 18.5, 14.1, 21.6, 11),
    ]
}
