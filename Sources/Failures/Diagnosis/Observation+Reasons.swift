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
