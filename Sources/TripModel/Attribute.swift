/// A provider's own key and value on a trip or a vehicle.
package struct Attribute: Sendable, Hashable {
    /// What it says.
    package enum Value: Sendable, Hashable {
        case text(String)
        case flag(Bool)
        case number(Double)

        /// The value as a filter compares it.
        package var text: String {
            switch self {
            case .text(let text): text
            case .flag(let flag): flag ? "true" : "false"
            case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
            }
        }
    }

    /// The key; without a colon.
    package var key: String
    /// The value.
    package var value: Value

    /// A key with a value.
    package init(key: String, value: Value) {
        self.key = key
        self.value = value
    }
}

/// As much of a licence plate as the service keeps.
package struct LicensePlate: Sendable, Hashable {
    /// The CLDR region, such as `US`.
    package var country: String
    /// The last digit, or `-1` where the plate has none.
    package var lastCharacter: String?

    /// A region and a last digit.
    package init(country: String, lastCharacter: String?) {
        self.country = country
        self.lastCharacter = lastCharacter
    }
}
