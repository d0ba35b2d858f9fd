import Failures
import Runtime
import Testing
import TripTestSupport

/// What answers and certificates say about the party that must act.
@Suite("Reasons of answers", .ends(within: .quickTest))
struct AnswerReasonTests {
    private static let html = (name: "content-type", value: "text/html; charset=utf-8")
    private static let json = (name: "content-type", value: "application/json")
    private static let plain = (name: "content-type", value: "text/plain")

    private static func exchange(
        _ status: Int?,
        _ headers: [(name: String, value: String)] = [],
        _ body: String = "",
        issuer: String? = nil,
        proxy: String? = nil,
        isEncrypted: Bool = true
    ) -> Exchange {
        let scheme = isEncrypted ? "https" : "http"
        let certificate = issuer.map {
            Exchange.Certificate(names: ["h.example"], issuer: $0, notBefore: 0, notAfter: 1 << 40)
        }
        let exchange = Exchange(
            .http,
            Exchange.Request(method: "GET", url: "\(scheme)://h.example/t", headerNames: [], bytes: 0),
            connection: Exchange.Connection(isEncrypted: isEncrypted, proxy: proxy, certificate: certificate),
            answer: status.map { Exchange.Answer(status: $0, headers: headers, body: Array(body.utf8)) },
            duration: .milliseconds(9),
            ending: status == nil ? .failed(.tls) : .complete
        )
        return exchange.describing(body: Array(body.utf8))
    }

    private static func page(_ title: String, _ text: String) -> String {
        "<!DOCTYPE html><html><head><title>\(title)</title></head><body><p>\(text)</p></body></html>"
    }

    private static func parties(_ code: FailureCode, _ exchange: Exchange, tokens: Int = 0) -> [Party] {
        let failure = Failure(code, asked: .source, exchange: exchange).with(.status, exchange.answer?.status)
        return Diagnosis(failure.with(History(tokens: tokens))).suspects.map(\.party)
    }

    @Test func `a port that expects TLS shows that the URL has the wrong scheme`() {
        let body = Self.page("400 Bad Request", "The plain HTTP request was sent to HTTPS port")
        let headers = [(name: "server", value: "nginx"), Self.html]
        let clear = Self.exchange(400, headers, body, isEncrypted: false)
        #expect(Self.parties(.sourceStatus, clear) == [.commandLine])
        #expect(Self.parties(.sourceStatus, Self.exchange(400, headers, body)) == [.gateway])
    }

