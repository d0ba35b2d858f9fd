/// What an attempt shows, in the terms of the clues.
struct Observation {
    /// The failure.
    let failure: Failure
    /// What happened before.
    let history: History
    /// The words of the answer in lower case: its message and the beginning of its text.
    let words: String
    /// The headers of the answer in lower case, as `name: value` lines.
    let headers: String

    init(_ failure: Failure, _ history: History) {
        (self.failure, self.history) = (failure, history)
        let body = failure.exchange?.answer?.body
        var text = body?.message ?? ""
        if case .text(let beginning)? = body?.content { text += "\n" + beginning }
        words = text.lowercased()
        headers = (failure.exchange?.answer?.headers ?? []).map { "\($0.name): \($0.value)" }.joined(separator: "\n")
            .lowercased()
    }

    var exchange: Exchange? { failure.exchange }
    var answer: Exchange.Answer? { exchange?.answer }
    var stage: FailureStage { failure.row.stage }

    /// The HTTP status of the answer; `nil` without one.
    var status: Int? { answer?.status ?? failure[.status] }

    /// Whether a token was asked for, not a trip, and not one of Google's services with the credentials of a backend.
    var isAboutTokens: Bool { failure.isOfSource && !failure.root.has(.isOfCredentials) }

    /// Whether the answer of a source lacks the key of the token, but has a token, or a key that names one.
    var hasTokenElsewhere: Bool {
        guard [.sourceMissingKey, .sourceMissingKeyAmong].contains(failure.code) else { return false }
        if words.contains("<token>") { return true }
        guard case .texts(let keys)? = failure.values[FailureList.known.rawValue] else { return false }
        return keys.map { $0.lowercased() }.contains { $0.contains("token") || $0.contains("jwt") }
    }

    /// Whether a host answered without a body.
    var isBodiless: Bool { status != nil && answer?.body?.content == .empty }

    /// Whether the settings of the source decide it.
    var isAboutSettings: Bool {
        isAboutTokens || failure.row.stage == .token && failure.row.party == .commandLine
    }

    /// Whether a time in a token is ahead of the clock that it was compared with.
    var isAheadOfClock: Bool { [.tokenIssuedInFuture, .tokenEndsTooFarAhead].contains(failure.code) }

    /// Whether a clock was compared with this machine's only, because nothing else shows the time.
    var comparesTwoClocks: Bool {
        [.clockBehind, .clockAhead].contains(failure.code) || isAheadOfClock && answer?.header("date") == nil
    }

    /// Whether the answer is a web page.
    var isPage: Bool {
        guard case .text(let text)? = answer?.body?.content else { return answer?.mediaType == "text/html" }
        // Frameworks send their plain messages with this type, too.
        if answer?.mediaType == "text/html" { return text.contains("<") }
        let beginning = text.drop { $0.isWhitespace }.prefix(15).lowercased()
        return beginning.hasPrefix("<!doctype html") || beginning.hasPrefix("<html")
    }

    /// Whether the answer is an error in a form for programs: JSON or XML.
    var isForPrograms: Bool {
        guard let type = answer?.mediaType else { return false }
        return type.hasSuffix("json") || type.hasSuffix("xml") || isOfAWS
    }

    /// Whether the answer has the form of JSON of the services of AWS.
    var isOfAWS: Bool { answer?.mediaType?.hasPrefix("application/x-amz-json") == true }

    /// Whether the answer came from the operator of the host: encrypted, with a certificate for it, without a proxy.
    var isFromHost: Bool {
        guard answer?.status != nil, let connection = exchange?.connection else { return false }
        return connection.isEncrypted && connection.proxy == nil
    }

    /// The requested host, in lower case; `nil` if nothing was requested from one.
    var requestedHost: Substring? {
        (exchange?.request.line.lowercased()).flatMap { Self.host(of: $0) }
    }

    /// Whether the request stayed on this machine without a proxy, so that no network was involved.
    var isLocal: Bool {
        guard let host = requestedHost, exchange?.connection?.proxy == nil else { return false }
        return host == "localhost" || host.hasPrefix("127.") || host == "[::1]"
    }

    /// Where a redirect leads, in lower case; `nil` if it is none.
    var location: String? { answer?.header("location")?.lowercased() }

