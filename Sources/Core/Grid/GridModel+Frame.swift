import Edits
import Geometry
import Gestures
package import Motion

extension GridModel {
    /// The frame of the grid at `moment`.
    package func frame(at moment: Moment) -> GridFrame {
        let scrollState = scrollState(at: moment)
        let projection = projection(at: moment)
        let placed = projection.cells()
        let cells = placed.cells.filter { isVisible($0.rect) }
        return GridFrame(
            surface: surface, folders: folderTiles(at: moment),
            cells: cells.map { cell($0, scrollState.scale) },
            fading: placed.left.filter { isVisible($0.rect) && $0.index != hidden }
                .map { cell($0, scrollState.scale) },
            headers: projection.headers().map { header, opacity in
                GridFrame.Header(
                    section: header.section,
                    title: contents.sections(header.level)[header.section].title,
                    rect: header.rect, opacity: opacity)
            },
            handle: handle(above: cells, at: moment), lifted: lifted(projection, at: moment),
            phase: phase(at: moment), activity: activity, columns: layout.columns,
            scale: scrollState.scale, scroll: scrollState.origin(in: layout),
            content: layout.contentSize(at: scrollState.scale), held: held,
            selected: selection.count, isSelecting: isSelecting || !selection.isEmpty,
            velocity: velocity(at: moment).focal)
    }

    private func isVisible(_ rect: Rect) -> Bool {
        rect.intersects(Rect(x: 0, y: 0, width: surface.width, height: surface.height))
    }

    private func cell(_ cell: Projection.Cell, _ scale: Double) -> GridFrame.Cell {
        let index = cell.index
        return GridFrame.Cell(
            index: index, rect: cell.rect,
            picture: part(of: cell.rect, cell.crop, index, magnification: scale),
            crop: cell.crop, opacity: cell.opacity,
            isHidden: index == hidden || index == peek?.index,
            isFocused: marksFocus && index == focus && folderFocus == nil,
            isSelected: selection.contains(index), mark: marks[index] ?? PictureMark(),
            aspect: contents.aspects.indices.contains(index) ? contents.aspects[index] : 0)
    }

    private func handle(above cells: [Projection.Cell], at moment: Moment) -> GridFrame.Handle? {
        let opacity = handleOpacity(at: moment)
        guard opacity > 0, let rect = handleRect(at: moment), let first = cells.first?.index
        else { return nil }
        let sections = contents.sections(layout.level)
        let next = firstIndex(below: sections.count) { sections[$0].first > first }
        var isHeld = false
        if case .held(let hold) = state, case .handle = hold.kind { isHeld = true }
        return GridFrame.Handle(
            rect: rect, opacity: opacity, index: first,
            title: next > 0 ? sections[next - 1].title : nil, isHeld: isHeld)
    }

    private func lifted(_ projection: Projection, at moment: Moment) -> GridFrame.Lifted? {
        guard let peek = predictedPeek ?? peek else { return nil }
        let home = projection.rect(of: peek.index)
        let scale = peek.place(home: home, at: moment).scale
        let rect = peek.rect(home: home, at: moment)
        let crop = projection.crop(of: peek.index)
        return GridFrame.Lifted(
            index: peek.index, scale: scale, rect: rect,
            picture: part(
                of: rect, crop, peek.index,
                magnification: scale * scrollState(at: moment).scale), crop: crop,
            dim: peek.dim(settings.peekDim, at: moment))
    }

    private func phase(at moment: Moment) -> GridFrame.Phase {
        if peek?.isHeld == true { return .touching }
        if case .held = state { return .touching }
        return isAnimating(at: moment) ? .animating : .idle
    }

    private var activity: GridFrame.Activity {
        if peek != nil { return .peek }
        guard case .held(let hold) = state else { return .none }
        switch hold.kind {
        case .scroll, .undecided, .handle: return .scroll
        case .pinch: return .pinch
        }
    }

    private var held: GridFrame.Held? {
        guard case .held(let hold) = state, hold.kind == .pinch else { return nil }
        let scrollState = (predicted ?? hold).scrollState
        return GridFrame.Held(
            index: scrollState.anchor.index, fraction: scrollState.anchor.fraction,
            point: scrollState.focal)
    }
}
