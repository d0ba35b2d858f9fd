import Runtime

/// The options with which a command makes the same connection as the program.
///
/// One reference in size, because every poll has a value.
public struct ConnectionOptions: Sendable, Hashable, Codable {
    /// The options, as curl names them.
    package enum Name: String, Sendable, CaseIterable {
        /// The URL of a proxy, without a login.
        case proxy
        /// The file of the trusted certificates.
        case cacert
        /// An address as `HOST:PORT:ADDRESS`.
        case resolve
    }

    /// The maximum number of characters of a value.
    private static let longest = 1000

    private let values: [String: String]

    /// Creates options; `nil` if all values are.
    package init?(_ values: [Name: String?]) {
        self.init(
            Dictionary(uniqueKeysWithValues: values.compactMap { name, value in value.map { (name.rawValue, $0) } })
        )
    }

    private init?(_ values: [String: String]) {
        let known = values.filter { Name(rawValue: $0.key) != nil }.mapValues(Self.retained)
        guard !known.isEmpty else { return nil }
        self.values = known
    }

    /// Returns a value without secrets; a path may resemble a secret, but the command needs it.
    private static func retained(_ value: String) -> String {
        String(value.prefix(longest)).withoutSecretValues.withoutTokens.withVisibleControls
    }

    /// Returns the value of an option; `nil` if it is not needed.
    package subscript(_ name: Name) -> String? { values[name.rawValue] }

    /// Returns the words for curl, quoted for a shell.
    ///
    /// - Parameter isDirect: Whether the command has to bypass all proxies.
    /// - Returns: The words.
    package func curl(isDirect: Bool = false) -> [String] {
        Name.allCases.flatMap { name -> [String] in
            guard let value = self[name], !isDirect || name != .proxy else { return [] }
            return ["--\(name.rawValue)", Self.quoted(value)]
        }
    }

    /// Returns a text as one word of a shell.
    package static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

    /// The options with the limits of this type, after they were read.
    package var bounded: ConnectionOptions? { ConnectionOptions(values) }

    /// Reads options.
    public init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([String: String].self)
    }

    /// Writes the options.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }
}
