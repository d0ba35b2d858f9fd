import Runtime

/// The fields of a form (`application/x-www-form-urlencoded`).
struct FormBody: Sendable {
    /// The maximum number of fields that are read.
    private static let limit = 50

    private var fields: [String: String] = [:]

    /// Parses a body; `nil` if it is not a form.
    init?(_ body: [UInt8]) {
        guard let text = String(validating: body, as: UTF8.self) else { return nil }
        for field in text.split(separator: "&").prefix(Self.limit) {
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(pair[0]), let value = Self.decoded(pair.count > 1 ? pair[1] : "") else {
                return nil
            }
            fields[name] = value
        }
    }

    /// The value of a field; `nil` if it is absent or empty.
    subscript(name: String) -> String? {
        guard let value = fields[name], !value.isEmpty else { return nil }
        return value
    }

    private static func decoded(_ text: Substring) -> String? {
        PercentEncoding.decode(text.replacing("+", with: " ")[...])
    }
}
