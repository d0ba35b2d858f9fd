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
