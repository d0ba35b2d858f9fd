import Failures
import Testing
import TransportLive
import TripTestSupport

@Suite("Proxy settings", .ends(within: .longTest))
struct ProxySettingsTests {
    private func proxy(_ url: String, _ environment: [String: String]) throws -> String? {
        let origin = try #require(URLOrigin(url))
        return try ProxySettings(environment: environment, allowsPlainHTTP: true).proxy(for: origin).map {
            "\($0.host):\($0.port)"
        }
    }

    @Test func `reads the environment variables as curl does`() throws {
        let secure = ["HTTPS_PROXY": "http://user:pass@proxy.example:3128"]
        #expect(try proxy("https://a.example/", secure) == "proxy.example:3128")
        #expect(try proxy("http://a.example/", secure) == nil)
        #expect(try proxy("http://a.example/", ["http_proxy": "proxy"]) == "proxy:80")
        #expect(try proxy("http://a.example/", ["HTTP_PROXY": "proxy"]) == nil)
        #expect(try proxy("http://a.example/", ["http_proxy": "HTTP://proxy:8080/"]) == "proxy:8080")
    }

    @Test(arguments: ["http://127.0.0.1:8080/", "http://localhost/", "http://[::1]:1/", "https://127.5.5.5/"])
    func `this machine is asked through a proxy only if the option names it`(url: String) throws {
        let origin = try #require(URLOrigin(url))
        let environment = ["all_proxy": "http://u:p@proxy:1", "https_proxy": "ftp://x"]
        #expect(try ProxySettings(environment: environment).proxy(for: origin) == nil)
        let given = ProxySettings(environment: environment, option: "http://127.0.0.1:2")
        #expect(try given.proxy(for: origin)?.port == 2)
    }

