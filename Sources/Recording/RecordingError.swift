/// Why bytes could not be read as a recording of Fleet Engine.
///
/// Any byte string gives a recording or one of these; none of them quotes what the file says.
package enum RecordingError: Error, Sendable, Equatable {
    /// There is nothing in it but white space.
    case empty
    /// It stops being JSON at a byte, counted from 0; `nil` where no place can be named.
    case notJSON(offset: Int?)
    /// It ends in the middle of a value: the rest is missing.
    case truncated
    /// It is something else; the text says what, as a noun, such as `a token`.
    case otherKind(String)
    /// It is a log of Fleet Engine, but tells of no trip.
    case noTrips
    /// It has more bytes than are read.
    case tooLarge(limit: Int)
    /// It nests lists and objects deeper than is read.
    case tooDeep(limit: Int)
    /// It has more JSON values than are read.
    case tooManyValues(limit: Int)
    /// Its trips would have more snapshots together than are kept.
    case tooManySnapshots(limit: Int)
}
