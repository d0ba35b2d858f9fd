import AsyncAlgorithms
import TripScreen
import TripText

/// Loads tiles outside the drawing path.
enum TileLoading {
    /// The number of tiles per message: the picture appears in a few steps, and each step costs a frame.
    private static let batch = 4

    /// Loads tiles and sends them in batches; ends early when its task is cancelled.
    ///
    /// A tile that cannot be read is sent as an empty one, so that it is not requested again, and the first one is reported.
    static func load(
        _ ids: [TileID],
        of archive: any TileArchive,
        to inputs: AsyncChannel<ScreenOutput.Input>
    ) async {
        var complaint: String?
        for start in stride(from: 0, to: ids.count, by: batch) {
            guard !Task.isCancelled else { return }
            var tiles: [TileID: MapTile] = [:]
            for id in ids[start..<min(start + batch, ids.count)] {
                do {
                    tiles[id] = try archive.tile(id)
                } catch {
                    tiles[id] = MapTile()
                    complaint = complaint ?? Localizer.ofProcess(BasemapFile.reason(error))
                }
            }
            await inputs.send(.message(.tiles(tiles, of: archive)))
        }
        if let complaint { await inputs.send(.message(.complaint(complaint))) }
    }
}
