import Failures
import Runtime
import TripModel

/// Makes what comes back when something is wrong.
struct CaseMaker {
    private var random: SeededGenerator
    private let words: Wordings

    init(seed: UInt64, words: Wordings) {
        (random, self.words) = (SeededGenerator(seed: seed), words)
    }

    mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    private mutating func pick<Element>(_ list: [Element]) -> Element { list[number(list.count)] }

    /// Returns what comes back.
    mutating func reply(_ truth: Truth) -> Reply {
        switch truth {
        case .endpointCrashes: passed(error(pick([500, 500, 501, 503]), pick(words.failures)))
        case .endpointDown: down()
        case .endpointReportsError: passed(errorInAnswer())
        case .endpointLimits: passed(error(429, "Too Many Requests"))
        case .endpointWantsSession: passed(session())
        case .endpointCutsAnswer: passed(Reply(headers: [("content-length", "900")], ending: .cutOff))
        case .endpointSendsBinary: passed(binary())
        case .endpointStopped: Reply(ending: .refused)
        case .loginMissing: passed(error(401, pick(words.logins)))
        case .pathWrong: passed(error(404, pick(words.addresses)))
        case .methodWrong: passed(with(error(405, "Method Not Allowed"), [("allow", "POST")]))
        case .bodyWrong: passed(error(pick([400, 415, 422]), pick(words.requests)))
        case .keyWrong: passed(otherKey())
        case .addressOfSite: passed(page(200, pick(words.sites)))
        case .addressMoved:
            passed(Reply(status: pick([301, 308]), headers: [("location", "https://tokens.example/v2/token")]))
        case .tripNotAllowed: passed(error(403, pick(words.denials)))
        case .firewall: firewall()
        case .signIn: signIn()
        case .gatewayRefuses, .serviceGateway: gateway()
        case .captivePortal, .servicePortal: portal()
        case .proxyRefuses: proxy()
        case .nameUnknown: Reply(ending: .unknownHost)
        case .serviceDown: serviceError(503, "UNAVAILABLE", "The service is currently unavailable.")
        case .serviceWrongAddress: passed(page(200, pick(words.sites)))
        case .serviceNotEnabled: notEnabled()
        case .serviceRole: serviceError(403, "PERMISSION_DENIED", "The caller does not have permission")
        }
    }

    // MARK: Answers of the endpoint

    private mutating func error(_ status: Int, _ message: String) -> Reply {
        let framework = pick(words.frameworks)
        return Reply(
            status: status,
            headers: [("content-type", framework.mediaType)] + framework.headers,
            body: Array(framework.body(status, message).utf8),
            evidence: message.replacing("\\\"", with: "\"")
        )
    }

    private mutating func errorInAnswer() -> Reply {
        let message = pick(words.failures)
        let body = pick([
            #"{"errors":[{"message":"\#(message)","path":["token"]}],"data":null}"#,
            #"{"success":false,"error":"\#(message)"}"#,
            #"{"error":{"code":7,"message":"\#(message)"}}"#,
        ])
        return Reply(headers: [("content-type", "application/json")], body: Array(body.utf8), evidence: message)
    }

    private mutating func session() -> Reply {
        switch number(3) {
        case 0: page(419, Wordings.Page(title: "Page Expired", text: "419"))
        case 1: page(403, Wordings.Page(title: "403 Forbidden", text: "CSRF verification failed. Request aborted."))
        default: error(422, "Can't verify CSRF token authenticity.")
        }
    }

    private mutating func binary() -> Reply {
        let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
        return Reply(
            headers: [("content-type", "application/json")],
            body: [0x1F, 0x8B, 8, 0] + bytes,
            evidence: "gzip"
        )
    }

    private mutating func otherKey() -> Reply {
        let name = pick(["idToken", "fleetToken", "value", "bearer"])
        let body = #"{"\#(name)":"eyJhbGciOiJSUzI1NiJ9.eyJleHAiOjF9.c2ln","expires":3600}"#
        return Reply(headers: [("content-type", "application/json")], body: Array(body.utf8), evidence: name)
    }

