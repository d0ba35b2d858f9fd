import FleetWire
import Foundation

/// A request as far as the routes look at it.
struct PlainRequest: Sendable {
    /// The method, in capitals.
    var method: String
    /// The segments of the path, percent-decoded each on its own; empty where one can't be.
    var segments: [String]
    /// Names and values of the query, percent-decoded.
    var query: [(name: String, value: String)]
    /// The `Authorization` header.
    var authorization: String?
    /// The body.
    var body: [UInt8]
    /// The path as it came, percent-encoded.
    var path: String
    /// The `Content-Type` header.
    var contentType: String?
    /// The secret for a token endpoint that signs with real keys.
    var secret: String?

    /// Takes a request target apart; `nil` where it is not a path.
    init?(
        method: String,
        target: String,
        authorization: String?,
        body: [UInt8],
        contentType: String? = nil,
        secret: String? = nil
    ) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first, path.hasPrefix("/") else { return nil }
        var segments: [String] = []
        for segment in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let decoded = PercentEncoding.decode(segment) else { return nil }
            segments.append(decoded)
        }
        var query: [(String, String)] = []
        for field in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(pair[0]),
                let value = PercentEncoding.decode(pair.count > 1 ? pair[1] : "")
            else { return nil }
            query.append((name, value))
        }
        self.method = method
        self.path = String(path)
        self.contentType = contentType
        self.secret = secret
        self.segments = segments
        self.query = query
        self.authorization = authorization
        self.body = body
    }

    /// The last value of a parameter, by its name in camelCase or snake_case.
    func parameter(_ name: String) -> String? {
        query.last { FieldMask(text: $0.name).paths == [name] }?.value
    }
}

/// An answer before it is put on the wire.
struct PlainResponse: Sendable {
    /// How it reaches the other side.
    enum Delivery: Sendable, Equatable {
        case whole
        /// Not at all: the connection is closed.
        case reset
        /// Half of the body, and then the connection is closed.
        case cutOff
        /// Bit by bit.
        case drip(Duration)
    }

    var status: Int
    var body: [UInt8]
    /// Further headers.
    var headers: [(name: String, value: String)] = []
    /// What the `Date` header says where it is not the time.
    var date: Date?
    var delivery = Delivery.whole

    /// An error in Google's form.
    static func error(_ error: ServiceError) -> PlainResponse {
        PlainResponse(status: error.httpStatus, body: error.body)
    }
}
