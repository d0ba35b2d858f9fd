import TripModel

extension RecordingReader {
    /// Returns a recording of the minutes before a time, read from the beginning again.
    ///
    /// Every event is encoded again, so that it is redacted again. Lines that can't be read are left out.
    ///
    /// - Parameter end: The session's steady time after the last event.
    /// - Returns: The recording, with its header.
    package func excerpt(before end: Duration) -> [UInt8] {
        var reader = restarted
        var ring = RecordingRing()
        var header = header
        while let event = reader.next(), event.at <= end {
            guard event.at >= end - RecordingRing.duration else { continue }
            ring.add(RecordingLine.bytes(event), at: event.at, event.moment)
        }
        if let start = ring.start { header.start = RecordedMoment(start) }
        return RecordingLine.bytes(header) + ring.lines.flatMap(\.self)
    }
}
