import Geometry

/// A layout that places the cells of another one differently; all else is as in the other one.
protocol AdaptedLayout: ScalingLayout {
    var layout: any ScalingLayout { get set }
}

extension AdaptedLayout {
    var scale: Double {
        get { layout.scale }
        set { layout.scale = newValue }
    }
    var limits: ClosedRange<Double> { layout.limits }
    var columns: Int { layout.columns }
    var level: SectionLevel { layout.level }
    var hasSteps: Bool { layout.hasSteps }
    func contentSize(at scale: Double) -> Size { layout.contentSize(at: scale) }
    func crop(of index: Int) -> CellCrop { layout.crop(of: index) }
    func cell(_ rows: Int, rowsBelow index: Int) -> Int { layout.cell(rows, rowsBelow: index) }
    func restScale(near scale: Double) -> Double { layout.restScale(near: scale) }
    func nextScale(after scale: Double, up: Bool) -> Double {
        layout.nextScale(after: scale, up: up)
    }
    mutating func arrange(holding cell: HeldCell) -> Bool { layout.arrange(holding: cell) }

    @discardableResult
    mutating func settle(at scale: Double, holding cell: HeldCell?) -> Bool {
        layout.settle(at: scale, holding: cell)
    }

    mutating func closeGap() -> Bool { layout.closeGap() }
    mutating func setAspect(_ aspect: Float, of index: Int) -> Bool {
        layout.setAspect(aspect, of: index)
    }
}
