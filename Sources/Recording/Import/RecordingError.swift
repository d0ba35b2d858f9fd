/// The reason why bytes are not a recording of Fleet Engine.
///
/// Any input results in a recording or in one of these errors; none of them quotes the file.
package enum RecordingError: Error, Sendable, Equatable {
    /// The file contains only white space.
    case empty
    /// Invalid JSON at a byte offset, starting at 0; `nil` if the location is unknown.
    case notJSON(offset: Int?)
    /// The file ends in the middle of a value.
    case truncated
    /// Another type of file.
    case otherKind(Kind)
    /// The file is a Fleet Engine log without trips.
    case noTrips
    /// The file exceeds the size limit.
    case tooLarge(limit: Int)
    /// The nesting exceeds the limit.
    case tooDeep(limit: Int)
    /// The number of JSON values exceeds the limit.
    case tooManyValues(limit: Int)
    /// The number of snapshots of all trips exceeds the limit.
    case tooManySnapshots(limit: Int)

    /// A type of file that is not a log of Fleet Engine.
    package enum Kind: Sendable, Equatable {
        /// Compressed with gzip, and damaged.
        case gzip
        /// A ZIP archive that is damaged, encrypted or has not exactly one file.
        case zip
        /// A tar archive that is damaged or has not exactly one file.
        case tar
        /// A JSON Web Token, or the answer of a token endpoint.
        case token
        /// JSON without log entries.
        case otherJSON
        /// A recording of this program.
        case recording
    }
}