    /// Whether a redirect leads to another host.
    var leadsElsewhere: Bool {
        guard let host = location.flatMap({ Self.host(of: $0) }), let requestedHost else { return false }
        // A host often sends its visitors from one of its names to another one.
        return host != requestedHost && !host.hasSuffix("." + requestedHost) && !requestedHost.hasSuffix("." + host)
    }

    /// A command that sends the same request without the proxy, or that shows a page whole; `nil` if it needs a body or a token.
    ///
    /// Any other request has the same result, and distinguishes no suspects.
    func check(among suspects: [Diagnosis.Suspect]) -> String? {
        guard isAboutTokens, exchange?.medium == .http, let line = exchange?.request.line, line.hasPrefix("GET "),
            !line.contains("?"), !line.contains("<")
        else { return nil }
        let isProxied = exchange?.connection?.proxy != nil
        guard isPage || isProxied && suspects.contains(where: { $0.party == .network }) else { return nil }
        let options = exchange?.connection?.options?.curl(isDirect: isProxied) ?? []
        let words = ["curl", "-i"] + (isProxied ? ["--noproxy", "'*'"] : []) + options
        return (words + [String(line.dropFirst(4))]).joined(separator: " ")
    }

    /// The title of a page, in lower case; `nil` if it has none.
    var title: Substring? {
        guard let open = words.firstRange(of: "<title"), let start = words[open.upperBound...].firstIndex(of: ">"),
            let end = words[start...].firstRange(of: "</title>")?.lowerBound
        else { return nil }
        let title = words[words.index(after: start)..<end].drop(while: \.isWhitespace)
        return title.lastIndex { !$0.isWhitespace }.map { title[...$0] }
    }

    /// Returns whether the answer contains one of these as whole words.
    func says(_ phrases: [String]) -> Bool { phrases.contains(where: words.hasWords) }

    /// Returns whether a header begins with one of these, such as `server: nginx`.
    func hasHeader(_ beginnings: [String]) -> Bool {
        beginnings.contains { headers.hasPrefix($0) || headers.contains("\n" + $0) }
    }

    private static func host(of url: String) -> Substring? {
        guard let start = url.firstRange(of: "//")?.upperBound else { return nil }
        let authority = url[start...].prefix { !"/?#".contains($0) }
        guard authority.hasPrefix("[") else { return authority.prefix { $0 != ":" } }
        return authority.prefix { $0 != "]" } + "]"
    }
}

/// What answers and certificates say about the reason of a failure.
extension Observation {
    /// Whether a server says that its port is for encrypted connections, and the request came in clear.
    var isTLSExpected: Bool {
        exchange?.connection?.isEncrypted == false && [400, 426].contains(status) && says(Marks.tlsExpected)
    }

    /// Whether the endpoint says that the login in the request is no longer valid: in the words of RFC 6750, or with the value of an
    /// error for programs.
    ///
    /// Without a login, an answer of RFC 6750 names no error.
    var isLoginRefused: Bool {
        guard status == 401 else { return false }
        let challenge = answer?.header("www-authenticate")?.lowercased() ?? ""
        if challenge.hasPrefix("bearer"), challenge.hasWords("invalid_token") { return true }
        return isForPrograms && Marks.loginErrors.contains { words.contains("\"\($0)\"") }
    }

    /// Whether the endpoint passes on that Google refused the account that signs the tokens.
    var isSigningRefused: Bool {
        isAboutTokens && (status ?? 0) >= 500 && !isPage
            && Marks.signingErrors.contains { words.hasWords($0) && words.contains($1) }
    }

    /// The issuer of the server's certificate, in lower case; `nil` if it is unknown.
    private var issuer: String? { exchange?.connection?.certificate?.issuer?.lowercased() }

    /// Whether the certificate belongs to a device or a program that reads encrypted connections.
    var isInspected: Bool { issuer.map { Marks.inspectors.contains(where: $0.hasWords) } ?? false }

    /// Whether the server made the certificate for its host, or uses it until it gets another certificate.
    var isProvisional: Bool {
        guard let issuer, !isInspected else { return false }
        return issuer == requestedHost.map(String.init) || Marks.provisionalIssuers.contains(where: issuer.hasWords)
    }
}
