import Failures
import Foundation
import Runtime
import Testing
import TripTestSupport

/// Answers in which nothing is wrong but the address: no cause may be invented for them.
@Suite("Ordinary answers", .ends(within: .quickTest))
struct OrdinaryAnswerTests {
    /// What any answer shows by its status, its kind and its way; everything else names a sender or a reason.
    private static let evident: Set<Clue> = [
        .webPage, .otherAddress, .addressUnknown, .loginWanted, .denied, .requestRefused, .limited, .endpointFailed,
    ]

    private static func answer(
        _ status: Int,
        _ headers: [(name: String, value: String)] = [],
        _ body: String = "",
        url: String = "https://h.example/t"
    ) -> Failure {
        let exchange = Exchange(
            .http,
            Exchange.Request(method: "GET", url: url, headerNames: [], bytes: 0),
            connection: Exchange.Connection(isEncrypted: url.hasPrefix("https")),
            answer: Exchange.Answer(status: status, headers: headers, body: Array(body.utf8)).described(body),
            duration: .milliseconds(9),
            ending: .complete
        )
        let code: FailureCode =
            switch status {
            case 200..<300: .sourceHTML
            case 300..<400: .sourceRedirected
            case 401, 403: .sourceLogin
            case 404, 410: .sourcePath
            case 429: .sourceQuota
            case 500...: .sourceServer
            default: .sourceStatus
            }
        return Failure(code, exchange: exchange).with(.status, status)
    }

    private static func page(_ title: String, _ text: String) -> String {
        "<!DOCTYPE html><html><head><title>\(title)</title></head><body><p>\(text)</p></body></html>"
    }

    private static let html = (name: "content-type", value: "text/html; charset=utf-8")

    /// Returns the clues that name a sender or a reason that the answer does not show.
    private static func invented(_ failure: Failure) -> [Clue] {
        Diagnosis(failure).suspects.compactMap(\.clue).filter { !evident.contains($0) }
    }

    @Test(
        arguments: [
            ("Heart attack first aid", "Call for help at once."),
            ("Support", "Support ID 7781 was answered on Monday."), ("Incident ID 12", "The incident is closed."),
            ("Humans of the city", "We are human rights lawyers."), ("Automated car wash", "Blocked drains, too."),
            ("Origin of species", "The backend of the shop, upstream of the river."),
            ("Signs", "A sign in withered letters."), ("Sign in the sky", "A film of 1987."),
            ("Dance steps", "Two steps. Then three steps."), ("Fatal error: the play", "A stack trace in three acts."),
            ("Art forgery", "A warning to collectors."), ("Enable JavaScript", "You need to enable JavaScript."),
            ("Scarecrows", "The captchaless web: a security check of gardens."),
        ],
        [200, 403, 404, 410]
    )
    func `a page about something else has no cause of a firewall, a sign-in or a gateway`(
        page: (String, String),
        status: Int
    ) {
        let failure = Self.answer(status, [Self.html], Self.page(page.0, page.1))
        #expect(Self.invented(failure).isEmpty, "\(Diagnosis(failure).suspects)")
    }

    @Test(arguments: [
        "/authors/7", "/login-tips/", "/blog/oauthors", "https://authors.example/", "https://h.example/ssone",
        "/catalogue/okta-gon", "https://www.h.example/t", "/v2/token",
    ])
    func `a redirect to an address with a similar word asks for no sign-in`(location: String) {
        for status in [301, 302, 303, 307, 308] {
            let failure = Self.answer(status, [(name: "location", value: location)])
            #expect(Self.invented(failure).isEmpty, "\(status) \(Diagnosis(failure).suspects)")
        }
    }

    @Test(arguments: ["https://oauth2.example/token", "/auth/token"])
    func `a permanent redirect to an authorization server is a new address`(location: String) {
        let failure = Self.answer(308, [(name: "location", value: location)])
        #expect(Diagnosis(failure).first?.clue == .otherAddress)
    }

    @Test(arguments: ["/login", "/users/sign_in", "https://sso.corp.example/start", "https://x.okta.com/app/1"])
    func `a redirect for this time to a sign-in is one`(location: String) {
        #expect(Diagnosis(Self.answer(302, [(name: "location", value: location)])).first?.clue == .signIn)
    }

