import TripScreen

extension ReplayReader {
    /// Reads all events; ends early when its task is cancelled.
    ///
    /// `report` is called when another percent of a long recording was read, and at the end.
    mutating func readAll(of count: Int, report: @Sendable () async -> Void) async {
        var reported = 0
        while !Task.isCancelled, read(64) {
            if count > 20_000, (number - reported) * 100 > count {
                reported = number
                await report()
            } else {
                await Task.yield()
            }
        }
        await report()
    }
}
