/// Who sent the answer.
extension Observation {
    /// How the attempt ended without a complete answer; `nil` if there was one.
    var ending: FailureCode? {
        switch exchange?.ending {
        case .failed(let code)?: return code
        case .complete?, .exited?, .killed?, .unavailable?: return nil
        case nil: break
        }
        guard failure.code.family == "transport" else { return nil }
        let namesEnding = [.refused, .unknownHost, .connectionLost, .timedOut, .tls].contains(failure.code)
        return failure.asked == .service || namesEnding ? failure.code : nil
    }

    /// Whether the body is not text.
    var isBinary: Bool { if case .binary? = answer?.body?.content { true } else { false } }

    // MARK: Kinds of answers

    /// Whether the answer redirects.
    var isRedirect: Bool { (300..<400).contains(status ?? 0) && status != 304 }

    /// Whether a firewall or a check for bots sent the answer: its headers say so, or a page demands a browser or a person.
    var isChallenge: Bool {
        if hasHeader(Self.firewalls) { return (status ?? 200) >= 400 || isPage }
        guard isPage, !isSessionExpected else { return false }
        // Sites that are drawn by scripts ask for them, too, but not as an error.
        guard (status ?? 200) >= 400 else { return says(Self.challenges) }
        return says(Self.challenges + Self.challengeWords)
            || hasHeader(Self.contentNetworks) && [403, 406, 429, 503].contains(status)
    }

    /// Whether the answer asks for signing in: a redirect or a form.
    var isSignIn: Bool {
        if hasHeader(["x-goog-iap-generated-response", "x-goog-authenticated-user"]) { return true }
        if isRedirect, let location { return Self.signInWords.contains(where: location.contains) }
        return isPage && !isRedirect && says(Self.signInForms)
    }

    /// Whether the answer is that of a proxy that opens no tunnel to the host.
    private var isRefusedTunnel: Bool {
        answer != nil && [.proxyFailed, .unusableProxy].contains(failure.root.code)
    }

    /// Whether the answer itself says that a proxy made it.
    var isMarkedByProxy: Bool {
        if isRefusedTunnel || status == 407 || hasHeader(["proxy-authenticate", "x-squid-error", "proxy-status"]) {
            return true
        }
        return isReadByProxy && namesProxy && (status ?? 0) >= 400
    }

    /// Whether a proxy that this machine uses sent the answer: its marks say so, or it is a page in place of an answer for programs.
    var isFromProxy: Bool { isMarkedByProxy || isReadByProxy && isPage && (status ?? 0) >= 400 }

    /// Whether a proxy that this machine uses passes on the answer in clear: it sees none of an encrypted connection.
    var isReadByProxy: Bool {
        exchange?.connection?.proxy != nil && exchange?.connection?.isEncrypted == false
    }

    /// Whether headers name a proxy as the server of the answer.
    private var namesProxy: Bool { hasHeader(Self.proxies) }

    /// Whether a proxy that this machine uses could have sent an error, which has neither its marks nor a form for programs.
    var mayBeFromProxy: Bool {
        isReadByProxy && !isFromProxy && !isForPrograms && (400..<600).contains(status ?? 0)
    }

    /// Whether headers say that a proxy passed on the answer, or made it.
    var isViaProxy: Bool { hasHeader(["via:"]) }

    /// Whether a device between this machine and the host could have sent the answer.
    var mayBeIntercepted: Bool {
        exchange?.connection?.isEncrypted == false && exchange?.medium == .http && !isLocal
    }

    /// Whether the network around this machine redirects or shows a page instead of what was asked for.
    var isPortal: Bool {
        guard mayBeIntercepted, !isFromEndpoint, !isChallenge else { return false }
        return status == 511 || leadsElsewhere || isPage && (status ?? 0) < 300 && !isSignIn
    }

    /// Whether a gateway says that the server behind it did not answer.
    var isDeadUpstream: Bool {
        guard let status, !isChallenge, !isFromProxy else { return false }
        // A 503 may be the server's own, the others are made by what asks it.
        let isOfGateway = [502, 504].contains(status) || (520...530).contains(status)
        guard isOfGateway || status == 503 && (hasHeader(Self.gateways) || says(Self.upstreamWords)) else {
            return false
        }
        return !isForPrograms || says(Self.upstreamWords)
    }

    /// Whether a gateway sent the answer in its own name and by its own rules: its failures are those of the server behind it.
    var isFromGateway: Bool {
        guard let status, (400..<500).contains(status) else { return false }
        if [.foreignUnauthorized, .foreignForbidden].contains(failure.code) { return true }
        if !isAboutTokens, stage == .service, status != 404, !isOfGoogle { return true }
        if says(Self.gatewayWords) { return true }
        // What a mesh has passed on is the server's.
        guard answer?.header("x-envoy-upstream-service-time") == nil else { return false }
        if hasHeader(Self.gatewayErrors) { return true }
        return isPage && hasHeader(Self.gateways) && answer?.header("x-powered-by") == nil
            && [400, 403, 405, 406, 408, 413, 414, 429, 431, 494, 497].contains(status)
    }

    /// Whether the answer has the form of an error of Google's services.
    var isOfGoogle: Bool {
        exchange == nil || exchange?.medium == .grpc || words.contains("\"error\"") && words.contains("\"code\"")
    }

