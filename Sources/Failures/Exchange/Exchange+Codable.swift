import Runtime

/// Exchanges in recordings; what is read is bounded and redacted as if it were made anew.
extension Exchange: Codable {
    private enum Key: String, CodingKey {
        case medium, request, connection, answer, seconds, ending, fault
    }

    /// The longest duration that is read, in seconds.
    private static let longest = 1e9

    /// Reads an exchange.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let seconds = try values.decodeIfPresent(Double.self, forKey: .seconds) ?? 0
        self.init(
            try values.decode(Medium.self, forKey: .medium),
            try values.decode(Request.self, forKey: .request).bounded,
            connection: try values.decodeIfPresent(Connection.self, forKey: .connection)?.bounded,
            answer: try values.decodeIfPresent(Answer.self, forKey: .answer)?.bounded,
            duration: .seconds((0...Self.longest).contains(seconds) ? seconds : 0),
            ending: try values.decode(Ending.self, forKey: .ending),
            fault: try values.decodeIfPresent(InjectedFault.self, forKey: .fault)
        )
    }

    /// Writes the exchange.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(medium, forKey: .medium)
        try values.encode(request, forKey: .request)
        try values.encodeIfPresent(connection, forKey: .connection)
        try values.encodeIfPresent(answer, forKey: .answer)
        try values.encode(duration / .seconds(1), forKey: .seconds)
        try values.encode(ending, forKey: .ending)
        try values.encodeIfPresent(fault, forKey: .fault)
    }
}

extension Exchange.Ending: Codable {
    private enum Key: String, CodingKey {
        case how, code, number
    }

    /// Reads an ending; an unknown one counts as unavailable.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let number = try values.decodeIfPresent(Int.self, forKey: .number) ?? 0
        self =
            switch try values.decode(String.self, forKey: .how) {
            case "complete": .complete
            case "failed":
                .failed(FailureCode(rawValue: try values.decode(String.self, forKey: .code)) ?? .other)
            case "exited": .exited(number)
            case "killed": .killed(signal: number)
            default: .unavailable
            }
    }

    /// Writes the ending.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .complete: try values.encode("complete", forKey: .how)
        case .failed(let code):
            try values.encode("failed", forKey: .how)
            try values.encode(code.rawValue, forKey: .code)
        case .exited(let status):
            try values.encode("exited", forKey: .how)
            try values.encode(status, forKey: .number)
        case .killed(let signal):
            try values.encode("killed", forKey: .how)
            try values.encode(signal, forKey: .number)
        case .unavailable: try values.encode("unavailable", forKey: .how)
        }
    }
}

extension Exchange.Body.Content: Codable {
    private enum Key: String, CodingKey {
        case text, binary
    }

    /// Reads a content; without members it is empty.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        if let text = try values.decodeIfPresent(String.self, forKey: .text) {
            self = .text(text)
        } else {
            self = try values.decodeIfPresent(String.self, forKey: .binary).map { .binary(kind: $0) } ?? .empty
        }
    }

    /// Writes the content.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .empty: break
        case .text(let text): try values.encode(text, forKey: .text)
        case .binary(let kind): try values.encode(kind, forKey: .binary)
        }
    }
}
