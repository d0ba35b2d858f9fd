import Failures
import Runtime
import Testing
import TripModel
import TripTestSupport

/// What a diagnosis may claim.
@Suite("Rules of diagnoses", .ends(within: .quickTest))
struct DiagnosisRuleTests {
    private static func exchange(
        _ status: Int,
        _ headers: [(name: String, value: String)] = [],
        _ body: String = "",
        proxy: String? = nil,
        isEncrypted: Bool = true
    ) -> Exchange {
        Exchange(
            .http,
            Exchange.Request(method: "GET", url: "https://h.example/t", headerNames: [], bytes: 0),
            connection: Exchange.Connection(isEncrypted: isEncrypted, proxy: proxy),
            answer: Exchange.Answer(status: status, headers: headers, body: Array(body.utf8)),
            duration: .milliseconds(9),
            ending: .complete
        )
    }

    @Test func `a failure without a party has no suspect`() {
        #expect(Diagnosis(.cancelled).suspects.isEmpty)
    }

    @Test(arguments: Failure.ofEachRow)
    func `a row with a party has a suspect, one without needs a clue, and only rows that prove it are certain`(
        failure: Failure
    ) {
        let row = failure.row
        let diagnosis = Diagnosis(failure)
        let suspects = diagnosis.suspects
        if row.traits.contains(.showsNoParty) {
            #expect(row.party == nil && suspects.allSatisfy { $0.clue != nil }, "\(suspects)")
            #expect(diagnosis.isUnknown == suspects.isEmpty)
        } else {
            #expect(suspects.isEmpty == (row.party == nil), "\(suspects)")
            #expect(!diagnosis.isUnknown)
        }
        #expect((suspects.first?.strength == .proven) == (row.party != nil && row.traits.contains(.provesParty)))
        #expect(suspects.count <= 3)
    }

    @Test(arguments: Failure.ofEachRow)
    func `settings that worked are not suspected if anything else may be the cause`(failure: Failure) {
        let history = History(tokens: 2, hasAnswer: true)
        let parties = Diagnosis(failure.with(.status, 400).with(history)).suspects.map(\.party)
        guard parties.contains(.commandLine) else { return }
        // A proof, such as a variable that is gone now.
        #expect(failure.row.traits.contains(.provesParty) || parties == [.commandLine], "\(parties)")
    }

    /// The headers of a 403 that came without encryption through a proxy, and whether the proxy is named first.
    @Test(
        arguments: [
            ([("server", "squid/5.7")], true), ([("x-squid-error", "ERR_ACCESS_DENIED 0")], true),
            ([("proxy-agent", "Zscaler/6.2")], true), ([("via", "1.1 proxy.corp")], true), ([], false),
        ] as [([(String, String)], Bool)]
    )
    func `a proxy in between is suspected of an answer in clear`(headers: [(String, String)], isFirst: Bool) {
        let answer = Self.exchange(
            403,
            headers.map { (name: $0.0, value: $0.1) },
            "Forbidden",
            proxy: "127.0.0.1:18100",
            isEncrypted: false
        )
        let failure = Failure(.sourceLogin, exchange: answer).with(.status, 403)
        let suspects = Diagnosis(failure).suspects
        #expect(suspects.contains { $0.party == .network }, "\(suspects)")
        #expect((suspects.first?.party == .network) == isFirst, "\(suspects)")
    }

    @Test(arguments: [("text/html", "<html><title>No</title></html>", 403), ("text/plain", "Bad Gateway", 502)])
    func `without a mark, a proxy is said to be in between, not to have answered`(
        type: String,
        body: String,
        status: Int
    ) {
        let answer = Self.exchange(status, [("content-type", type)], body, proxy: "p.example:1", isEncrypted: false)
        let code: FailureCode = status == 403 ? .sourceLogin : .sourceServer
        let failure = Failure(code, exchange: answer).with(.status, status)
        let suspects = Diagnosis(failure).suspects
        #expect(suspects.first { $0.party == .network }?.clue == .proxyBetween, "\(suspects)")
        #expect(suspects.allSatisfy { $0.clue != .proxyAnswered } && failure.proxyAnswer == .possible)
    }

    @Test func `an answer of the host is not taken for one of a proxy, nor the other way round`() {
        let squid = [(name: "x-squid-error", value: "ERR_ACCESS_DENIED 0"), (name: "content-type", value: "text/html")]
        let json = [(name: "content-type", value: "application/json")]
        func answer(_ headers: [(name: String, value: String)], _ proxy: String?, isEncrypted: Bool) -> ProxyAnswer? {
            let exchange = Self.exchange(403, headers, "<html></html>", proxy: proxy, isEncrypted: isEncrypted)
            return Failure(.tokenDenied, exchange: exchange).with(.status, 403).proxyAnswer
        }
        #expect(answer(squid, "p:1", isEncrypted: false) == .marked)
        #expect(answer(squid, nil, isEncrypted: true) == nil)
        #expect(answer([], "p:1", isEncrypted: true) == nil && answer([], nil, isEncrypted: false) == nil)
        #expect(answer(json, nil, isEncrypted: false) == nil)
    }

