import Failures
import Testing
import TripTestSupport

/// The parts of URLs by RFC 3986, section 3.2.
@Suite("Origins of URLs", .ends(within: .quickTest))
struct URLOriginTests {
    @Test(arguments: [
        ("https://Fleet.Example/v1/trips/t?a=b://c#d", "true fleet.example nil /v1/trips/t?a=b://c#d"),
        ("HTTP://h:8080", "false h 8080 "), ("http://[::1]:9?q", "false ::1 9 ?q"),
        ("http://[2001:DB8::1]", "false 2001:db8::1 nil "),
        ("https://h:443#x", "true h 443 #x"), ("https://h/@:[", "true h nil /@:["),
    ])
    func `finds scheme, host, port and the rest`(url: String, parts: String) throws {
        let origin = try #require(URLOrigin(url))
        let port = origin.port.map { "\($0)" } ?? "nil"
        #expect("\(origin.isSecure) \(origin.host) \(port) \(origin.path)" == parts)
    }

    @Test(arguments: [
        "", "h", "http:/h", "http://", "://h", "ftp://h", "a:http://h", "https://user@h", "https://h\\x", "https://h /",
        "https://ü",
        "https://h:", "https://h:65536", "https://h:x", "https://[::1", "https://[]", "https://[::1]8", "https://:80",
        "https://h\u{7F}",
    ])
    func `refuses other texts`(url: String) {
        #expect(URLOrigin(url) == nil)
    }
}
