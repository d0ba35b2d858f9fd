/// A sentence on a token, in English and as something that can be told in any language.
///
/// Written as a literal it keeps its form apart from what was put into it: `"It expired \(.span(90)) ago."` has the form
/// `It expired {0} ago.`, by which a translation is found.
public struct TokenSentence: Sendable, Equatable, ExpressibleByStringInterpolation {
    /// What stands in the place of `{0}`, `{1}` and so on.
    public enum Value: Sendable, Equatable {
        /// A text that is the same in every language, such as a claim; it comes from outside and is not yet printable.
        case text(String)
        /// A length of time in seconds.
        case span(Double)
    }

    /// What was put between the words of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var form = ""
        fileprivate var values: [Value] = []

        /// Begins with nothing.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds words of the form.
        public mutating func appendLiteral(_ literal: String) { form += literal }

        /// Puts in a value.
        public mutating func appendInterpolation(_ value: Value) {
            form += "{\(values.count)}"
            values.append(value)
        }

        /// Puts in a text as it is.
        public mutating func appendInterpolation(_ text: String) { appendInterpolation(.text(text)) }

        /// Puts in a number.
        public mutating func appendInterpolation(_ number: Int) { appendInterpolation(.text(String(number))) }
    }

    /// The English words, with `{0}`, `{1}` … where the values go.
    public let form: String
    /// The values in their order.
    public let values: [Value]

    /// A sentence of nothing but its form.
    public init(stringLiteral value: String) {
        form = value
        values = []
    }

    /// A sentence with values in it.
    public init(stringInterpolation: StringInterpolation) {
        form = stringInterpolation.form
        values = stringInterpolation.values
    }

    /// The whole sentence in English.
    public var english: String {
        var text = ""
        var rest = form[...]
        for (index, value) in values.enumerated() {
            guard let place = rest.firstRange(of: "{\(index)}") else { break }
            text += rest[..<place.lowerBound]
            switch value {
            case .text(let words): text += words
            case .span(let seconds): text += Self.words(seconds)
            }
            rest = rest[place.upperBound...]
        }
        return text + rest
    }

    private static func words(_ seconds: Double) -> String {
        let bounded = Int(min(max(seconds, 0), 1e12).rounded())
        switch bounded {
        case ..<60: return "\(bounded) s"
        case ..<3600: return "\(bounded / 60) min" + (bounded % 60 == 0 ? "" : " \(bounded % 60) s")
        case ..<172_800: return "\(bounded / 3600) h" + (bounded / 60 % 60 == 0 ? "" : " \(bounded / 60 % 60) min")
        default: return "\(bounded / 86400) days"
        }
    }
}
