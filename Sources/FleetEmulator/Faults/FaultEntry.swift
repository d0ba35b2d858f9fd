import TripModel

/// A fault in the format of scenarios and control requests.
package struct FaultEntry: Codable, Sendable, Equatable {
    /// The reason why an entry is invalid.
    package struct Problem: Error, Sendable, Equatable {
        package var message: String
    }

    var on: String
    var kind: String
    var status: Int?
    var retryAfter: Int?
    var body: String?
    var seconds: Double?
    var count: Int?
    var lasts: Double?
    var path: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case on
        case kind
        case status
        case retryAfter = "retry-after"
        case body
        case seconds
        case count
        case lasts
        case path
    }

    package init(from decoder: any Decoder) throws {
        try decoder.refuseOtherKeys(than: CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        on = try container.decode(String.self, forKey: .on)
        kind = try container.decode(String.self, forKey: .kind)
        status = try container.decodeIfPresent(Int.self, forKey: .status)
        retryAfter = try container.decodeIfPresent(Int.self, forKey: .retryAfter)
        body = try container.decodeIfPresent(String.self, forKey: .body)
        seconds = try container.decodeIfPresent(Double.self, forKey: .seconds)
        count = try container.decodeIfPresent(Int.self, forKey: .count)
        lasts = try container.decodeIfPresent(Double.self, forKey: .lasts)
        path = try container.decodeIfPresent(String.self, forKey: .path)
    }

    /// Creates the entry of a fault.
    package init(_ fault: Fault) {
        on = fault.target.rawValue
        (count, path) = (fault.count, fault.path)
        lasts = fault.duration?.seconds
        switch fault.kind {
        case .latency(let duration): (kind, seconds) = ("latency", duration.seconds)
        case .status(let code, let wait, let text): (kind, status, retryAfter, body) = ("status", code, wait, text)
        case .reset: kind = "reset"
        case .truncated: kind = "truncated"
        case .garbage: kind = "garbage"
        case .drip(let duration): (kind, seconds) = ("drip", duration.seconds)
        case .clock(let duration): (kind, seconds) = ("clock", duration.seconds)
        case .expiredToken: kind = "expired-token"
        case .wrongToken: kind = "wrong-token"
        case .oversizedToken: kind = "oversized-token"
        case .lifetime(let duration): (kind, seconds) = ("lifetime", duration.seconds)
        }
    }

    /// Returns the fault; throws ``Problem`` with the expected value.
    package func fault() throws(Problem) -> Fault {
        guard let target = Fault.Target(rawValue: on) else {
            throw Problem(message: "on: engine or tokens is expected")
        }
        if let count, count < 1 { throw Problem(message: "count: a number from 1 is expected") }
        if let lasts, !(lasts > 0 && lasts <= 86_400) {
            throw Problem(message: "lasts: seconds up to a day are expected")
        }
        return Fault(target, try faultKind(), count: count, duration: lasts.map { .seconds($0) }, path: path)
    }

    private func faultKind() throws(Problem) -> Fault.Kind {
        switch kind {
        case "latency": return .latency(try time(0...600))
        case "status":
            guard let status, (300...599).contains(status) else {
                throw Problem(message: "status: a number from 300 to 599 is expected")
            }
            return .status(status, retryAfter: retryAfter, body: body)
        case "reset": return .reset
        case "truncated": return .truncated
        case "garbage": return .garbage
        case "drip": return .drip(try time(0...600))
        case "clock": return .clock(try time(-86_400...86_400))
        case "expired-token": return .expiredToken
        case "wrong-token": return .wrongToken
        case "oversized-token": return .oversizedToken
        case "lifetime": return .lifetime(try time(1...7200))
        default:
            throw Problem(
                message: "kind: one of latency, status, reset, truncated, garbage, drip, clock, expired-token, "
                    + "wrong-token, oversized-token, lifetime is expected"
            )
        }
    }

    private func time(_ range: ClosedRange<Double>) throws(Problem) -> Duration {
        guard let seconds, range.contains(seconds) else {
            throw Problem(message: "seconds: a number from \(range.lowerBound) to \(range.upperBound) is expected")
        }
        return .seconds(seconds)
    }
}

extension Decoder {
    /// Throws if a mapping has an unknown key, which is probably a typo.
    func refuseOtherKeys<Key: CodingKey & CaseIterable>(than type: Key.Type) throws {
        let known = type.allCases.map(\.stringValue)
        for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: codingPath + [key],
                    debugDescription: "\(key.stringValue) is not known here; known are \(known.joined(separator: ", "))"
                )
            )
        }
    }
}

/// Any key.
struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
