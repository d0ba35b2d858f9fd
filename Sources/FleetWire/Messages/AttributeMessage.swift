import TripModel

/// `VehicleAttribute` and `TripAttribute`; on a vehicle, text is in both `value` and `stringValue`.
struct AttributeMessage: Codable, Equatable {
    var key: String?
    var value: String?
    var stringValue: String?
    var boolValue: Bool?
    var numberValue: Double?

    init(_ attribute: Attribute, ofVehicle: Bool) {
        key = attribute.key
        switch attribute.value {
        case .text(let text):
            stringValue = text
            if ofVehicle { value = text }
        case .flag(let flag): boolValue = flag
        case .number(let number): numberValue = number
        }
    }

    /// The attribute of an answer; `nil` without a key or a value.
    var attribute: Attribute? {
        guard let key, let value = contents.first else { return nil }
        return Attribute(key: key.bounded(to: Self.longest), value: value.bounded(to: Self.longest))
    }

    /// The maximum length of key and value together in a request, in characters; in an answer it applies to each.
    private static let longest = 256

    /// The values that are set; exactly one is required.
    private var contents: [Attribute.Value] {
        let text = (stringValue ?? value).map { Attribute.Value.text($0) }
        return [text, boolValue.map { .flag($0) }, numberValue.map { .number($0) }].compactMap(\.self)
    }

    /// Returns the attribute of a request.
    ///
    /// Throws ``WireError`` if it breaks Fleet Engine's rules: a key without a colon, exactly one value, equal texts in both
    /// fields, at most 256 characters together.
    func checked(_ path: String) throws(WireError) -> Attribute {
        guard let key, !key.isEmpty, !key.contains(":") else {
            throw .unexpected(path: "\(path).key", reason: "a key without a colon is expected")
        }
        if let value, let stringValue, value != stringValue {
            throw .unexpected(path: "\(path).value", reason: "differs from stringValue")
        }
        guard contents.count == 1, let value = contents.first else {
            throw .unexpected(path: path, reason: "exactly one value is expected")
        }
        guard key.count + 1 + value.text.count <= Self.longest else {
            throw .unexpected(path: path, reason: "longer than 256 characters")
        }
        return Attribute(key: key, value: value)
    }
}

extension Attribute.Value {
    fileprivate func bounded(to limit: Int) -> Attribute.Value {
        guard case .text(let text) = self else { return self }
        return .text(text.bounded(to: limit))
    }
}

extension [AttributeMessage] {
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
