import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// Texts that contain a token in another form, made from a token so that the form is known.
@Suite("Forms around a token", .ends(within: .quickTest))
struct TokenFormTests {
    private let now = Moment(wall: Date(timeIntervalSince1970: 1_767_225_600), steady: .zero)

    private var token: String {
        get throws { FakeToken(.trip(try TripID("trip-A")), issuedAt: now.wall).text }
    }

    /// Texts with the token in a form, each as an endpoint, a file or a variable may contain it.
    private static func texts(_ form: TokenForm, _ token: String) -> [String] {
        let base64 = Data(token.utf8).base64EncodedString()
        return switch form {
        case .utf16: [token.map { "\($0)\0" }.joined(), "\u{FFFD}\u{FFFD}" + token.map { "\0\($0)" }.joined()]
        case .bearer: ["Bearer \(token)", "bearer  \(token)", "Authorization: \(token)", "JWT \(token)"]
        case .quoted: ["'\(token)'", "`\(token)`", "“\(token)”", "<\(token)>", "(\(token))"]
        case .json: [#""{\"token\":\"\#(token)\"}""#]
        case .list: [#"["\#(token)"]"#, #"[{"jwt":"\#(token)"}]"#, "[ \"\(token)\", \"other\" ]"]
        case .xml:
            [
                "<token>\(token)</token>", "<?xml version=\"1.0\"?>\n<answer><jwt id=\"1\">\n\(token)\n</jwt></answer>",
                "<t><![CDATA[\(token)]]></t>",
            ]
        case .labelled: ["token=\(token)", "jwt: \(token)", "FLEET_TOKEN = \(token)"]
        case .percentEncoded: [token.replacing(".", with: "%2E"), token.replacing("eyJ", with: "%65yJ")]
        case .base64: [base64, base64.replacing("=", with: ""), Data("\(token)\n".utf8).base64EncodedString()]
        case .spaced:
            [String(token.prefix(60)) + "\n" + token.dropFirst(60), token.replacing(".", with: ". ")]
        }
    }

    /// What the provider says about an answer.
    private func fault(_ answer: [UInt8]) throws -> Failure? {
        let trip = AuthorizationContext.trip(try TripID("trip-A"))
        let issued = try TokenAnswerFormat().read(answer)
        do throws(Failure) {
            _ = try TokenAdmission(expectations: TokenExpectations(), policy: .standard)
                .admit(issued, for: trip, sentAt: now, receivedAt: now)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: TokenForm.allCases)
    func `every form is named, in a bare answer and as a value of JSON`(form: TokenForm) throws {
        for text in Self.texts(form, try token) {
            let expected =
                form == .bearer && text.lowercased().hasPrefix("bearer")
                ? Failure.tokenBearerPrefix : .tokenWrapped(form)
            // The endpoint writes an object as a text: that is an error of its own.
            if form != .json { #expect(try fault(Array(text.utf8)) == expected, "\(text.prefix(40))") }
            guard form != .utf16, form != .json else { continue }
            let encoder = JSONEncoder()
            let value = String(decoding: try encoder.encode(["jwt": text]), as: UTF8.self)
            #expect(try fault(Array(value.utf8)) == expected, "\(value.prefix(40))")
        }
    }

    @Test func `UTF-16 is recognized in both byte orders, with and without a mark`() throws {
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian] {
            let bytes = Array(try #require(try token.data(using: encoding)))
            #expect(try fault(bytes) == .tokenWrapped(.utf16), "\(encoding)")
        }
    }

    @Test(arguments: 0..<300)
    func `the outermost of several forms is named`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        // A form whose text is a line of plain characters can be inside every other one.
        let inner: [TokenForm] = [.quoted, .labelled, .base64, .percentEncoded, .list, .xml]
        let outer: [TokenForm] = [.quoted, .xml, .base64, .labelled, .spaced, .utf16]
        guard let first = inner.randomElement(using: &random), let second = outer.randomElement(using: &random) else {
            return
        }
        let texts = Self.texts(first, try token)
        guard first != second, let text = texts.randomElement(using: &random) else { return }
        guard second != .spaced || first != .xml, second != .xml || text.hasPrefix("eyJ") else { return }
        guard let wrapped = Self.texts(second, text).randomElement(using: &random) else { return }
        let found = TokenForm.unwrap(wrapped)
        #expect(found?.token == (try token), "\(first) in \(second): \(wrapped.prefix(60))")
        #expect(found?.forms.isEmpty == false)
    }

    @Test func `a token and a text without one have no form`() throws {
        #expect(TokenForm(of: try token) == nil)
        let texts = [
            "", "no token", "{}", "[]", "<html><script>var t = 'x'</script></html>", "eyJ", "a.b.c",
            String(repeating: "QUJD", count: 40), "%%%", "[[[[[[[[[[\"eyJ\"]]]]]]]]]]",
            String(repeating: "(", count: 60_000),
        ]
        for text in texts { #expect(TokenForm(of: text) == nil, "\(text.prefix(40))") }
    }

    @Test func `an inspection reads the claims inside, and says that the form is wrong`() throws {
        let text = Data(try token.utf8).base64EncodedString()
        let expectations = TokenInspection.Expectations(context: .trip(try TripID("trip-A")))
        let inspection = TokenInspection.inspect(text, expectations, now: now.wall)
        #expect(inspection.claims?.tripID == "trip-A")
        #expect(inspection.findings.first?.sentence.key == .verdictWrapped)
        #expect(inspection.fault(for: .trip(try TripID("trip-A")), at: now) == .tokenWrapped(.base64))
        // What is copied along with a token is removed.
        #expect(TokenInspection.inspect("'Bearer \(try token)'", expectations, now: now.wall).isFaultless)
    }
}
