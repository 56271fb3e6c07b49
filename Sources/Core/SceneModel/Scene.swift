package import Geometry

/// The content of one frame, as a value.
package struct Scene: Hashable, Sendable {
    /// The surface in logical pixels.
    package var size: Size
    /// Device pixels per logical pixel.
    package var scale: Double
    /// The opacity of the backdrop, which hides what is behind the window, 0…1.
    package var backdrop: Double
    /// The opaque colour of the backdrop.
    package var backdropColor = Color.black(1)
    /// In painting order: the bottom one first.
    package var items: [SceneItem]
    /// The radius of the window's corners in logical pixels; what lies outside the arcs is
    /// transparent.
    package var cornerRadius = 0.0

    package init(size: Size, scale: Double, backdrop: Double, items: [SceneItem]) {
        self.size = size
        self.scale = scale
        self.backdrop = backdrop
        self.items = items
    }

    /// The size of the scene's buffer, in device pixels.
    package var pixelSize: PixelSize { PixelSize(covering: size, scale: scale) }
}

package enum SceneItem: Hashable, Sendable {
    case picture(PictureItem)
    case fill(FillItem)
    case layer(LayerItem)
}

/// A picture on the surface.
package struct PictureItem: Hashable, Sendable {
    /// The picture, and the state of its pixels: a better bitmap has a higher revision.
    package struct Source: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case picture, thumbnail
            /// The blurred picture, for the margins beside it; it has the revision of the picture.
            case blurred
            /// A tile of a picture that is too large for memory; the revision identifies the tile.
            case tile
            /// A frame of an animation; the revision counts the frames that were shown.
            case frame
            /// The refinement of a picture at rest, made for the device pixels of the surface.
            case rest
        }

        package var kind: Kind
        package var picture: Int
        package var revision: Int

        /// Whether the item stands beside a picture: a cell, or the blurred margins.
        package var isAccessory: Bool {
            switch kind {
            case .thumbnail, .blurred: true
            case .picture, .tile, .frame, .rest: false
            }
        }

        package init(_ kind: Kind = .picture, picture: Int, revision: Int) {
            self.kind = kind
            self.picture = picture
            self.revision = revision
        }
    }

    package var source: Source
    /// The size of the whole picture in pixels, whichever mip level is available so far.
    package var size: PixelSize
    package var placement: Placement
    package var opacity: Double
    /// The clip rectangle, in logical pixels of the surface.
    package var clip: Rect?
    /// Shows only the centre of the picture, of this size in picture pixels.
    package var crop: Size?
    /// Whether a checkerboard is painted behind transparent areas.
    package var hasCheckerboard: Bool
    /// Whether left and right of the picture are exchanged, before its rotation.
    package var isMirrored = false
    /// The share of the picture's gain plane that counts, 0…1, as far as the screen has headroom.
    package var light = 0.0
    /// The item that this refinement stands for, whose gain plane counts; empty for other items.
    package var unrefined: [PictureItem] = []

    package init(
        source: Source, size: PixelSize, placement: Placement, opacity: Double = 1,
        clip: Rect? = nil, crop: Size? = nil, hasCheckerboard: Bool = false
    ) {
        self.source = source
        self.size = size
        self.placement = placement
        self.opacity = opacity
        self.clip = clip
        self.crop = crop
        self.hasCheckerboard = hasCheckerboard
    }

    /// The area of the surface that the item may cover, in logical pixels.
    package var bounds: Rect {
        let whole = placement.boundingRect(of: crop ?? size.size)
        return clip.map { whole.intersection($0) } ?? whole
    }
}

/// A rectangle in one colour.
package struct FillItem: Hashable, Sendable {
    /// Logical pixels of the surface.
    package var rect: Rect
    package var color: Color

    package init(rect: Rect, color: Color) {
        self.rect = rect
        self.color = color
    }
}

extension Scene {
    /// Whether a picture is brighter than white on a screen with headroom.
    package var isLit: Bool {
        items.contains { item in
            if case .picture(let picture) = item { picture.light > 0 } else { false }
        }
    }

    /// Gives refined pictures the light of the items below, which they stand for.
    package mutating func lightRefinements() {
        for index in items.indices.dropFirst() {
            guard case .picture(var refined) = items[index], refined.source.kind == .rest,
                case .picture(let original) = items[index - 1], original.light > 0
            else { continue }
            refined.light = original.light
            refined.unrefined = [original]
            items[index] = .picture(refined)
        }
    }
}
