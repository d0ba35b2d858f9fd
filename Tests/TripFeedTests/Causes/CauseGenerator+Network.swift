import Failures

/// Failures in the network of the client, with its proxies, and on its own machine.
extension CauseGenerator {
    mutating func network() -> InjectedCause {
        var cause: InjectedCause
        switch number(10) {
        case 0:
            let headers = [
                (name: "server", value: "squid/5.7"), ("x-squid-error", "ERR_ACCESS_DENIED 0"),
                ("via", "1.1 px1 (squid/5.7)"),
            ]
            let title = pick([
                "ERROR: The requested URL could not be retrieved",
                "FEHLER: Der angeforderte URL konnte nicht geholt werden",
            ])
            cause = page("Squid refuses", .network, [.network], 403, headers, title: title, "<p>\(text(1))</p>")
            (cause.isEncrypted, cause.proxy) = (false, "proxy.\(word()).example:3128")
        case 1:
            let headers = [(name: "server", value: "squid/6.1"), ("proxy-authenticate", "Basic realm=\"\(word())\"")]
            cause = page(
                "proxy asks for a password",
                .network,
                [.network, .commandLine],
                407,
                headers,
                title: "Cache Access Denied",
                text(1)
            )
            (cause.isEncrypted, cause.proxy) = (false, "10.0.0.\(number(250)):8080")
        case 2:
            let headers = [(name: "server", value: "Zscaler/6.2")]
            cause = page("Zscaler", .network, [.network], 403, headers, title: "Access Denied", "Zscaler: \(text(1))")
            cause.issuer = "Zscaler Intermediate Root CA (zscalertwo.net)"
        case 3:
            let content =
                "<h1>FortiGuard Intrusion Prevention - Access Blocked</h1><p>Web Page Blocked</p><p>\(sentence())</p>"
            cause = page("FortiGate", .network, [.network], 403, [], title: "Web Page Blocked", content)
            cause.isEncrypted = false
        case 4:
            let target =
                "http://\(pick(["10.1.0.1", "login.\(word()).wifi", "portal.\(word()).example"]))/hotspot?mac=\(hex(12))"
            cause = redirect("captive portal redirects", .network, [.network], 302, to: target)
            cause.isEncrypted = false
        case 5:
            let title = pick(["Network Authentication Required", "Netzwerk-Anmeldung erforderlich", "需要网络认证"])
            cause = page("captive portal", .network, [.network], 511, [], title: title, text(1))
            cause.isEncrypted = false
        case 6:
            let title = pick(["Welcome to our Wi-Fi", "Willkommen im Gäste-WLAN", "무료 와이파이 접속", "欢迎使用免费无线网络"])
            let content = "<form action=\"/accept\"><input type=\"checkbox\">\(sentence())<button>OK</button></form>"
            cause = page("captive portal's page", .network, [.network], 200, [], title: title, content)
            cause.isEncrypted = false
        case 7:
            let reason = "proxy.\(word()).example:3128 answered 403 Forbidden to CONNECT"
            cause = ended(
                "proxy opens no connection",
                .network,
                [.network, .commandLine],
                .proxyFailed(reason: reason)
            )
        case 8:
            let reason = "certificate verify failed: unable to get local issuer certificate"
            cause = ended("inspecting proxy", .network, [.network], .tls(reason: reason))
            cause.issuer = pick([
                "Zscaler Root CA", "Fortinet FG100F CA", "Netskope CA", "\(word()) Corporate Web Proxy CA",
            ])
        default:
            // The client cannot tell who dropped the packets.
            let parties: Set<Party> = [.network, .tokenEndpoint, .commandLine]
            cause = ended("connection drops", .network, parties, pick([.connectionLost, .timedOut, .unknownHost]))
            cause.hasEvidence = false
        }
        return cause
    }

    mutating func machine() -> InjectedCause {
        switch number(4) {
        case 0:
            let headers = [(name: "x-powered-by", value: "Express")]
            let content = "<pre>Cannot GET /\(word())/t</pre>"
            return page("wrong path", .machine, [.commandLine], 404, headers, title: "Error", content)
        case 1:
            let body =
                #"{"detail":"\#(pick(["Not authenticated", "Missing API key", "Authorization header is missing"]))"}"#
            return json("no login", .machine, [.commandLine], 401, [("www-authenticate", "Bearer")], body)
        case 2:
            return json(
                "wrong method",
                .machine,
                [.commandLine],
                405,
                [("allow", "POST")],
                #"{"detail":"Method Not Allowed"}"#
            )
        default:
            return ended(
                "unusable proxy variable",
                .machine,
                [.commandLine],
                .unusableProxy(reason: "HTTPS_PROXY has no host")
            )
        }
    }
}
