import Runtime
import TripFeed

/// A parameter of a kind of fault.
struct FaultParameter: Sendable {
    private enum Form: Sendable {
        case number(ClosedRange<Double>)
        case integer(ClosedRange<Int>)
        case text
    }

    /// The key in scenarios and control requests.
    let key: String
    private let form: Form
    private var isRequired = true

    /// Creates a required duration in seconds.
    static func seconds(_ range: ClosedRange<Double>) -> FaultParameter {
        FaultParameter(key: "seconds", form: .number(range))
    }

    /// Creates a required whole number.
    static func integer(_ key: String, _ range: ClosedRange<Int>) -> FaultParameter {
        FaultParameter(key: key, form: .integer(range))
    }

    /// Creates a text.
    static func text(_ key: String) -> FaultParameter { FaultParameter(key: key, form: .text) }

    /// The same parameter, which may be omitted.
    var optional: FaultParameter {
        var parameter = self
        parameter.isRequired = false
        return parameter
    }

    /// Decodes the value; `nil` if the key is absent.
    func value(in container: KeyedDecodingContainer<AnyKey>) throws -> FaultValue? {
        let key = AnyKey(stringValue: key)
        return switch form {
        case .number: try container.decodeIfPresent(Double.self, forKey: key).map { .number($0) }
        case .integer: try container.decodeIfPresent(Int.self, forKey: key).map { .integer($0) }
        case .text: try container.decodeIfPresent(String.self, forKey: key).map { .text($0) }
        }
    }

    /// Throws the expected value if a value is not acceptable.
    func check(_ value: FaultValue?) throws(Fault.Problem) {
        let expected: String
        switch (form, value) {
        case (.number(let range), .number(let number)) where range.contains(number): return
        case (.integer(let range), .integer(let number)) where range.contains(number): return
        case (.text, .text): return
        case (_, nil) where !isRequired: return
        case (.number(let range), _): expected = "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        case (.integer(let range), _): expected = "a number from \(range.lowerBound) to \(range.upperBound)"
        case (.text, _): expected = "a text"
        }
        throw Fault.Problem(message: "\(key): \(expected) is expected")
    }
}

/// The value of a fault's parameter.
package enum FaultValue: Sendable, Hashable {
    case number(Double)
    case integer(Int)
    case text(String)

    func encode(to container: inout KeyedEncodingContainer<AnyKey>, forKey key: String) throws {
        let key = AnyKey(stringValue: key)
        switch self {
        case .number(let number): try container.encode(number, forKey: key)
        case .integer(let number): try container.encode(number, forKey: key)
        case .text(let text): try container.encode(text, forKey: key)
        }
    }
}

/// The checked values of a fault's parameters.
struct FaultValues: Sendable, Hashable {
    private var values: [String: FaultValue] = [:]

    /// Checks values against the parameters of a kind.
    init(_ values: [String: FaultValue], for kind: FaultKind) throws(Fault.Problem) {
        for key in values.keys.sorted() where !kind.parameters.contains(where: { $0.key == key }) {
            throw Fault.Problem(message: "\(key): the kind \(kind.name) has no such parameter")
        }
        for parameter in kind.parameters {
            try parameter.check(values[parameter.key])
            self.values[parameter.key] = values[parameter.key]
        }
    }

    subscript(key: String) -> FaultValue? { values[key] }

    /// The parameter `seconds`.
    var duration: Duration {
        guard case .number(let seconds)? = values["seconds"] else { return .zero }
        return Duration(clampedSeconds: seconds)
    }

    /// A whole number; `nil` if it is omitted.
    func integer(_ key: String) -> Int? {
        guard case .integer(let number)? = values[key] else { return nil }
        return number
    }

    /// A text; `nil` if it is omitted.
    func text(_ key: String) -> String? {
        guard case .text(let text)? = values[key] else { return nil }
        return text
    }
}