    @Test func `the network is not suspected of an encrypted answer that came without a proxy`() {
        let page = Self.exchange(200, [("content-type", "text/html")], "<html><title>Welcome</title></html>")
        let parties = Diagnosis(Failure(.sourceHTML, exchange: page)).suspects.map(\.party)
        #expect(!parties.contains(.network) && !parties.isEmpty, "\(parties)")
        let plain = Self.exchange(
            200,
            [("content-type", "text/html")],
            "<html><title>Welcome</title></html>",
            isEncrypted: false
        )
        #expect(Diagnosis(Failure(.sourceHTML, exchange: plain)).first?.party == .network)
    }

    @Test func `an error that a content network lets pass is the endpoint's`() {
        let error = Self.exchange(
            500,
            [("content-type", "application/json"), ("server", "cloudflare"), ("cf-ray", "1-FRA")],
            #"{"error":"no key"}"#
        )
        let first = Diagnosis(Failure(.sourceServer, exchange: error).with(.status, 500)).first
        #expect(first == Diagnosis.Suspect(.tokenEndpoint, .likely, .endpointFailed))
    }

    @Test func `a cache that answered is suspected before anything that its answer says`() {
        let headers = [
            (name: "content-type", value: "text/html"), (name: "x-cache", value: "HIT"), (name: "age", value: "60"),
        ]
        let page = "<html><title>Not found</title></html>"
        for code in [FailureCode.sourceHTML, .sourceServer, .notFound, .webPage, .tokenExpired] {
            let encrypted = Diagnosis(Failure(code, exchange: Self.exchange(404, headers, page)))
            #expect(encrypted.suspects == [Diagnosis.Suspect(.gateway, .likely, .cached)], "\(code)")
            let plain = Diagnosis(Failure(code, exchange: Self.exchange(404, headers, page, isEncrypted: false)))
            #expect(Set(plain.suspects.map(\.party)) == [.network, .gateway], "\(code)")
        }
        // What a token says does not depend on its age.
        let wrong = Diagnosis(Failure(.tokenWrongAudience, exchange: Self.exchange(200, headers)))
        #expect(wrong.suspects == [Diagnosis.Suspect(.tokenEndpoint, .proven)])
    }

    @Test(arguments: [FailureCode.clockAhead, .clockBehind, .tokenIssuedInFuture, .tokenEndsTooFarAhead])
    func `of two clocks neither is proven wrong`(code: FailureCode) {
        let suspects = Diagnosis(Failure(code)).suspects
        #expect(Set(suspects.map(\.party)) == [.clockHere, .endpointClock])
        #expect(suspects.allSatisfy { $0.clue == .onlyTwoClocks })
    }

    @Test func `a token that is ahead of its own answer has a signer with a wrong clock`() {
        let dated = Self.exchange(200, [("date", "Thu, 01 Jan 2026 00:00:00 GMT")])
        let suspects = Diagnosis(Failure(.tokenIssuedInFuture, exchange: dated)).suspects
        #expect(suspects == [Diagnosis.Suspect(.endpointClock, .likely, .aheadOfAnswer)])
    }

    @Test func `several suspects come with a command that distinguishes them`() {
        let page = Self.exchange(200, [("content-type", "text/html")], "<html><title>Welcome</title></html>")
        let diagnosis = Diagnosis(Failure(.sourceHTML, exchange: page))
        #expect(diagnosis.suspects.count > 1 && diagnosis.check == "curl -i https://h.example/t")
        #expect(diagnosis.suspects.allSatisfy { $0.strength == .possible })
    }

    @Test func `a command is given only if its answer may differ, or is a page to check`() {
        let text = [(name: "content-type", value: "text/plain")]
        func diagnosis(_ proxy: String?, isEncrypted: Bool) -> Diagnosis {
            let exchange = Self.exchange(403, text, "Forbidden", proxy: proxy, isEncrypted: isEncrypted)
            return Diagnosis(Failure(.sourceLogin, exchange: exchange).with(.status, 403))
        }
        let proxied = diagnosis("p.example:1", isEncrypted: false)
        #expect(proxied.suspects.contains { $0.party == .network })
        #expect(proxied.check == "curl -i --noproxy '*' https://h.example/t")
        let direct = diagnosis(nil, isEncrypted: true)
        #expect(direct.suspects.count > 1 && direct.check == nil)
    }

    @Test func `a page with an error of a program has the advice of the endpoint, not of a sign-in`() {
        let trace = "<html>Traceback (most recent call last): File \"app.py\", line 3</html>"
        let page = Self.exchange(200, [("content-type", "text/html")], trace)
        let first = Diagnosis(Failure(.sourceHTML, exchange: page)).first
        #expect(first == Diagnosis.Suspect(.tokenEndpoint, .likely, .endpointFailed))
        #expect(first?.clue?.fix == .statusServer)
    }

    @Test func `a refused login that worked before is not blamed on the flags`() {
        let refused = Self.exchange(401, [("content-type", "application/json")], #"{"error":"expired"}"#)
        let failure = Failure(.sourceLogin, exchange: refused).with(.status, 401)
        #expect(Diagnosis(failure).first?.party == .commandLine)
        #expect(Diagnosis(failure.with(History(tokens: 1))).suspects.map(\.party) == [.tokenEndpoint])
    }
}
