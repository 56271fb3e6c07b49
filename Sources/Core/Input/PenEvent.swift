package import Geometry

/// What a pen does with the surface that it touches; a pen that hovers is a pointer.
///
/// A seat has one such contact at a time, which needs no frame.
package enum PenEvent: Hashable, Sendable {
    case down(PenEnd, at: Point)
    case move(to: Point)
    case up
    /// The pen has gone, or the compositor takes it away; nothing that it has begun may be completed.
    case cancel
    /// A button of the pen was pressed while the pen hovers.
    case button(PenButton, at: Point)
}

/// The end of a pen that touches the surface.
package enum PenEnd: String, Hashable, Sendable, CaseIterable {
    case tip
    case eraser
}

/// A button of a pen, the one next to the tip first.
package enum PenButton: String, Hashable, Sendable, CaseIterable {
    case first
    case second
    case third
}

/// What the tip of a pen is.
package enum PenContact: String, Hashable, Sendable, CaseIterable {
    /// A finger.
    case touch
    /// The left button of a mouse.
    case mouse
}
