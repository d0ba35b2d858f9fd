import Runtime

/// A fault that this program made in one of its own requests, or that its emulator made in the answer.
///
/// It explains a failure with certainty, so that nothing is said about the service, the token endpoint or the network.
public struct InjectedFault: Sendable, Hashable {
    /// Where a fault is made.
    public enum Place: String, Sendable, Hashable, CaseIterable, Codable {
        /// In this program, before or after a request of its own.
        case client
        /// In an emulator of this program, which has received the request.
        case emulator
    }

    /// What a fault does.
    public enum Effect: String, Sendable, Hashable, CaseIterable, Codable {
        /// The request was not sent.
        case unsent
        /// The answer was replaced, changed or cut off.
        case replaced
        /// The answer was delayed, or its time was changed; neither explains a failure.
        case altered
    }

    /// The names of the faults in the order of their beginning, such as `503`; of bounded length.
    public let names: [String]
    /// Where they were made.
    public let place: Place
    /// What they do together.
    public let effect: Effect

    /// The maximum number of names.
    private static let most = 8

    /// Creates a description of faults.
    package init(_ names: [String], _ place: Place, _ effect: Effect) {
        self.names = names.prefix(Self.most).map { EvidenceText.line($0, limit: 40) }
        (self.place, self.effect) = (place, effect)
    }

    /// The names as one text, separated by commas.
    public var name: String { names.joined(separator: ", ") }

    /// Whether the request was sent; a request that was not sent is not a call.
    public var isSent: Bool { effect != .unsent }

    /// Whether it explains that there is no usable answer or token.
    public var explainsFailure: Bool { effect != .altered }

    /// Whether a delay of this program is a part of the measured latency, or nothing was sent.
    public var changesLatency: Bool { place == .client }

    /// The name of the faults that change the time of an answer.
    package static let clock = "clock"

    /// Whether the time of the answer was changed.
    package var changesClock: Bool { names.contains(Self.clock) }
}

/// The header with which an emulator marks an answer that its faults have changed.
extension InjectedFault {
    /// The name of the header, in lower case.
    package static let header = "x-tripshare-fault"

    /// The value of the header: the effect and the names.
    package var headerValue: String { "\(effect.rawValue) \(name)" }

    /// Reads a value of the header; `nil` if it is none.
    package init?(headerValue text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let effect = Effect(rawValue: String(parts[0])), effect != .unsent else { return nil }
        let names = parts[1].split(separator: ",").map { EvidenceText.line(String($0), limit: 40) }
        self.init(names, .emulator, effect)
    }
}

extension InjectedFault: Codable {
    private enum Key: String, CodingKey {
        case names, place, effect
    }

    /// Reads a fault; its names are bounded.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            try values.decode([String].self, forKey: .names),
            try values.decode(Place.self, forKey: .place),
            try values.decode(Effect.self, forKey: .effect)
        )
    }

    /// Writes the fault.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(names, forKey: .names)
        try values.encode(place, forKey: .place)
        try values.encode(effect, forKey: .effect)
    }
}

extension Exchange {
    /// The injected fault that explains that it brought nothing usable; `nil` if none does.
    package var explanation: InjectedFault? { fault.flatMap { $0.explainsFailure ? $0 : nil } }
}

extension Failure {
    /// The injected fault that explains it; `nil` if none does.
    package var injected: InjectedFault? { exchange?.explanation ?? root.exchange?.explanation }
}
