import Runtime

/// An error answer of an OAuth token endpoint (RFC 6749, 5.2).
struct OAuthError: Error, Sendable, Equatable {
    /// The HTTP status.
    var status = 400
    /// The error code.
    var code: String
    /// The description; `nil` for none.
    var description: String?
    /// Google's addition about sign-in policies; `nil` for none.
    var subtype: String?

    static func invalidGrant(_ description: String) -> Self { Self(code: "invalid_grant", description: description) }
    static func invalidScope(_ description: String) -> Self { Self(code: "invalid_scope", description: description) }
    static func invalidRequest(_ description: String) -> Self {
        Self(code: "invalid_request", description: description)
    }
    static func invalidClient(_ description: String) -> Self {
        Self(status: 401, code: "invalid_client", description: description)
    }

    /// The answer.
    var response: PlainResponse {
        var members: [(String, JSONValue)] = [("error", .string(code))]
        if let description { members.append(("error_description", .string(description))) }
        if let subtype {
            members.append(("error_subtype", .string(subtype)))
            members.append(("error_uri", .string("https://support.google.com/a/answer/9368756")))
        }
        return .json(members, status: status)
    }
}

extension PlainResponse {
    /// Creates an answer that is a JSON object.
    static func json(_ members: [(String, JSONValue)], status: Int = 200) -> PlainResponse {
        let object = JSONValue.object(members.map { JSONValue.Member(key: $0.0, value: $0.1) })
        return PlainResponse(status: status, body: JSONBytes.encode(object))
    }
}
