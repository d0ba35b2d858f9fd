import Failures

/// Failures that a server in front of the token endpoint or the service causes or reports.
extension CauseGenerator {
    mutating func gateway() -> InjectedCause {
        switch number(4) {
        case 0: upstreamLost()
        case 1: signIn()
        case 2: unmarked()
        default: refused()
        }
    }

    /// The server behind the gateway is gone: the gateway says so, and both parties are right.
    private mutating func upstreamLost() -> InjectedCause {
        let parties: Set<Party> = [.gateway, .tokenEndpoint]
        switch number(8) {
        case 0:
            let status = pick([(502, "Bad Gateway"), (504, "Gateway Time-out")])
            let title = "\(status.0) \(status.1)"
            let content = "<center><h1>\(title)</h1></center><hr><center>nginx/1.24.0</center>"
            return page("nginx", .gateway, parties, status.0, [("server", "nginx/1.24.0")], title: title, content)
        case 1:
            let reason = pick(["connection failure", "connection termination", "overflow"])
            let body = "upstream connect error or disconnect/reset before headers. reset reason: \(reason)"
            return plain("Envoy", .gateway, parties, 503, [("server", pick(["envoy", "istio-envoy"]))], body)
        case 2: return plain("Envoy", .gateway, parties, 503, [("server", "envoy")], "no healthy upstream")
        case 3:
            let content = "<h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n"
            return page("HAProxy", .gateway, parties, 503, [("cache-control", "no-cache")], title: "", content)
        case 4:
            let error = pick([
                (521, "Web server is down"), (522, "Connection timed out"), (523, "Origin is unreachable"),
            ])
            let headers = [(name: "server", value: "cloudflare"), ("cf-ray", "\(hex(16))-AMS")]
            let title = "tokens.example | \(error.0): \(error.1)"
            return page(
                "Cloudflare",
                .gateway,
                parties,
                error.0,
                headers,
                title: title,
                "Error code \(error.0) \(text(1))"
            )
        case 5:
            let title = pick(["502 Bad Gateway", "503 Service Temporarily Unavailable"])
            let content = "<center><h1>\(title)</h1></center>"
            let status = title.hasPrefix("502") ? 502 : 503
            return page("AWS ALB", .gateway, parties, status, [("server", "awselb/2.0")], title: title, content)
        case 6:
            let headers = [(name: "server", value: "Varnish"), ("x-varnish", digits(8)), ("via", "1.1 varnish")]
            let content = "<h1>Error 503 Backend fetch failed</h1><h3>Guru Meditation:</h3><p>XID: \(digits(6))</p>"
            return page("Varnish", .gateway, parties, 503, headers, title: "503 Backend fetch failed", content)
        default:
            let headers = [(name: "server", value: "Microsoft-Azure-Application-Gateway/v2")]
            let content = "<center><h1>502 Bad Gateway</h1></center>"
            return page("Azure", .gateway, parties, 502, headers, title: "502 Bad Gateway", content)
        }
    }

    /// A rule of the gateway refuses the request.
    private mutating func refused() -> InjectedCause {
        switch number(9) {
        case 0:
            let headers = [(name: "server", value: "cloudflare"), ("cf-mitigated", "challenge"), ("cf-ray", hex(16))]
            let title = pick(["Just a moment...", "Einen Moment…", "잠시만 기다리십시오…", "请稍候…"])
            return page(
                "Cloudflare challenge",
                .gateway,
                [.gateway],
                403,
                headers,
                title: title,
                "<noscript>\(sentence())</noscript>"
            )
        case 1:
            let headers = [(name: "server", value: "cloudflare"), ("cf-ray", "\(hex(16))-FRA")]
            let content = "<h1>Error 1020</h1><p>Ray ID: \(hex(16))</p><h2>Access denied</h2>"
            return page("Cloudflare rule", .gateway, [.gateway], 403, headers, title: "Access denied", content)
        case 2:
            let content =
                "<h1>Access Denied</h1>You don't have permission to access this server.<p>Reference #18.\(hex(8)).\(digits(10))"
            return page(
                "Akamai",
                .gateway,
                [.gateway],
                403,
                [("server", "AkamaiGHost")],
                title: "Access Denied",
                content
            )
        case 3:
            let content =
                "The requested URL was rejected. Please consult with your administrator.<br>Your support ID is: \(digits(19))"
            return page(
                "F5",
                .gateway,
                [.gateway],
                200,
                [("cache-control", "no-cache")],
                title: "Request Rejected",
                content
            )
        case 4:
            let content = "<center><h1>403 Forbidden</h1></center>"
            return page(
                "AWS WAF",
                .gateway,
                [.gateway],
                403,
                [("server", "awselb/2.0")],
                title: "403 Forbidden",
                content
            )
        case 5:
            let headers = [
                (name: "server", value: "CloudFront"), ("x-cache", "Error from cloudfront"), ("x-amz-cf-id", hex(20)),
            ]
            let content = "<h1>403 ERROR</h1><h2>The request could not be satisfied.</h2>Request blocked."
            return page(
                "CloudFront",
                .gateway,
                [.gateway],
                403,
                headers,
                title: "ERROR: The request could not be satisfied",
                content
            )
        case 6:
            return plain("Envoy RBAC", .gateway, [.gateway], 403, [("server", "istio-envoy")], "RBAC: access denied")
        case 7:
            let headers = [(name: "x-iinfo", value: "\(digits(2))-\(digits(8))"), ("x-cdn", "Imperva")]
            let content = "Request unsuccessful. Incapsula incident ID: \(digits(15))-\(digits(17))"
            return page("Imperva", .gateway, [.gateway], 403, headers, title: "", content)
        default:
            let content = "<h1>403 Forbidden</h1>\nRequest forbidden by administrative rules.\n"
            return page("HAProxy rule", .gateway, [.gateway], 403, [("cache-control", "no-cache")], title: "", content)
        }
    }

    /// A sign-in page for people.
    private mutating func signIn() -> InjectedCause {
        let target = pick([
            "https://login.microsoftonline.com/\(hex(8))/oauth2/v2.0/authorize?client_id=\(hex(8))",
            "https://accounts.google.com/o/oauth2/v2/auth?client_id=\(digits(12))&response_type=code",
            "https://\(word()).okta.com/app/\(word())/sso/saml",
            "https://sso.\(word()).example/realms/\(word())/protocol/openid-connect/auth?client_id=\(word())",
            "https://\(word()).cloudflareaccess.com/cdn-cgi/access/login/tokens.example?kid=\(hex(12))",
        ])
        if isLikely() {
            return redirect("redirect to a sign-in page", .gateway, [.gateway], pick([302, 303, 307]), to: target)
        }
        let title = pick(["Sign in", "Anmelden", "로그인", "登录", "登入", "Connexion", "Iniciar sesión"])
        let content = """
            <h1>\(word())</h1><form method="post" action="/\(word())/login"><input name="username">\
            <input type="password" name="password"><button>\(title)</button></form><p>\(sentence())</p>
            """
        return page("sign-in page", .gateway, [.gateway], pick([200, 401, 403]), [], title: title, content)
    }

    /// An error of a gateway that does not show who has answered.
    private mutating func unmarked() -> InjectedCause {
        let error = pick([
            (502, "Bad Gateway"), (503, "Service Unavailable"), (504, "Gateway Timeout"), (403, "Forbidden"),
        ])
        var cause = plain("unmarked error", .gateway, [.gateway, .tokenEndpoint], error.0, [], error.1)
        cause.hasEvidence = false
        return cause
    }
}