    private func page(_ status: Int, _ page: Wordings.Page) -> Reply {
        let text =
            "<!DOCTYPE html><html><head><title>\(page.title)</title></head><body><p>\(page.text)</p></body></html>"
        return Reply(
            status: status,
            headers: [("content-type", "text/html; charset=utf-8")],
            body: Array(text.utf8),
            evidence: page.title.isEmpty ? page.text : page.title
        )
    }

    // MARK: Answers of others

    private mutating func down() -> Reply {
        let status = pick([502, 503, 504])
        var reply = page(status, Wordings.Page(title: "\(status)", text: "The server is temporarily unable"))
        reply.headers.append(("server", pick(words.servers)))
        return reply
    }

    private mutating func firewall() -> Reply {
        let challenge = pick(words.challenges)
        var reply = page(challenge.status, challenge.page)
        reply.headers += challenge.headers
        return reply
    }

    private mutating func signIn() -> Reply {
        guard number(3) > 0 else {
            var reply = page(200, Wordings.Page(title: "Portal", text: "<form><input type=\"password\"></form>"))
            reply.evidence = "Portal"
            return reply
        }
        let address = pick(words.signIns)
        return Reply(status: 302, headers: [("location", address)], evidence: address)
    }

    private mutating func gateway() -> Reply {
        let error = pick(words.gateways)
        let type =
            error.body.hasPrefix("{") ? "application/json" : error.body.hasPrefix("<") ? "text/html" : "text/plain"
        return Reply(
            status: error.status,
            headers: error.headers + [("content-type", type)],
            body: Array(error.body.utf8)
        )
    }

    private mutating func portal() -> Reply {
        var reply = page(pick([200, 511]), pick(words.networks))
        if number(2) == 0 { reply = Reply(status: 302, headers: [("location", "http://portal.local/hello")]) }
        reply.isEncrypted = false
        return reply
    }

    private mutating func proxy() -> Reply {
        var reply = page(pick([403, 407, 503]), pick(words.networks))
        (reply.isEncrypted, reply.proxy) = (false, "proxy.example:3128")
        if reply.status == 407 { reply.headers.append(("proxy-authenticate", "Basic realm=\"p\"")) }
        return reply
    }

    // MARK: The service

    private func serviceError(_ status: Int, _ name: String, _ message: String) -> Reply {
        let body = #"{"error":{"code":\#(status),"message":"\#(message)","status":"\#(name)"}}"#
        return Reply(
            status: status,
            headers: [("content-type", "application/json; charset=UTF-8"), ("server", "ESF")],
            body: Array(body.utf8),
            evidence: message
        )
    }

    private func notEnabled() -> Reply {
        let message = "Fleet Engine API has not been used in project 1 before or it is disabled."
        let details =
            #"[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"SERVICE_DISABLED","domain":"googleapis.com"}]"#
        let body = #"{"error":{"code":403,"message":"\#(message)","status":"PERMISSION_DENIED","details":\#(details)}}"#
        return Reply(
            status: 403,
            headers: [("content-type", "application/json")],
            body: Array(body.utf8),
            evidence: "has not been used"
        )
    }

    // MARK: What is between

    /// Adds what lets an answer pass leaves in it.
    private mutating func passed(_ reply: Reply) -> Reply {
        switch pick(Between.allCases) {
        case .nothing: reply
        case .contentNetwork:
            with(reply, [("server", "cloudflare"), ("cf-ray", "8a1b-FRA"), ("cf-cache-status", "DYNAMIC")])
        case .loadBalancer: with(reply, [("server", pick(words.servers)), ("via", "1.1 google")])
        case .mesh: with(reply, [("server", "istio-envoy"), ("x-envoy-upstream-service-time", "12")])
        case .tunnel: tunneled(reply)
        }
    }

    private func with(_ reply: Reply, _ headers: [(name: String, value: String)]) -> Reply {
        var reply = reply
        // A gateway replaces the header `Server`.
        let names = Set(headers.map(\.name))
        reply.headers = reply.headers.filter { !names.contains($0.name) } + headers
        return reply
    }

    private func tunneled(_ reply: Reply) -> Reply {
        var reply = reply
        reply.proxy = "proxy.example:3128"
        return reply
    }
}
