import Geometry

/// Changes of the scale and of the stage.
extension JustifiedLayout {
    package func restScale(near scale: Double) -> Double {
        stages.scale(of: stages.nearest(to: scale))
    }

    package func nextScale(after scale: Double, up: Bool) -> Double {
        stages.scale(of: stages.next(after: scale, up: up))
    }

    package mutating func arrange(holding cell: HeldCell) -> Bool {
        let next = stages.stage(for: scale, from: stage)
        guard next != stage else { return false }
        setLead(nil)
        stage = next
        setLead(lead(holding: cell))
        return true
    }

    @discardableResult
    package mutating func settle(at scale: Double, holding cell: HeldCell?) -> Bool {
        let next = stages.nearest(to: scale)
        let changes = next != stage || lead != nil
        // A lead is valid only at the stage for which it was chosen.
        setLead(nil)
        stage = next
        self.scale = scale
        return changes
    }

    /// Number of indents to try, and the largest one as a fraction of the surface's width.
    private static let (indents, widestIndent) = (8, 0.7)

    /// The lead that brings the held point nearest to the fingers in a horizontally centred grid.
    private func lead(holding cell: HeldCell) -> Lead? {
        guard (0..<index.count).contains(cell.index) else { return nil }
        let center = surface.width / 2
        let x = (cell.x - center) / magnification + center
        let block = block(of: cell.index)
        let candidates = (0..<Self.indents).map { step in
            Self.widestIndent * surface.width * Double(step) / Double(Self.indents - 1)
        }
        let distances = candidates.map { abs(heldX(of: cell, in: block, indent: $0) - x) }
        guard let best = distances.indices.min(by: { distances[$0] < distances[$1] }), best > 0
        else { return nil }
        return Lead(block: block, indent: candidates[best])
    }
}
