import Runtime
import TripFeed
import TripModel

/// An injected failure of one endpoint's answers: a kind from the fault table with its parameters, and when it applies.
package struct Fault: Sendable {
    /// The endpoint whose answers fail.
    package enum Target: String, Sendable, Hashable, CaseIterable {
        case engine
        case tokens
        /// The endpoints of Google's other hosts.
        case credentials
    }

    /// The reason why a fault is invalid.
    package struct Problem: Error, Sendable, Equatable {
        package var message: String
    }

    /// The endpoint.
    package let target: Target
    let kind: FaultKind
    let values: FaultValues
    /// The number of answers that fail; `nil` for no limit.
    let count: Int?
    /// The duration of the fault in the emulator's time; `nil` until it is removed.
    let duration: Duration?
    /// A filter: the request's method and path must contain all of these words; `nil` matches all requests.
    let path: String?
    /// Whether an answer says that the fault has changed it; without this mark it is like an answer of the real service.
    let isMarked: Bool

    /// Creates a fault; without count and duration it lasts until it is removed.
    ///
    /// Throws ``Problem`` with the expected value.
    package init(
        _ target: Target,
        _ kind: String,
        _ values: [String: FaultValue] = [:],
        count: Int? = nil,
        duration: Duration? = nil,
        path: String? = nil,
        isMarked: Bool = true
    ) throws(Problem) {
        guard let known = FaultKind.all.first(where: { $0.name == kind }) else {
            let names = FaultKind.all.map(\.name).joined(separator: ", ")
            throw Problem(message: "kind: one of \(names) is expected")
        }
        guard known.targets.contains(target) else {
            let names = known.targets.map(\.rawValue).sorted().joined(separator: " or ")
            throw Problem(
                message: "on: \(names) is expected, because the kind \(kind) has no effect on \(target.rawValue)"
            )
        }
        if let count, count < 1 { throw Problem(message: "count: a number from 1 is expected") }
        if let duration, !(duration > .zero && duration <= .seconds(86_400)) {
            throw Problem(message: "lasts: seconds up to a day are expected")
        }
        (self.target, self.kind, self.count, self.duration, self.path) = (target, known, count, duration, path)
        self.isMarked = isMarked
        self.values = try FaultValues(values, for: known)
    }

    /// Returns whether it closes the connection of a request to the service before its answer is complete.
    package func closesConnection(of request: String) -> Bool {
        target == .engine && matches(request) && FaultEffects([self]).isCutOff
    }

    /// Returns whether the fault applies to a request in the form `GET /v1/providers/…`.
    func matches(_ request: String) -> Bool {
        (path ?? "").split(separator: " ").allSatisfy { request.contains($0) }
    }
}

extension Fault: Equatable {
    /// Returns whether two faults have the same effect on the same answers.
    package static func == (left: Self, right: Self) -> Bool {
        left.target == right.target && left.kind.name == right.kind.name && left.values == right.values
            && left.count == right.count && left.duration == right.duration && left.path == right.path
            && left.isMarked == right.isMarked
    }
}

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
