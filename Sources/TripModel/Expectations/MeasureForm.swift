/// What can be written about a measure.
package struct MeasureForm: Sendable {
    /// What follows the ID of a measure after a dot.
    package enum Argument: Sendable, Equatable {
        /// Nothing.
        case none
        /// A text that need not be there.
        case optional
        /// A text that must be there.
        case needed
        /// The path of a field of a trip.
        case field
    }

    /// The name in files.
    package let id: String
    /// What it measures.
    package let quantity: MeasureUnit.Quantity
    /// What can follow the name after a dot.
    package let argument: Argument
    /// What is measured, in English, without a full stop.
    package let summary: String
    /// Whether only a session that sends the requests itself can measure it; the log of a service has no such value.
    package let needsOwnRequests: Bool

    package init(
        _ id: String,
        _ quantity: MeasureUnit.Quantity,
        _ summary: String,
        argument: Argument = .none,
        needsOwnRequests: Bool = false
    ) {
        (self.id, self.quantity, self.summary, self.argument) = (id, quantity, summary, argument)
        self.needsOwnRequests = needsOwnRequests
    }

    /// The name with a sign for its argument, as in a list of names.
    package var pattern: String {
        switch argument {
        case .none: id
        case .optional: "\(id)[.TEXT]"
        case .needed: "\(id).TEXT"
        case .field: "\(id).FIELD"
        }
    }
}
