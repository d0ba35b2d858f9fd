/// The key of a text in `Assets/Strings`, without the suffix of a plural form or a context.
///
/// Its members are generated from the English file, so that the compiler finds a misspelt key.
public struct TextKey: RawRepresentable, Hashable, Sendable {
    /// The key in the files.
    public let rawValue: String

    private static let known = Set(all.map(\.rawValue))

    /// Creates a key from its name in the files; `nil` if no text has it.
    public init?(rawValue: String) {
        guard Self.known.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Creates a key that exists, for the generated members.
    init(_ name: String) { rawValue = name }

    /// All keys, in the order of the English file.
    package static let all = names.split(whereSeparator: \.isWhitespace).map { TextKey(String($0)) }
}