    @Test func `a host that sends its visitors to another of its names in clear is no captive portal`() {
        let headers = [(name: "location", value: "https://www.h.example/t")]
        #expect(Self.invented(Self.answer(301, headers, url: "http://h.example/t")).isEmpty)
    }

    @Test(arguments: [
        [(name: "x-iinfo", value: "9-1-0 pNNN")], [(name: "x-sucuri-id", value: "15")],
        [(name: "server", value: "cloudflare"), (name: "cf-ray", value: "8a-FRA")],
        [(name: "x-datadome", value: "protected")],
    ])
    func `what a firewall lets pass is not its answer`(headers: [(name: String, value: String)]) {
        for status in [200, 404, 500] {
            let failure = Self.answer(status, headers + [Self.html], Self.page("Taxi", "Call us."))
            #expect(Self.invented(failure).isEmpty, "\(status) \(Diagnosis(failure).suspects)")
        }
        let json = (name: "content-type", value: "application/json")
        let denied = Self.answer(403, headers + [json], #"{"error":"not your trip"}"#)
        #expect(Self.invented(denied).isEmpty, "\(Diagnosis(denied).suspects)")
    }

    @Test(arguments: [
        #"{"error":"the backend of the upstream origin is locked"}"#, #"{"message":"jwt is missing"}"#,
        #"{"error":"service unavailable for this trip"}"#, #"{"message":"steps.","detail":"protocols.http"}"#,
    ])
    func `an error for programs with the words of gateways is the endpoint's`(body: String) {
        let json = (name: "content-type", value: "application/json")
        for status in [401, 403, 500, 503] {
            let failure = Self.answer(status, [json], body)
            #expect(Self.invented(failure).isEmpty, "\(status) \(Diagnosis(failure).suspects)")
        }
    }

    @Test(arguments: [#"{"idToken":"x","error":null}"#, #"{"errors": [], "value": 1}"#, #"{"error":"", "a":1}"#])
    func `an answer whose member for errors is empty reports none`(body: String) {
        let failure = Self.answer(200, [(name: "content-type", value: "application/json")], body)
        let missing = Failure(.sourceMissingKey, exchange: failure.exchange)
        #expect(Diagnosis(missing).suspects.allSatisfy { $0.clue != .errorInAnswer })
    }

    @Test(arguments: 0..<400)
    func `pages with texts of the manual and of this program in every language have no invented cause`(seed: Int) throws
    {
        var random = SeededGenerator(seed: UInt64(seed))
        let texts = try Self.texts.get()
        func text() -> String {
            (texts.randomElement(using: &random) ?? "").replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        }
        let status = [200, 200, 404, 410].randomElement(using: &random) ?? 200
        let server = ["nginx", "Apache", "cloudflare", "gws", "Kestrel"].randomElement(using: &random) ?? ""
        let failure = Self.answer(
            status,
            [Self.html, (name: "server", value: server)],
            Self.page(text(), (0..<5).map { _ in text() }.joined(separator: " "))
        )
        #expect(Self.invented(failure).isEmpty, "\(failure.exchange?.quotation ?? "") \(Diagnosis(failure).suspects)")
    }

    /// Sentences that are no answers of anyone: those of the manual and of the catalogues.
    private static let texts = Result<[String], any Error> {
        let top = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        var texts: [String] = []
        for folder in ["Assets/Strings", "Sources/tripshare/tripshare.docc"] {
            let names = try FileManager.default.contentsOfDirectory(atPath: top.appending(path: folder).path)
            for name in names.sorted() where name.hasSuffix(".json") || name.hasSuffix(".md") {
                let file = top.appending(path: folder).appending(path: name)
                texts += try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
            }
        }
        return texts
    }
}

extension Exchange.Answer {
    /// Returns the answer with its body, which a successful answer gets only if it is unusable.
    fileprivate func described(_ body: String) -> Self {
        let request = Exchange.Request(method: "GET", url: "https://h.example/t", headerNames: [], bytes: 0)
        let exchange = Exchange(.http, request, answer: self, duration: .zero, ending: .complete)
        return exchange.describing(body: Array(body.utf8)).answer ?? self
    }
}
