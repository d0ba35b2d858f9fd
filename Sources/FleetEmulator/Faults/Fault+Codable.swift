import Runtime
import TripFeed
import TripModel

/// The format of scenarios and control requests: `on`, `kind`, the kind's parameters, `count`, `lasts`, `path` and `marked`.
extension Fault: Codable {
    private static let keys = ["on", "kind"] + FaultKind.parameters.map(\.key) + ["count", "lasts", "path", "marked"]

    /// Decodes a fault; throws a `DecodingError` that names the expected value.
    package init(from decoder: any Decoder) throws {
        try decoder.refuseOtherKeys(than: Self.keys)
        let container = try decoder.container(keyedBy: AnyKey.self)
        let target = try container.decode(String.self, forKey: "on")
        let kind = try container.decode(String.self, forKey: "kind")
        var values: [String: FaultValue] = [:]
        for parameter in FaultKind.parameters { values[parameter.key] = try parameter.value(in: container) }
        // As for numbers below one, the error names the value: the decoder's own says that the text is not JSON.
        let number = try container.decodeIfPresent(Double.self, forKey: "count")
        let count = number.map { Int(exactly: $0) ?? 0 }
        let lasts = try container.decodeIfPresent(Double.self, forKey: "lasts")
        let path = try container.decodeIfPresent(String.self, forKey: "path")
        let isMarked = try container.decodeIfPresent(Bool.self, forKey: "marked") ?? true
        do throws(Problem) {
            guard let target = Target(rawValue: target) else {
                throw Problem(message: "on: engine, tokens or credentials is expected")
            }
            let duration = try lasts.map { (seconds) throws(Problem) in try Self.duration(seconds) }
            try self.init(target, kind, values, count: count, duration: duration, path: path, isMarked: isMarked)
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: error.message))
        }
    }

    private static func duration(_ seconds: Double) throws(Problem) -> Duration {
        guard seconds > 0, seconds <= 86_400 else { throw Problem(message: "lasts: seconds up to a day are expected") }
        return Duration(clampedSeconds: seconds)
    }

    /// Encodes the fault in the same format.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(target.rawValue, forKey: "on")
        try container.encode(kind.name, forKey: "kind")
        for parameter in kind.parameters { try values[parameter.key]?.encode(to: &container, forKey: parameter.key) }
        try container.encodeIfPresent(count, forKey: "count")
        try container.encodeIfPresent(duration?.seconds, forKey: "lasts")
        try container.encodeIfPresent(path, forKey: "path")
        if !isMarked { try container.encode(false, forKey: "marked") }
    }
}
