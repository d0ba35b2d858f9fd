import Failures

/// A value of a failure: the member that is not `nil`.
package struct RecordedValue: Sendable, Codable, Equatable {
    /// A text without secrets.
    package var text: String?
    /// Several texts.
    package var texts: [String]?
    /// The key of a name in the program's texts.
    package var term: String?
    /// A number.
    package var number: Int?
    /// A size in bytes.
    package var bytes: Int?
    /// A duration in seconds.
    package var seconds: Double?
}

extension RecordedValue {
    init(_ value: FailureValue) {
        switch value {
        case .text(let text): self.text = RecordedText.redacted(text)
        case .texts(let texts): self.texts = texts.prefix(20).map { RecordedText.redacted($0) }
        case .term(let key): term = key.rawValue
        case .number(let number): self.number = number
        case .bytes(let bytes): self.bytes = bytes
        case .duration(let duration): seconds = duration.recorded
        }
    }

    var failureValue: FailureValue? {
        if let text { return .text(text) }
        if let texts { return .texts(Array(texts.prefix(20))) }
        // A file may hold any text here.
        if let term { return TextKey(rawValue: term).map(FailureValue.term) }
        if let number { return .number(number) }
        if let bytes { return .bytes(bytes) }
        return seconds.map { .duration(Duration(recorded: $0)) }
    }
}