    /// Whether the endpoint itself sent the answer: an error for programs, or plain text.
    var isFromEndpoint: Bool {
        answer?.status != nil && !isRefusedTunnel && !isRedirect && !isPage && !isFromGateway && !isChallenge
            && !isSignIn
            && !(status == 407 || hasHeader(["x-squid-error", "proxy-authenticate"]) || isReadByProxy && namesProxy)
    }

    /// Whether the answer is a page without a further mark.
    var isPlainPage: Bool {
        isPage && !isChallenge && !isSignIn && !isFromProxy && !isDeadUpstream && !isRedirect && !isRuntimeError
            && (status ?? 200) < 500
    }

    /// Whether the answer shows an error of the language or the framework that the endpoint is written in.
    var isRuntimeError: Bool { says(Self.runtimeErrors) }

    /// Whether the endpoint expects a browser's session: 419, or words about a forged request.
    var isSessionExpected: Bool {
        status == 419 || [400, 403, 422].contains(status) && !isSignIn && says(Self.sessionWords)
    }

    /// Whether a successful answer reports an error.
    var isErrorReport: Bool {
        if failure.code == .sourceErrorAnswer { return true }
        guard case .text(let text)? = answer?.body?.content else { return false }
        let beginning = text.lowercased().replacing(" ", with: "")
        return ["\"errors\"", "\"error\"", "\"exception\"", "\"fault\"", "\"success\":false", "\"ok\":false"].contains {
            beginning.contains($0)
        }
    }

    // MARK: Marks

    /// Headers of answers that proxies make.
    private static let proxies = [
        "server: squid", "server: tinyproxy", "server: privoxy", "server: bluecoat", "server: mitmproxy",
        "server: mcafee", "server: zscaler", "x-squid-", "proxy-agent:",
    ]
    /// Headers of firewalls and checks for bots.
    private static let firewalls = [
        "cf-mitigated:", "x-amzn-waf-", "x-datadome", "x-sucuri-block", "x-sucuri-id", "server: ddos-guard",
        "server: sucuri", "x-akamai-edgescape-block", "server: big-ip asm", "x-iinfo:",
    ]
    /// Headers of networks that deliver content and check visitors.
    private static let contentNetworks = [
        "server: cloudflare", "server: akamaighost", "server: imperva", "server: cloudfront", "cf-ray:",
        "server: fastly", "server: edge", "x-cdn:",
    ]
    /// What pages contain that check whether a person is there.
    private static let challenges = [
        "captcha", "challenge-platform", "challenge-form", "cf-chl", "_incapsula_", "are a human", "are human",
        "not a robot", "are you a robot", "support id", "incident id", "checking your browser", "browser check",
        "bot protection",
    ]
    /// What pages of firewalls say.
    private static let challengeWords = [
        "enable javascript", "enable cookies", "web application firewall", "reference #",
        "ray id", "attack", "security check", "request blocked", "request was blocked", "has been blocked", "automated",
    ]
    /// What languages and frameworks print.
    private static let runtimeErrors = [
        "traceback (most recent call last)", "fatal error", "<b>warning</b>", "<b>notice</b>", "stack trace",
        "unhandled exception", "nullpointerexception", "undefined method", "segmentation fault",
    ]
    /// Parts of addresses for signing in.
    private static let signInWords = [
        "login", "signin", "sign-in", "sign_in", "/auth", "oauth", "saml", "sso", "accounts.google.com",
        "microsoftonline", "okta", "openid", "/idp", "session/new",
    ]
    /// What forms for signing in contain.
    private static let signInForms = [
        "type=\"password\"", "type='password'", "type=password", "samlrequest", "g_id_onload", "sign in with",
        "log in with", "/oauth2/start", "/oauth2/sign_in", "action=\"/login", "<title>sign in", "<title>log in",
    ]
    /// Servers in front of others.
    private static let gateways = [
        "server: nginx", "server: openresty", "server: envoy", "server: istio", "server: awselb", "server: haproxy",
        "server: cloudflare", "server: akamaighost", "server: traefik", "server: kong", "server: varnish",
        "server: caddy", "server: apache", "server: google frontend", "server: gfe", "server: microsoft-azure",
        "server: cloudfront", "server: fastly", "via:", "x-envoy-", "x-kong-", "x-azure-ref", "x-amz-cf-id", "cf-ray",
        "x-served-by",
    ]
    /// Headers of errors that gateways make.
    private static let gatewayErrors = [
        "x-amzn-errortype:", "x-kong-response-", "x-envoy-local", "x-error-source: gateway",
    ]
    /// Words of errors that gateways make in forms for programs.
    private static let gatewayWords = [
        "no route matched", "rbac: access denied", "missing authentication token", "upstream connect error",
        "fault filter abort", "no healthy upstream", "access denied due to missing subscription key", "jwt is missing",
        "no api key found", "faultstring", "protocols.http", "steps.", "rejected by policy", "ext_authz",
        "local_rate_limited",
        "unregistered callers",
    ]
    /// What gateways say about the servers behind them.
    private static let upstreamWords = [
        "upstream", "bad gateway", "gateway timeout", "gateway time-out", "no healthy", "origin", "backend",
        "service unavailable",
    ]
    /// What frameworks say about requests without a browser's session.
    private static let sessionWords = ["csrf", "xsrf", "page expired", "authenticity token", "antiforgery", "forgery"]
}
