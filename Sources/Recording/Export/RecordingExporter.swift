/// Converts the events of a session to a file of another format.
package protocol RecordingExporter {
    /// Takes the next event.
    mutating func handle(_ event: RecordedSession.Event)

    /// Returns the file after the last event.
    func finished() throws(ExportFailure) -> [UInt8]
}

/// Why a session cannot be exported in a format.
package enum ExportFailure: Error, Sendable, Equatable {
    /// The file contains no polls; a log never does.
    case noPolls
    /// No answer contains a position, a stop or a route.
    case noPlaces
    /// No trip was observed.
    case noTrips
}

extension RecordedSession {
    /// Returns the file of an exporter.
    package func export(with exporter: some RecordingExporter) throws(ExportFailure) -> [UInt8] {
        var exporter = exporter
        read { exporter.handle($0) }
        return try exporter.finished()
    }
}
