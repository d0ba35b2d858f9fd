import Foundation
import Runtime

/// Calls in recordings.
///
/// A member that is absent has its default, so that a poll of this program has few members. What is read is bounded as if it
/// were made anew.
extension Call: Codable {
    private enum Key: String, CodingKey {
        case asker = "from"
        case answerer = "to"
        case operation = "op"
        case subject = "about"
        case request = "req"
        case answer = "ans"
        case connection = "conn"
        case started = "start"
        case ended = "end"
        case duration = "took"
        case token, cause, fault
        case credential = "cred"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let operation = try values.decodeIfPresent(String.self, forKey: .operation).map(Operation.init(rawValue:))
        let duration = try values.decodeIfPresent(Double.self, forKey: .duration)
        self.init(
            operation ?? .getTrip,
            from: try values.decodeIfPresent(Party.self, forKey: .asker) ?? .program,
            to: try values.decodeIfPresent(Party.self, forKey: .answerer) ?? .service,
            about: try values.decodeIfPresent(String.self, forKey: .subject) ?? "",
            try values.decode(Request.self, forKey: .request),
            try values.decodeIfPresent(Answer.self, forKey: .answer),
            started: try values.decode(CodedMoment.self, forKey: .started).moment,
            ended: try values.decode(CodedMoment.self, forKey: .ended).moment,
            duration: duration.map { Duration(clampedSeconds: $0) },
            token: try values.decodeIfPresent(Int.self, forKey: .token),
            fault: try values.decodeIfPresent(InjectedFault.self, forKey: .fault)
        )
        let connection = try values.decodeIfPresent(Exchange.Connection.self, forKey: .connection)
        if let connection { self.connection = connection.bounded }
        self.credential = try values.decodeIfPresent(Credential.self, forKey: .credential)?.bounded
        if let cause = try values.decodeIfPresent(String.self, forKey: .cause) { self.cause = Cause(rawValue: cause) }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        let parts = parts
        if parts.asker != .program { try values.encode(parts.asker, forKey: .asker) }
        if parts.answerer != .service { try values.encode(parts.answerer, forKey: .answerer) }
        if parts.operation != .getTrip { try values.encode(parts.operation.rawValue, forKey: .operation) }
        if !parts.subject.isEmpty { try values.encode(parts.subject, forKey: .subject) }
        try values.encode(parts.request, forKey: .request)
        try values.encodeIfPresent(parts.answer, forKey: .answer)
        try values.encodeIfPresent(parts.connection, forKey: .connection)
        try values.encode(CodedMoment(parts.started), forKey: .started)
        try values.encode(CodedMoment(parts.ended), forKey: .ended)
        // With microseconds, a replay could round it to another text.
        try values.encodeIfPresent(parts.duration.map { ($0.seconds * 1e9).rounded() / 1e9 }, forKey: .duration)
        try values.encodeIfPresent(parts.token, forKey: .token)
        try values.encodeIfPresent(parts.credential, forKey: .credential)
        try values.encodeIfPresent(parts.cause, forKey: .cause)
        try values.encodeIfPresent(parts.fault, forKey: .fault)
    }
}

/// A moment as a list: seconds on the steady clock, and the wall clock time in RFC 3339; both with microseconds.
private struct CodedMoment: Codable {
    let moment: Moment

    init(_ moment: Moment) { self.moment = moment }

    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        let steady = try values.decode(Double.self)
        guard let wall = Timestamp.date(try values.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: values, debugDescription: "not RFC 3339")
        }
        moment = Moment(wall: wall, steady: .nanoseconds(Int64((min(max(steady, -3e9), 3e9) * 1e9).rounded())))
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.unkeyedContainer()
        try values.encode((moment.steady.seconds * 1e6).rounded() / 1e6)
        try values.encode(Timestamp.text(moment.wall))
    }
}

/// Headers as one list of names and values in turn.
private struct CodedHeaders: Codable {
    let headers: [HeaderField]

    init(_ headers: [HeaderField]) { self.headers = headers }

    /// The headers as pairs.
    var pairs: [(name: String, value: String)] { headers.map { ($0.name, $0.value) } }

