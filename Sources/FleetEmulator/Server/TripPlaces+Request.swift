import FleetWire
import Runtime

extension TripPlaces {
    /// Removes the additional fields from all locations in the body of a request.
    ///
    /// - Returns: The fields of a trip's own locations.
    /// - Throws: INVALID_ARGUMENT for an invalid value and for a place without a point, because the emulator has no places.
    static func extract(from body: inout [UInt8]) throws(ServiceError) -> Places {
        // Almost no request has these fields, and JSON escapes in the names of fields are as rare.
        guard body.contains("place\"") || body.contains("ocationSource\"") || body.contains("ocation_source\""),
            var value = JSONValue(body)
        else { return [:] }
        var found: Places = [:]
        value = try strip(value, at: "", into: &found)
        body = JSONBytes.encode(value)
        return found.filter { $0.value.contains { $0 != Place() } }
    }

    private static func strip(
        _ value: JSONValue,
        at path: String,
        into found: inout Places
    ) throws(ServiceError) -> JSONValue {
        switch value {
        case .array(let values):
            var result: [JSONValue] = []
            for (index, element) in values.enumerated() {
                result.append(try strip(element, at: "\(path)[\(index)]", into: &found))
            }
            return .array(result)
        case .object(let members):
            let isLocation = isLocation(path)
            var (result, place): ([JSONValue.Member], Place) = ([], Place())
            for member in members {
                let name = FieldMask.camelCase(member.key)
                let inner = path.isEmpty ? name : "\(path).\(name)"
                switch name {
                case "place" where isLocation: place.name = try self.name(member.value, at: inner)
                case "pointLocationSource" where isLocation: place.source = try source(member.value, at: inner)
                default:
                    result.append(.init(key: member.key, value: try strip(member.value, at: inner, into: &found)))
                }
            }
            if place.name != nil, !result.contains(where: { $0.key == "point" && $0.value != .null }) {
                throw .invalidArgument("\(path): the emulator has no places, so a place needs its point.")
            }
            store(place, at: path, in: &found)
            return .object(result)
        case .null, .bool, .number, .string: return value
        }
    }

    /// Returns whether a path leads to a `TerminalLocation`.
    private static func isLocation(_ path: String) -> Bool {
        let field = path.split(separator: ".").last?.prefix { $0 != "[" } ?? ""
        return fields.contains(String(field)) || path.hasSuffix("].location") || path.hasSuffix("EndPoint.location")
    }

    private static func store(_ place: Place, at path: String, in found: inout Places) {
        guard let field = fields.first(where: { path == $0 || (path.hasPrefix("\($0)[") && path.hasSuffix("]")) })
        else { return }
        // Elements of a list without a place count, too, because the fields belong to the stop with the same index.
        if path != field || place != Place() { found[field, default: []].append(place) }
    }

    private static func name(_ value: JSONValue, at path: String) throws(ServiceError) -> String? {
        if value == .null { return nil }
        let parts = value.string?.split(separator: "/", omittingEmptySubsequences: false) ?? []
        guard let text = value.string, parts.count == 2, parts[0] == "places", !parts[1].isEmpty,
            text.unicodeScalars.count <= 512
        else { throw .invalidArgument("\(path): a name of the form places/{id} is expected") }
        return text
    }

    private static func source(_ value: JSONValue, at path: String) throws(ServiceError) -> String? {
        if value == .null { return nil }
        if let text = value.string, sources.contains(text) { return text }
        if let number = value.number.flatMap({ Int(exactly: $0) }), sources.indices.contains(number) {
            return sources[number]
        }
        throw .invalidArgument("\(path): one of \(sources.joined(separator: ", ")) is expected")
    }
}

extension [UInt8] {
    /// Returns whether the bytes contain an ASCII text.
    fileprivate func contains(_ text: StaticString) -> Bool {
        String(decoding: self, as: UTF8.self).contains(text.description)
    }
}
