import DecodeClient
import Geometry
import ImageTypes

/// Which pixels are held, and in which mip levels.
extension PictureLoader {
    /// The longest side of pictures that are not shown while memory is short, in pixels.
    private static let shortSide = 512

    /// Keeps the pixels within the budget: drops the fine mip levels of pictures for which there is
    /// no room, and cancels the decoding of a picture for which there is none any more.
    func makeRoom() {
        room.update(budget, wanted: queue.wanted, held: cache.bytes, others: otherBytes())
        for id in room.plan.reduced { reduce(id) }
        if let current = queue.current, room.plan.postponed.contains(current) {
            cancel()
            queue.postpone()
        }
    }

    /// Replaces the pixels of a picture by a mip level that suits the surface, or a coarser one while
    /// memory is short and the picture is not shown: its page is never without a picture.
    private func reduce(_ id: Int) {
        var size = shown.target ?? PixelSize(width: Self.shortSide, height: Self.shortSide)
        if room.isShort, !shown.ids.contains(id) {
            size.width = min(size.width, Self.shortSide)
            size.height = min(size.height, Self.shortSide)
        }
        guard let bitmap = cache.bitmap(id)?.reduced(to: size) else { return }
        cache.replace(id, by: bitmap)
        onEvent(.pixels(id, bitmap, isFinal: false))
    }

    /// Replaces the pixels of a shown picture by the mip level that is shown: what is finer is decoded again
    /// once the picture is shown larger.
    private func giveBackFineLevels(of id: Int) {
        guard cache.isComplete(id), !cache.isAnimated(id), let side = shown.sides[id],
            let whole = cache.bitmap(id), whole.levels[0].mipLevel == 0,
            let bitmap = whole.reduced(covering: side)
        else { return }
        reduction.giveBack(id, leaving: bitmap.levels[0].size.longestSide)
        cache.replace(id, by: bitmap)
        cache.complete(id)
        onEvent(.pixels(id, bitmap, isFinal: true))
    }

    /// Releases the pixels that are not shown, and decodes nothing ahead for a while.
    func releaseMemory() {
        for id in shown.ids { giveBackFineLevels(of: id) }
        room.shortage.begin(at: environment.clock())
        startNext()
        onTurnEnd()
    }

    func endShortage() {
        guard room.shortage.finish(at: environment.clock()) else { return }
        startNext()
        onTurnEnd()
    }

    /// Notes what a picture needs, and makes room; returns false if the picture has to wait.
    func admit(_ id: Int, bytes: Int) -> Bool {
        room.note(bytes, for: id)
        makeRoom()
        return queue.current == id
    }

    /// Begins to decode the mip levels of a wanted picture that are not held; returns whether there are any.
    func decodeWhole(_ id: Int) -> Bool {
        guard queue.wanted.contains(id), cache.isComplete(id), reduction.need(id, side: .max)
        else { return false }
        decodeAgain(id)
        return true
    }

    /// Whether more pixels of a picture may come without a further request.
    func awaitsPixels(_ id: Int) -> Bool {
        isBusy && queue.wanted.contains(id) && !isSettled(id)
    }

    /// Whether all pixels of a picture are held, or will be held once `decodeWhole` was called.
    func mayBeWhole(_ id: Int) -> Bool {
        queue.wanted.contains(id) || reduction.side(of: id) == nil
    }

    // MARK: Pictures decoded ahead

    /// Leaves out the mip levels of a picture that a person has turned away from, as far as the screen does
    /// not need them.
    func reduceNeighbour() {
        guard let target = shown.target, queue.current == nil, !reducer.isBusy else { return }
        let id = queue.wanted.dropFirst().first { id in
            guard let bitmap = cache.bitmap(id), cache.isComplete(id), !cache.isAnimated(id),
                !tiled.contains(id)
            else { return false }
            return reduction.isReducible(id) && bitmap.levels[0].mipLevel == 0
                && Bitmap.index(fitting: target, in: bitmap.levels, of: bitmap.size) > 0
        }
        guard let id, let bitmap = cache.bitmap(id), let source = cache.source(of: id) else {
            return
        }
        reducer.reduce(bitmap, fitting: target) { [unowned self] reduced in
            // A person may have turned back, the file or the screen may have changed.
            if let reduced, queue.wanted.first != id, shown.target == target,
                reduction.isReducible(id), cache.source(of: id) == source,
                cache.isComplete(id), cache.bitmap(id)?.levels[0].mipLevel == 0
            {
                cache.insertLevels(reduced, of: id)
                noteAhead(id)
            } else if reduced == nil {
                reduction.keepWhole(id)
            }
            startNext()
            onTurnEnd()
        }
    }

    /// Notes that of a picture only the mip levels for the screen are held.
    func noteAhead(_ id: Int) {
        guard let bitmap = cache.bitmap(id), bitmap.levels[0].mipLevel > 0 else { return }
        reduction.noteAhead(id, side: bitmap.levels[0].size.longestSide)
        room.note(bitmap.memory.bytes.count, for: id)
    }

    /// The picture to decode next, and whether it only gets its finer mip levels.
    ///
    /// Those of a picture that was decoded ahead follow once a person has turned to it and nothing else is to be
    /// decoded, so that they are there when the person zooms in.
    func next() -> (id: Int, isShownWhole: Bool)? {
        guard queue.current == nil else { return nil }
        if let id = queue.next(isComplete: isSettled) { return (id, false) }
        guard !room.isShort, let id = queue.wanted.first, cache.isComplete(id),
            reduction.isAhead(id)
        else { return nil }
        cache.invalidate(id)
        return (id, true)
    }

    /// Gives up the finer mip levels of the picture that is being decoded for these; returns whether there is
    /// one.
    ///
    /// They are decoded later, or with `untilNeeded` not before a person zooms in.
    @discardableResult
    func stopCompleting(untilNeeded: Bool) -> Bool {
        guard let id = completing else { return false }
        completing = nil
        cache.complete(id)
        noteAhead(id)
        if untilNeeded, let side = reduction.side(of: id) { reduction.giveBack(id, leaving: side) }
        return true
    }
}
