/// An enum value of an answer: a name, or the number that ProtoJSON permits instead.
struct EnumName: Codable, Equatable {
    private let text: String

    init(_ name: String) { text = name }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            text = try container.decode(String.self)
        } catch let mismatch as DecodingError {
            // Another type than a number has the error of a text.
            guard let number = try? container.decode(Int32.self) else { throw mismatch }
            text = String(number)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// Returns the name of the value; a name or a number that the enum does not have is returned unchanged.
    func name(in names: ProtoShape) -> String { names.name(inQuery: text) ?? text }
}
