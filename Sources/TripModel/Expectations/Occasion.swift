/// When an expectation begins or ends to be judged.
package enum Occasion: Sendable, Equatable {
    /// The trip has or had this status.
    case status(JourneyStatus)
    /// The comparison is true for the first time.
    case check(MeasureCheck)

    /// The occasion as it is written.
    package var words: String {
        switch self {
        case .status(let status): status.name
        case .check(let check): check.words
        }
    }
}
