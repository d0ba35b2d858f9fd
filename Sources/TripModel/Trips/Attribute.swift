/// A custom key and value that a provider sets on a trip or a vehicle.
package struct Attribute: Sendable, Hashable {
    /// The value.
    package enum Value: Sendable, Hashable {
        case text(String)
        case flag(Bool)
        case number(Double)

        /// The value as compared by filters.
        package var text: String {
            switch self {
            case .text(let text): text
            case .flag(let flag): flag ? "true" : "false"
            case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
            }
        }
    }

    /// The key, without a colon.
    package var key: String
    /// The value.
    package var value: Value
}

/// The parts of a license plate that the service stores.
package struct LicensePlate: Sendable, Hashable {
    /// The CLDR region, such as `US`.
    package var country: String
    /// The last digit; `-1` if the plate has none.
    package var lastCharacter: String?
}