    init(from decoder: any Decoder) throws {
        let texts = try decoder.singleValueContainer().decode([String].self)
        headers = stride(from: 0, to: texts.count - 1, by: 2).map { HeaderField(name: texts[$0], value: texts[$0 + 1]) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(headers.flatMap { [$0.name, $0.value] })
    }
}

extension Call.Request: Codable {
    private enum Key: String, CodingKey {
        case medium = "via"
        case method, url, headers, body, options
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let medium = try values.decodeIfPresent(Exchange.Medium.self, forKey: .medium) ?? .http
        let method = try values.decodeIfPresent(String.self, forKey: .method) ?? Self.method(over: medium)
        let headers = try values.decodeIfPresent(CodedHeaders.self, forKey: .headers)
        self.init(
            medium: medium,
            method: method.map { EvidenceText.line($0, limit: 20) },
            url: Self.shown(try values.decode(String.self, forKey: .url)),
            headers: headers.map { Self.shown($0.pairs) } ?? Self.headers(over: medium),
            body: try values.decodeIfPresent(StoredBody.self, forKey: .body),
            options: try values.decodeIfPresent(ConnectionOptions.self, forKey: .options)?.bounded
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        if medium != .http { try values.encode(medium, forKey: .medium) }
        if method != Self.method(over: medium) { try values.encodeIfPresent(method, forKey: .method) }
        try values.encode(url, forKey: .url)
        if headers != Self.headers(over: medium) {
            try values.encode(CodedHeaders(headers), forKey: .headers)
        }
        try values.encodeIfPresent(body, forKey: .body)
        try values.encodeIfPresent(options, forKey: .options)
    }

    /// The headers of most requests.
    private static func headers(over medium: Exchange.Medium) -> [HeaderField] {
        switch medium {
        case .http: ownHeaders
        case .grpc: [authorization]
        case .command, .file, .variable: []
        }
    }

    /// The method of most requests.
    private static func method(over medium: Exchange.Medium) -> String? {
        switch medium {
        case .http: "GET"
        case .grpc: "POST"
        case .command, .file, .variable: nil
        }
    }
}

extension Call.Answer: Codable {
    private enum Key: String, CodingKey {
        case status
        case grpcStatus = "grpc"
        case headers, body
        case bytes = "size"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let headers = try values.decodeIfPresent(CodedHeaders.self, forKey: .headers)
        let body = try values.decodeIfPresent(StoredBody.self, forKey: .body)
        self.init(
            status: try values.decodeIfPresent(Int.self, forKey: .status),
            grpcStatus: try values.decodeIfPresent(Int.self, forKey: .grpcStatus),
            shown: headers.map { ExchangeHeaders.relevant($0.pairs) } ?? [],
            body: body,
            bytes: try values.decodeIfPresent(Int.self, forKey: .bytes).map(EvidenceText.size) ?? body?.size
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encodeIfPresent(status, forKey: .status)
        try values.encodeIfPresent(grpcStatus, forKey: .grpcStatus)
        if !headers.isEmpty { try values.encode(CodedHeaders(headers), forKey: .headers) }
        try values.encodeIfPresent(body, forKey: .body)
        if bytes != body?.size { try values.encodeIfPresent(bytes, forKey: .bytes) }
    }
}

/// A complete body is its text; an incomplete body is an object with the text and the size of the received body.
extension StoredBody: Codable {
    private enum Key: String, CodingKey {
        case text, size, cut
    }

    package init(from decoder: any Decoder) throws {
        // The other form is an object.
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self.init(redacting: Array(text.utf8))
            return
        }
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            AnswerText.redacted(Array(try values.decode(String.self, forKey: .text).utf8), isRefusal: false),
            ofSize: EvidenceText.size(try values.decode(Int.self, forKey: .size)),
            isCut: try values.decodeIfPresent(Bool.self, forKey: .cut) ?? false
        )
    }

    package func encode(to encoder: any Encoder) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        guard isCut || size != text.utf8.count else {
            var container = encoder.singleValueContainer()
            return try container.encode(text)
        }
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(text, forKey: .text)
        try values.encode(size, forKey: .size)
        if isCut { try values.encode(true, forKey: .cut) }
    }
}