    @Test(
        arguments: [
            ([(name: "www-authenticate", value: #"Bearer realm="api", error="invalid_token""#), plain], "expired"),
            ([json], #"{"code":"auth/id-token-expired","message":"Get a fresh one"}"#),
            ([json], #"{"name":"TokenExpiredError","message":"jwt expired"}"#),
        ]
    )
    func `a login that is no longer valid is the command line's, also after tokens`(
        headers: [(name: String, value: String)],
        body: String
    ) {
        let refused = Self.exchange(401, headers, body)
        #expect(Self.parties(.sourceLogin, refused) == [.commandLine])
        #expect(Self.parties(.sourceLogin, refused, tokens: 2) == [.commandLine])
        let other = Self.exchange(401, [Self.json], #"{"error":"unknown"}"#)
        #expect(Self.parties(.sourceLogin, other, tokens: 2) == [.tokenEndpoint])
    }

    @Test(arguments: [403, 503])
    func `a page that names the rule of a network is a filter's where a filter can answer`(status: Int) {
        let body = Self.page("Access Denied", "Your system policy has denied access to the requested URL.")
        let code: FailureCode = status == 403 ? .sourceLogin : .sourceServer
        let inspected = Self.exchange(status, [Self.html], body, issuer: "Example AG TLS Inspection CA")
        #expect(Self.parties(code, inspected) == [.network])
        #expect(Self.parties(code, Self.exchange(status, [Self.html], body, isEncrypted: false)) == [.network])
        #expect(!Self.parties(code, Self.exchange(status, [Self.html], body, issuer: "R11")).contains(.network))
        let named = Self.exchange(status, [Self.html], Self.page("Request Denied", "By WatchGuard Firewall."))
        #expect(Self.parties(code, named) == [.network])
    }

    @Test func `a redirect of a filter is the network's`() {
        let headers = [(name: "server", value: "Zscaler/6.2"), (name: "location", value: "https://g.example/auth")]
        #expect(Self.parties(.sourceRedirected, Self.exchange(307, headers)) == [.network])
    }

    @Test(
        arguments: [
            #"{"error":"invalid_grant","error_description":"Invalid JWT Signature."}"#,
            #"{"message":"Permission 'iam.serviceAccounts.signBlob' denied on resource (or it may not exist)."}"#,
        ]
    )
    func `an error of Google's that an endpoint passes on is about the account`(body: String) {
        let failed = Self.exchange(500, [Self.json], body)
        #expect(Self.parties(.sourceServer, failed) == [.serviceAccount])
        #expect(Self.parties(.sourceServer, failed, tokens: 1) == [.serviceAccount])
    }

    @Test func `an issuer distinguishes an inspecting proxy from a server without a trusted certificate`() {
        func first(_ issuer: String) -> Party? { Self.parties(.tls, Self.exchange(nil, issuer: issuer)).first }
        #expect(first("Zscaler Intermediate Root CA") == .network)
        #expect(first("Example AG TLS Inspection CA") == .network)
        for issuer in ["h.example", "TRAEFIK DEFAULT CERT", "(STAGING) Wannabe Watercress R11", "mkcert dev@laptop"] {
            #expect(first(issuer) == .tokenEndpoint, "\(issuer)")
        }
    }

    @Test func `bare pages and numbers of gateways are theirs`() {
        let cloudflare = (name: "server", value: "cloudflare")
        #expect(
            Self.parties(.sourceLogin, Self.exchange(403, [cloudflare, Self.plain], "error code: 1020")) == [.gateway]
        )
        let vercel = Self.page("Authentication Required", "Vercel Authentication")
        #expect(
            Self.parties(.sourceLogin, Self.exchange(401, [(name: "server", value: "Vercel"), Self.html], vercel))
                == [.gateway]
        )
        let warning = Self.page("ngrok", "You are about to visit a.example")
        let headers = [(name: "ngrok-error-code", value: "ERR_NGROK_6024"), Self.html]
        #expect(Self.parties(.sourceHTML, Self.exchange(200, headers, warning)) == [.gateway])
        let aws = [
            (name: "x-amzn-errortype", value: "NotAuthorizedException"),
            (name: "content-type", value: "application/x-amz-json-1.1"),
        ]
        let service = Self.exchange(400, aws, #"{"__type":"NotAuthorizedException","message":"No"}"#)
        #expect(Self.parties(.sourceStatus, service).first == .commandLine)
    }

    @Test func `an ordinary page of a cache or a configured proxy is not said to be theirs`() {
        let body = Self.page("Opening hours", "Mon to Fri")
        let cached = Self.exchange(200, [(name: "x-cache", value: "HIT"), (name: "age", value: "9"), Self.html], body)
        let proxied = Self.exchange(200, [Self.html], body, proxy: "p.example:1", isEncrypted: false)
        for exchange in [cached, proxied] {
            let suspects = Diagnosis(Failure(.sourceHTML, exchange: exchange)).suspects
            #expect(suspects.first?.party == .commandLine && suspects.allSatisfy { $0.strength == .possible })
        }
    }

    @Test func `an empty answer shows no party`() {
        let diagnosis = Diagnosis(Failure(.sourceEmpty, exchange: Self.exchange(204)))
        #expect(diagnosis.suspects.isEmpty && diagnosis.isUnknown)
    }
}
