import TripModel

/// `VehicleAttribute` and `TripAttribute`: on a vehicle a text stands in `value` and in `stringValue`.
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

    /// The attribute of an answer; `nil` where it has no key or no value.
    var attribute: Attribute? {
        guard let key, let value = contents.first else { return nil }
        return Attribute(key: key.bounded(to: Self.longest), value: value.bounded(to: Self.longest))
    }

    /// The most that key and value may have together, in characters; in answers each may have as much.
    private static let longest = 256

    /// The values that are given: there has to be exactly one.
    private var contents: [Attribute.Value] {
        let text = (stringValue ?? value).map { Attribute.Value.text($0) }
        return [text, boolValue.map { .flag($0) }, numberValue.map { .number($0) }].compactMap(\.self)
    }

    /// The attribute of a request.
    ///
    /// Throws ``WireError`` where the rules of the reference (section 1.8) are broken: a key without a colon, one value, both
    /// texts the same, at most 256 characters together.
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
    /// The attributes of a request: at most 100, each key once.
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
