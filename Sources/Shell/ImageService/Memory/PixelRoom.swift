/// Which pictures have room for their pixels in memory, in a budget for all pictures.
struct PixelRoom {
    /// Which pictures wait, because there is no room for their pixels.
    private(set) var plan = PixelBudget.Plan()
    /// Bytes that pictures need in memory, as their headers say, by the pictures' ids.
    private var needs: [Int: Int] = [:]
    var shortage = ShortagePause()

    /// Whether memory is short.
    var isShort: Bool { shortage.end != nil }

    /// Decides what pictures hold; `wanted` are the requested ones, the most urgent first.
    ///
    /// `held` are the bytes of each picture at the moment, `others` the bytes of other owners.
    mutating func update(
        _ budget: PixelBudget, wanted: [Int], held: [Int: Int], others: Int
    ) {
        let demand = PixelBudget.Demand(wanted: wanted, needs: needs, held: held, others: others)
        plan = budget.plan(for: demand, isShort: isShort)
    }

    /// Notes what a picture needs when it is completely decoded, in bytes.
    mutating func note(_ bytes: Int, for id: Int) { needs[id] = bytes }

    mutating func keepOnly(_ ids: Set<Int>) { needs = needs.filter { ids.contains($0.key) } }

    mutating func forget(_ ids: Set<Int>) { for id in ids { needs[id] = nil } }
}
