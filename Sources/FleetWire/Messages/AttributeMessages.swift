import FleetEngineProtos
package import SwiftProtobuf
package import TripModel

/// `VehicleAttribute` and `TripAttribute`.
package protocol AttributeMessage: Message {
    var key: String { get set }
    var stringValue: String { get set }
    var boolValue: Bool { get set }
    var numberValue: Double { get set }
    /// The value of the only field for values that is set.
    var content: Attribute.Value? { get }
    /// A text outside of that field; only vehicles have one.
    var plainText: String { get set }
}

extension TripAttributeMessage: AttributeMessage {
    package var content: Attribute.Value? {
        switch tripAttributeValue {
        case .stringValue(let text): .text(text)
        case .boolValue(let flag): .flag(flag)
        case .numberValue(let number): .number(number)
        case nil: nil
        }
    }
    package var plainText: String {
        get { "" }
        set {}
    }
}

extension VehicleAttributeMessage: AttributeMessage {
    package var content: Attribute.Value? {
        switch vehicleAttributeValue {
        case .stringValue(let text): .text(text)
        case .boolValue(let flag): .flag(flag)
        case .numberValue(let number): .number(number)
        case nil: nil
        }
    }
    package var plainText: String {
        get { value }
        set { value = newValue }
    }
}

/// The maximum length of key and value together in a request, in characters; in an answer it applies to each.
private let longestAttribute = 256

extension AttributeMessage {
    package init(_ attribute: Attribute) {
        self.init()
        key = attribute.key
        switch attribute.value {
        case .text(let text): (plainText, stringValue) = (text, text)
        case .flag(let flag): boolValue = flag
        case .number(let number): numberValue = number
        }
    }

    /// The attribute of an answer; `nil` without a key or a value.
    package var attribute: Attribute? {
        guard let key = key.nonEmpty, let value = content ?? plainText.nonEmpty.map({ .text($0) }) else { return nil }
        return Attribute(key: key.bounded(to: longestAttribute), value: value.bounded(to: longestAttribute))
    }

    /// Returns the attribute of a request.
    ///
    /// Throws ``WireError`` if it breaks Fleet Engine's rules: a key without a colon, exactly one value, equal texts in both
    /// fields, at most 256 characters together.
    func checked(_ path: String) throws(WireError) -> Attribute {
        guard !key.isEmpty, !key.contains(":") else {
            throw .unexpected(path: "\(path).key", reason: "a key without a colon is expected")
        }
        var values = [content].compactMap(\.self)
        if let text = plainText.nonEmpty {
            if case .text(let other)? = content {
                guard text == other else {
                    throw .unexpected(path: "\(path).value", reason: "differs from stringValue")
                }
            } else {
                values.append(.text(text))
            }
        }
        guard values.count == 1 else {
            throw .unexpected(path: path, reason: "exactly one value is expected")
        }
        guard key.count + 1 + values[0].text.count <= longestAttribute else {
            throw .unexpected(path: path, reason: "longer than 256 characters")
        }
        return Attribute(key: key, value: values[0])
    }
}

extension Attribute.Value {
    fileprivate func bounded(to limit: Int) -> Attribute.Value {
        guard case .text(let text) = self else { return self }
        return .text(text.bounded(to: limit))
    }
}

extension Collection where Element: AttributeMessage {
    /// Returns the attributes of a request: at most 100, with unique keys.
    func checked(_ path: String) throws(WireError) -> [Attribute] {
        guard count <= 100 else { throw .unexpected(path: path, reason: "more than 100 attributes") }
        var attributes: [Attribute] = []
        for (index, message) in enumerated() {
            let attribute = try message.checked("\(path)[\(index)]")
            guard !attributes.contains(where: { $0.key == attribute.key }) else {
                throw .unexpected(path: "\(path)[\(index)].key", reason: "given twice")
            }
            attributes.append(attribute)
        }
        return attributes
    }
}
