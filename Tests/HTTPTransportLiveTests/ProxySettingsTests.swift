import HTTPTransport
import HTTPTransportLive
import Testing

@Suite("Proxy settings")
struct ProxySettingsTests {
    private func proxy(_ url: String, _ environment: [String: String]) throws -> String? {
        let origin = try #require(URLOrigin(url))
        return ProxySettings(environment: environment).proxy(for: origin).map { "\($0.host):\($0.port)" }
    }

    @Test func `reads the variables as curl does`() throws {
        let secure = ["HTTPS_PROXY": "http://user:pass@proxy.example:3128"]
        #expect(try proxy("https://a.example/", secure) == "proxy.example:3128")
        #expect(try proxy("http://a.example/", secure) == nil)
        #expect(try proxy("http://a.example/", ["http_proxy": "proxy"]) == "proxy:80")
        #expect(try proxy("http://a.example/", ["HTTP_PROXY": "proxy"]) == nil)
        #expect(try proxy("https://a.example/", ["https_proxy": "socks5://proxy"]) == nil)
    }

    @Test func `goes around the proxy where it is told to, and to this machine always`() throws {
        let environment = ["https_proxy": "proxy:8080", "no_proxy": "internal.example, .corp"]
        #expect(try proxy("https://internal.example/", environment) == nil)
        #expect(try proxy("https://a.internal.example/", environment) == nil)
        #expect(try proxy("https://x.corp/", environment) == nil)
        #expect(try proxy("https://notinternal.example/", environment) == "proxy:8080")
        for local in ["https://localhost/", "https://127.3.2.1/", "https://[::1]:8443/"] {
            #expect(try proxy(local, environment) == nil)
        }
    }

    @Test(
        arguments: [
            ("https://Fleet.Example/v1", true, "fleet.example", nil, "/v1"),
            ("http://[::1]:80", false, "::1", 80, ""),
            ("http://127.0.0.1:8080?x", false, "127.0.0.1", 8080, "?x"),
        ] as [(String, Bool, String, Int?, String)]
    )
    func `takes URLs apart`(url: String, secure: Bool, host: String, port: Int?, path: String) throws {
        let origin = try #require(URLOrigin(url))
        #expect(origin.isSecure == secure)
        #expect(origin.host == host)
        #expect(origin.port == port)
        #expect(origin.path == path)
    }

    @Test(arguments: ["127.0.0.1.evil.example", "localhost.evil.example", "128.0.0.1", "127.0.0.256"])
    func `is not fooled by names that look local`(host: String) throws {
        #expect(try #require(URLOrigin("http://\(host)/")).isLoopback == false)
    }
}
