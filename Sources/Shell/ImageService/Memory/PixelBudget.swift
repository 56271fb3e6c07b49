/// Which pictures may hold pixels in memory, within a budget for all of them; a pure decision.
///
/// The picture that is shown always may: a picture that is too large by itself is refused, tiled or
/// kept on the disk by its decoder, see `DecodeLimits`. The others share what it leaves.
package struct PixelBudget: Hashable, Sendable {
    /// What to do about the pictures.
    package struct Plan: Hashable, Sendable {
        /// The requested pictures that are not decoded for now.
        package var postponed: Set<Int> = []
        /// The pictures whose pixels have to be replaced by a coarse mip level.
        package var reduced: Set<Int> = []

        package init() {}
    }

    /// The pixels of the pictures at a moment.
    package struct Demand: Hashable, Sendable {
        /// The requested pictures, the most urgent first.
        package var wanted: [Int]
        /// Bytes that each picture needs when it is completely decoded, as its header says.
        package var needs: [Int: Int]
        /// Bytes that each picture has at the moment, requested or not.
        package var held: [Int: Int]
        /// Bytes of tiles and of frames of an animation.
        package var others: Int

        package init(wanted: [Int], needs: [Int: Int], held: [Int: Int], others: Int) {
            self.wanted = wanted
            self.needs = needs
            self.held = held
            self.others = others
        }
    }

    /// In bytes of pixels with their mip levels.
    package let bytes: Int

    package init(bytes: Int) { self.bytes = max(0, bytes) }

    /// What to do about pictures; with `isShort`, memory is short and only the shown picture keeps
    /// its pixels.
    ///
    /// A picture of unknown size is not postponed, because the header that tells its size takes no
    /// memory.
    package func plan(for demand: Demand, isShort: Bool) -> Plan {
        var plan = Plan()
        var room = Self.difference(bytes, demand.others)
        for (rank, id) in demand.wanted.enumerated() {
            let held = demand.held[id] ?? 0
            let need = max(demand.needs[id] ?? 0, held)
            if rank == 0 || !isShort && (demand.needs[id] == nil || need <= room) {
                room = Self.difference(room, need)
            } else {
                plan.postponed.insert(id)
            }
        }
        // What is not admitted may keep the pixels that the admitted pictures leave room for.
        let admitted = Set(demand.wanted).subtracting(plan.postponed)
        let rest =
            demand.wanted.filter(plan.postponed.contains)
            + demand.held.keys.filter { !demand.wanted.contains($0) }.sorted()
        for id in rest where !admitted.contains(id) {
            guard let held = demand.held[id] else { continue }
            if !isShort, held <= room { room -= held } else { plan.reduced.insert(id) }
        }
        return plan
    }

    /// The difference, or the least integer.
    private static func difference(_ number: Int, _ other: Int) -> Int {
        let (result, overflows) = number.subtractingReportingOverflow(other)
        return overflows ? .min : result
    }
}
