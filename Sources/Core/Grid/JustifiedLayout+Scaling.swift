import Geometry

/// From one stage to the next.
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
        // The lead belongs to the stage that it was chosen for.
        setLead(nil)
        stage = next
        self.scale = scale
        return changes
    }

    /// How many indents are tried, and how much of the width the largest takes.
    private static let (indents, widestIndent) = (8, 0.7)

    /// The lead with which the held point comes nearest to the fingers while the grid is as far
    /// left of the surface as right of it.
    private func lead(holding cell: HeldCell) -> Lead? {
        guard (0..<index.count).contains(cell.index) else { return nil }
        let center = surface.width / 2
        let x = (cell.x - center) / magnification + center
        let block = block(of: cell.index)
        let candidates = (0..<Self.indents).map { step in
            Self.widestIndent * surface.width * Double(step) / Double(Self.indents - 1)
        }
        let ways = candidates.map { abs(heldX(of: cell, in: block, indent: $0) - x) }
        guard let best = ways.indices.min(by: { ways[$0] < ways[$1] }), best > 0 else { return nil }
        return Lead(block: block, indent: candidates[best])
    }
}
