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

    /// What a value is measured in.
    ///
    /// As long as nothing was seen of it, it has no value and is not missing either.
    package enum Source: Sendable {
        /// An answer with the trip.
        case answer
        /// The calls: polls of the session, or the rider's calls in a log.
        case calls
        /// The duration of a request that was answered.
        case latency
        /// The body of the last answer.
        case size
        /// The token.
        case token
    }

    /// The name in files.
    package let id: String
    /// What it is measured in.
    package let source: Source
    /// What it measures.
    package let quantity: MeasureUnit.Quantity
    /// What can follow the name after a dot.
    package let argument: Argument
    /// What is measured, in English, without a full stop.
    package let summary: String

    package init(
        _ id: String,
        _ source: Source,
        _ quantity: MeasureUnit.Quantity,
        _ summary: String,
        argument: Argument = .none
    ) {
        (self.id, self.source, self.quantity) = (id, source, quantity)
        (self.summary, self.argument) = (summary, argument)
    }

    /// Whether only a session that sends the requests itself can measure it; the log of a service has no such value.
    package var needsOwnRequests: Bool {
        switch source {
        case .answer, .calls: false
        case .latency, .size, .token: true
        }
    }

    /// Whether only a trip has it: the answer about a shipment has no such value, and does not say that it is missing.
    package var isOfTripsOnly: Bool {
        ["pickup-delay", "vehicle", "passengers", "others-ahead", "trip"].contains(id)
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

/// A unit of measured values.
package struct MeasureUnit: Sendable, Equatable {
    /// What is measured.
    package enum Quantity: String, Sendable, CaseIterable {
        /// A time, in seconds.
        case time
        /// A distance, in meters.
        case distance
        /// A speed, in meters per second.
        case speed
        /// A number without a unit.
        case number
        /// A text, which can be compared for equality only.
        case text
        /// The value of a field: a number, a text or a flag.
        case field
    }

    /// The unit as it is written; empty for none.
    package let symbol: String
    /// What it is a unit of.
    package let quantity: Quantity
    /// The size of the unit in basic units.
    package let factor: Double

    /// No unit.
    package static let none = MeasureUnit(symbol: "", quantity: .number, factor: 1)

    /// The units, the basic one of each quantity first.
    package static let all = [
        MeasureUnit(symbol: "s", quantity: .time, factor: 1),
        MeasureUnit(symbol: "ms", quantity: .time, factor: 0.001),
        MeasureUnit(symbol: "min", quantity: .time, factor: 60),
        MeasureUnit(symbol: "h", quantity: .time, factor: 3600),
        MeasureUnit(symbol: "m", quantity: .distance, factor: 1),
        MeasureUnit(symbol: "km", quantity: .distance, factor: 1000),
        MeasureUnit(symbol: "m/s", quantity: .speed, factor: 1),
        MeasureUnit(symbol: "km/h", quantity: .speed, factor: 1 / 3.6),
    ]

    /// Returns the basic unit of a quantity.
    package static func basic(of quantity: Quantity) -> MeasureUnit {
        all.first { $0.quantity == quantity } ?? .none
    }
}