    @Test(arguments: [
        ("https://a.example/", "http://u:p@proxy.example:1", ProxySettings.Fault.Problem.loginInClear),
        ("https://a.example/", "http://u@10.1.2.3", .loginInClear), ("https://a.example/", "http://proxy.example", nil),
        ("http://a.example/", "http://proxy.example", .requestInClear),
        ("http://a.example/", "http://127.0.0.1:3", nil),
        ("https://a.example/", "http://u:p@127.0.0.1:3", nil),
    ])
    func `nothing secret goes to another machine in clear`(
        url: String,
        proxy: String,
        problem: ProxySettings.Fault.Problem?
    ) throws {
        let origin = try #require(URLOrigin(url))
        let environment = ["all_proxy": proxy]
        let result = Result { () throws(ProxySettings.Fault) in
            try ProxySettings(environment: environment).proxy(for: origin)
        }
        switch result {
        case .success(let found): #expect(problem == nil && found != nil)
        case .failure(let fault):
            #expect(
                fault.problem == problem && fault.reason.contains("--allow-plain-http") && !fault.reason.contains("u:p")
            )
        }
        #expect(try ProxySettings(environment: environment, allowsPlainHTTP: true).proxy(for: origin) != nil)
    }

    @Test(
        arguments: [
            (["all_proxy": "all:1"], "all:1", "all:1"),
            (["ALL_PROXY": "all:1"], "all:1", "all:1"),
            (["all_proxy": "all:1", "ALL_PROXY": "loud:2"], "all:1", "all:1"),
            (["all_proxy": "all:1", "https_proxy": "own:2"], "own:2", "all:1"),
            (["ALL_PROXY": "all:1", "http_proxy": "own:2"], "all:1", "own:2"),
            (["all_proxy": "all:1", "https_proxy": ""], "all:1", "all:1"),
            (["all_proxy": ""], nil, nil),
            (["all_proxy": "all:1", "no_proxy": "*"], nil, nil),
        ] as [([String: String], String?, String?)]
    )
    func `all_proxy applies where no more specific variable does`(
        environment: [String: String],
        secure: String?,
        plain: String?
    ) throws {
        #expect(try proxy("https://a.example/", environment) == secure)
        #expect(try proxy("http://a.example/", environment) == plain)
    }

    @Test(
        arguments: [
            ("http://user:pass@proxy", "user", "pass"), ("user@proxy", "user", nil), ("proxy", nil, nil),
            ("http://us%65r:p%40ss%3A%2f@proxy", "user", "p@ss:/"), ("http://a:b@c@proxy", "a", "b@c"),
            ("http://a:100%25@proxy", "a", "100%"), ("http://a:100%@proxy", "a", "100%"),
        ] as [(String, String?, String?)]
    )
    func `decodes credentials`(text: String, user: String?, password: String?) throws {
        let origin = try #require(URLOrigin("https://a.example/"))
        let proxy = try #require(
            try ProxySettings(environment: ["https_proxy": text], allowsPlainHTTP: true).proxy(for: origin)
        )
        #expect(proxy.host == "proxy")
        #expect(proxy.user == user)
        #expect(proxy.password == password)
    }

    @Test(
        arguments: [
            ("https://user:secret@proxy:3128", "HTTPS_PROXY names a proxy over https"),
            ("socks5://proxy", "HTTPS_PROXY names a proxy over socks5"),
            ("http://user:secret@proxy:99999", "HTTPS_PROXY names no proxy"), ("http://", "HTTPS_PROXY names no proxy"),
        ]
    )
    func `an unusable proxy is an error and is not bypassed`(text: String, reason: String) async throws {
        let environment = ["HTTPS_PROXY": text, "no_proxy": "free.example"]
        let error = #expect(throws: ProxySettings.Fault.self) { try proxy("https://a.example/", environment) }
        #expect(error?.reason.hasPrefix(reason) == true)
        #expect(error?.reason.contains("secret") == false)
        // Requests that do not need the proxy are not affected.
        for free in ["https://free.example/", "http://a.example/"] {
            #expect(try proxy(free, environment) == nil)
        }
        let settings = ConnectionSettings(proxies: ProxySettings(environment: environment))
        try await withLiveHTTPTransport(settings) { transport in
            _ = await #expect(throws: Failure.unusableProxy(reason: error?.reason ?? "")) {
                try await transport.send(HTTPTransportRequest(url: "https://a.example/", timeout: .testTimeout))
            }
        }
    }

    @Test func `names a proxy that refuses connections or has an unknown name`() async throws {
        try await RefusedPort.run { port in
            let name = "127.0.0.1:\(port)"
            for url in ["https://fleet.example/", "http://fleet.example/"] {
                let settings = ProxySettings(environment: ["all_proxy": "http://user:secret@\(name)"])
                let outcome = try await withLiveHTTPTransport(ConnectionSettings(proxies: settings)) {
                    await Asking.outcome(url, through: $0)
                }
                #expect(outcome.failure == .proxyFailed(reason: "the proxy \(name) in all_proxy refuses connections"))
            }
        }
    }

    @Test(arguments: [
        ("", "requires a login (HTTP 407): use http://USER:PASSWORD@host:port"),
        ("user:secret@", "rejects the login in that variable (HTTP 407): use http://USER:PASSWORD@host:port"),
    ])
    func `explains a proxy that requires a login`(login: String, reason: String) async throws {
        let answer = "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
        try await CannedServer.run(.send(answer)) { server in
            for url in ["https://fleet.example/", "http://fleet.example/"] {
                let proxy = "127.0.0.1:\(server.port)"
                let settings = ProxySettings(environment: ["all_proxy": "http://\(login)\(proxy)"])
                let outcome = try await withLiveHTTPTransport(ConnectionSettings(proxies: settings)) {
                    await Asking.outcome(url, through: $0)
                }
                #expect(outcome.failure == .unusableProxy(reason: "the proxy \(proxy) in all_proxy \(reason)"))
            }
        }
    }

    @Test func `an option replaces the proxies of the environment, but not the exceptions`() throws {
        let environment = ["http_proxy": "own:1", "HTTPS_PROXY": "ftp://own:2", "NO_PROXY": "free.example"]
        let settings = ProxySettings(environment: environment, option: "http://given:3", allowsPlainHTTP: true)
        for url in ["https://a.example/", "http://a.example/", "http://free.example/"] {
            let proxy = try settings.proxy(for: try #require(URLOrigin(url)))
            #expect(proxy?.port == (url.contains("free") ? nil : 3))
        }
        #expect(settings.isUsable)
        #expect(!ProxySettings(environment: [:], option: "socks5://given:3").isUsable)
        #expect(!ProxySettings(environment: [:], option: "").isUsable)
    }

    @Test func `bypasses the proxy for hosts in no_proxy, and for loopback`() throws {
        let environment = ["https_proxy": "proxy:8080", "no_proxy": "internal.example, .corp"]
        #expect(try proxy("https://internal.example/", environment) == nil)
        #expect(try proxy("https://a.internal.example/", environment) == nil)
        #expect(try proxy("https://x.corp/", environment) == nil)
        #expect(try proxy("https://notinternal.example/", environment) == "proxy:8080")
        for local in ["https://localhost/", "https://127.3.2.1/", "https://[::1]:8443/"] {
            #expect(try proxy(local, environment) == nil)
            let exceptions = environment.merging(["no_proxy": "localhost,127.0.0.0/8,::1"]) { $1 }
            #expect(try proxy(local, exceptions) == nil)
        }
    }

    @Test(
        arguments: [
            ("https://Fleet.Example/v1", true, "fleet.example", nil, "/v1"),
            ("http://[::1]:80", false, "::1", 80, ""),
            ("http://127.0.0.1:8080?x", false, "127.0.0.1", 8080, "?x"),
        ] as [(String, Bool, String, Int?, String)]
    )
    func `parses URLs`(url: String, secure: Bool, host: String, port: Int?, path: String) throws {
        let origin = try #require(URLOrigin(url))
        #expect(origin.isSecure == secure)
        #expect(origin.host == host)
        #expect(origin.port == port)
        #expect(origin.path == path)
    }

    @Test(arguments: ["127.0.0.1.evil.example", "localhost.evil.example", "128.0.0.1", "127.0.0.256"])
    func `does not take names that only appear local for loopback`(host: String) throws {
        #expect(try #require(URLOrigin("http://\(host)/")).isLoopback == false)
    }
}
