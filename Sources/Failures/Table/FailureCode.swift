/// The codes of failures: one for each row of the table.
///
/// The raw value is unique. Its part before the dot is the family, the part after it the name for programs, unless the row has
/// another name.
public enum FailureCode: String, Sendable, Hashable, CaseIterable {
    // MARK: No complete answer
    case invalidURL = "transport.invalid_url"
    case refused = "transport.refused"
    case unknownHost = "transport.unknown_host"
    case tls = "transport.tls"
    case wrongPort = "transport.wrong_port"
    case unusableProxy = "transport.unusable_proxy"
    case proxyFailed = "transport.proxy_failed"
    case timedOut = "transport.timed_out"
    case connectionLost = "transport.connection_lost"
    case cutOff = "transport.cut_off"
    case tooLarge = "transport.too_large"
    case malformed = "transport.malformed"
    case cancelled = "transport.cancelled"
    case other = "transport.other"

    // MARK: The service's answer is no trip
    case badRequest = "service.bad_request"
    case unauthorized = "service.unauthorized"
    case forbidden = "service.forbidden"
    case forbiddenScope = "service.forbidden_scope"
    case apiDisabled = "service.api_disabled"
    case projectBlocked = "service.project_blocked"
    case projectUnknown = "service.project_unknown"
    case notFound = "service.not_found"
    case quotaExceeded = "service.quota_exceeded"
    case deadlineExceeded = "service.deadline_exceeded"
    case serviceUnavailable = "service.unavailable"
    case notModified = "service.not_modified"
    case otherStatus = "service.other_status"
    case foreignUnauthorized = "service.foreign_unauthorized"
    case foreignForbidden = "service.foreign_forbidden"
    case foreignNotFound = "service.foreign_not_found"
    case webPage = "service.web_page"
    case redirected = "service.redirected"
    case unreadable = "service.unreadable"
    case anotherTrip = "service.another_trip"

    // MARK: The source gives no token
    case sourceUnreachable = "source.unreachable"
    case sourceUnknownHost = "source.unreachable_unknown_host"
    case sourceNoRoute = "source.unreachable_no_route"
    case sourceInterrupted = "source.unreachable_interrupted"
    case sourceTLS = "source.unreachable_tls"
    case sourceWrongPort = "source.unreachable_wrong_port"
    case sourceProxy = "source.unreachable_proxy"
    case sourceUnusableProxy = "source.unusable_proxy"
    case sourceTimedOut = "source.timed_out"
    case sourceNotModified = "source.status_not_modified"
    case sourceLogin = "source.status_login"
    case sourcePath = "source.status_path"
    case sourceMethod = "source.status_method"
    case sourceRequestTimeout = "source.status_timeout"
    case sourceQuota = "source.status_quota"
    case sourceServer = "source.status_server"
    case sourceStatus = "source.status_other"
    case sourceRedirected = "source.redirected"
    case sourceHTML = "source.html"
    case sourceNotJSON = "source.not_json"
    case sourceMissingKey = "source.missing_key"
    case sourceMissingKeyAmong = "source.missing_key_among"
    case sourceErrorAnswer = "source.missing_key_error"
    case sourceEncodedJSON = "source.encoded_json"
    case sourceEncodedKey = "source.encoded_json_key"
    case sourceWrongType = "source.wrong_type"
    case sourceEmpty = "source.empty"
    case sourceTooLarge = "source.too_large"
    case sourceInvalidURL = "source.invalid_url"
    case sourceInsecureURL = "source.insecure_url"
    case sourceUnsupportedContext = "source.unsupported_context"
    case commandNotStarted = "source.command_not_started"
    case commandFailed = "source.command_failed"
    case commandKilled = "source.command_killed"
    case unreadableFile = "source.unreadable_file"
    case missingVariable = "source.missing_variable"
    case unusableHeader = "source.unusable_header"
    case badKey = "source.bad_key"
    case sourceCancelled = "source.cancelled"

    // MARK: The token may not be used
    case tokenMalformed = "fault.malformed"
    case tokenTooLong = "fault.too_long"
    case tokenOpaque = "fault.opaque"
    case tokenUnsigned = "fault.unsigned"
    case tokenWithoutExpiry = "fault.missing_expiry"
    case tokenExpiryInMilliseconds = "fault.expiry_in_milliseconds"
    case tokenExpired = "fault.expired"
    case tokenTooShort = "fault.too_short"
    case tokenNearlyOver = "fault.nearly_over"
    case tokenTooLongLived = "fault.too_long_lived"
    case tokenEndsTooFarAhead = "fault.ends_too_far_ahead"
    case tokenIssuedInFuture = "fault.issued_in_future"
    case tokenWrongAudience = "fault.wrong_audience"
    case tokenWithoutAuthorization = "fault.authorization_missing"
    case tokenBoundToAnother = "fault.bound_to_another"
    case tokenWrongKind = "fault.wrong_kind"
    case tokenOverBroad = "fault.over_broad"
    case tokenSameAgain = "fault.same_token_again"
    case tokenBearerPrefix = "fault.bearer_prefix"
    case tokenWrongExpiryUnit = "fault.wrong_expiry_unit"
    case tokenMisspelledClaim = "fault.misspelt_claim"
    case tokenMistypedTime = "fault.mistyped_time"
    case oauthAccessToken = "fault.oauth_access_token"
    case idToken = "fault.id_token"
    case apiKey = "fault.api_key"
    case sessionCookie = "fault.session_cookie"

    // MARK: The provider has no token
    case noAuthorizationContext = "token.no_authorization_context"
    case missingData = "token.missing_data"
    case tokenUnavailable = "token.unavailable"
    case tokenDenied = "token.denied"
    case tokenNotFound = "token.denied_not_found"
    case tokenUnusable = "token.unusable"
    case tokenRejected = "token.rejected_by_service"
    case tooShortLived = "token.too_short_lived"
    case tooManyKeys = "token.too_many_keys"
    case tooManyWaiters = "token.too_many_waiters"
    case tokenCancelled = "token.cancelled"
    case providerClosed = "token.closed"

    // MARK: The token is used nevertheless
    case expiryDisagreement = "warning.expiry_disagreement"
    case opaqueToken = "warning.opaque"
    case assumedLifetime = "warning.assumed_lifetime"
    case clockBehind = "warning.clock_differs_behind"
    case clockAhead = "warning.clock_differs_ahead"
    case shortLived = "warning.short_lived"
    case ignoredExpiryUnit = "warning.wrong_expiry_unit"
    case unusualAlgorithm = "warning.unusual_algorithm"
    case wildcard = "warning.wildcard"
    case surroundedBySpace = "warning.surrounded_by_space"
    case readableByOthers = "warning.readable_by_others"
    case noExpirationKey = "warning.no_expiration_key"
    case unreadableTime = "warning.unreadable_time"

    /// The name for programs without the family, such as `timed_out`.
    public var name: String { row.name ?? String(rawValue[rawValue.index(after: family.endIndex)...]) }

    /// The part of the raw value before the dot.
    package var family: Substring { rawValue.prefix { $0 != "." } }

    /// The code in JSON; `…` is replaced by the status of a token endpoint.
    package var nameInJSON: String {
        let name = name == "status" ? "STATUS_…" : name.uppercased()
        return switch family {
        case "transport": "TRANSPORT_\(name)"
        case "source": "TOKEN_\(row.stage == .sourceAnswer ? "MISSING_DATA" : "UNAVAILABLE").\(name)"
        case "fault": "TOKEN_UNUSABLE.\(name)"
        case "token": "TOKEN_\(name)"
        default: name
        }
    }
}
