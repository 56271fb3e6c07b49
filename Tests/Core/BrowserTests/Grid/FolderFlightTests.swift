import Geometry
import Gestures
import Grid
import Input
import Interface
import SceneModel
import Testing
import Viewer

@testable import Browser

/// Folders that open out of their tiles and close into them.
@Suite struct FolderFlightTests {
    private func rig(folders: Int = 6, reducedMotion: Bool = false) -> BrowserRig {
        var settings = GridSettings()
        settings.reducedMotion = reducedMotion
        var rig = BrowserRig(.grid, grid: settings)
        rig.hands.target.setFolders(folders, above: [], canGoBack: true, at: rig.moment)
        rig.rest()
        return rig
    }

    /// The bounds of the first cell of the grid, by its colour; pictures have not arrived.
    private func firstFill(_ rig: BrowserRig) -> Rect? {
        for case .fill(let fill) in rig.frame.scene.items { return fill.rect }
        return nil
    }

    /// Nothing of the grid leaves the rectangle that grows from the cover to the surface.
    @Test func anOpenedFolderGrowsOutOfItsCover() throws {
        var rig = rig()
        let cover = try #require(rig.browser.coverRect(ofFolder: 2, at: rig.moment))
        let rest = rig.frame.scene
        rig.hands.target.openFolder(from: cover, at: rig.moment)
        #expect(rig.browser.isAnimating(at: rig.moment))
        #expect(rig.fillsAre(inside: cover))
        var last = 0.0
        for _ in 0..<200 where rig.browser.folderFlight != nil {
            let width = try #require(firstFill(rig)).width
            #expect(width >= last - 1e-9)
            last = width
            rig.pass(to: rig.now + 8)
        }
        #expect(rig.browser.folderFlight == nil)
        #expect(rig.frame.scene == rest)
    }

    @Test func aClosedFolderShrinksIntoItsCover() throws {
        var rig = rig()
        let cover = try #require(rig.browser.coverRect(ofFolder: 1, at: rig.moment))
        let rest = rig.frame.scene
        rig.hands.target.closeFolder(into: 1, at: rig.moment)
        let surface = Rect(origin: .zero, size: BrowserRig.surface)
        var last = surface
        for step in 0..<200 where rig.browser.folderFlight != nil {
            let page = try #require(rig.page)
            if step == 0 { #expect(page == surface) }
            // No text of the folder above lies over the folder that closes.
            #expect(rig.textsOfTiles.allSatisfy { $0.intersection(page).isEmpty })
            #expect(page.width <= last.width + 1e-9 && page.width >= cover.width - 1e-9)
            last = page
            rig.pass(to: rig.now + 8)
        }
        #expect(abs(last.width - cover.width) < 4 && abs(last.x - cover.x) < 4)
        #expect(rig.frame.scene == rest)
    }

    /// Touches count for the grid from the first moment on.
    @Test func aTapWhileAFolderOpensOpensAPicture() throws {
        var rig = rig(folders: 0)
        let cell = try #require(rig.cell(3))
        rig.hands.target.openFolder(
            from: Rect(x: 10, y: 10, width: 100, height: 60), at: rig.moment)
        rig.touch([.down(id: 0, at: cell.center)])
        rig.touch([.up(id: 0)], after: 30)
        rig.rest()
        #expect(rig.browser.mode == .viewer && rig.browser.viewer.index == 3)
    }

    @Test func nothingFliesWithReducedMotionOrOutOfView() {
        var still = rig(reducedMotion: true)
        still.hands.target.closeFolder(into: 1, at: still.moment)
        still.hands.target.openFolder(
            from: Rect(x: 0, y: 0, width: 9, height: 9), at: still.moment)
        #expect(still.browser.folderFlight == nil)
        var far = rig(folders: 500)
        far.hands.target.closeFolder(into: 499, at: far.moment)
        #expect(far.browser.folderFlight == nil)
    }
}

extension BrowserRig {
    /// Whether all cells and tiles of the frame are inside a rectangle.
    fileprivate func fillsAre(inside window: Rect) -> Bool {
        var fills = 0
        for case .fill(let fill) in frame.scene.items where !fill.rect.isEmpty {
            guard window.inset(by: -1e-6).contains(fill.rect.center) else { return false }
            fills += 1
        }
        return fills > 0
    }

    /// Where the names of folders are painted.
    fileprivate var textsOfTiles: [Rect] {
        let tiles = browser.grid.folderTiles(at: moment).map(\.rect)
        return frame.scene.items.compactMap { item in
            guard case .layer(let layer) = item,
                tiles.contains(where: { $0.contains(layer.rect.center) })
            else { return nil }
            return layer.rect
        }
    }

    /// The page of a folder that closes.
    fileprivate var page: Rect? {
        let theme = browser.layout.theme
        for case .fill(let fill) in frame.scene.items where fill.color == theme.page {
            return fill.rect
        }
        return nil
    }
}
