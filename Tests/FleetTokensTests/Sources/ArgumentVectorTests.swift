import FleetTokens
import Testing
import TripTestSupport

@testable import tripshare

@Suite("Argument vector", .ends(within: .quickTest))
struct ArgumentVectorTests {
    @Test(arguments: [
        ("cat token.txt", ["cat", "token.txt"]), ("  a\t b\n", ["a", "b"]), ("'a b' c", ["a b", "c"]),
        (#""a \"b\" \$c \\ \d""#, [#"a "b" $c \ \d"#]), (#"a\ b c\'d"#, ["a b", "c'd"]), ("a '' b", ["a", "", "b"]),
        ("a'b'\"c\"d", ["abcd"]), ("'$HOME' *", ["$HOME", "*"]), (#"'a\b'"#, [#"a\b"#]),
        ("sh -c 'gcloud auth print | jq -r .token'", ["sh", "-c", "gcloud auth print | jq -r .token"]),
    ])
    func `splits a command line by shell quoting and expands nothing`(text: String, words: [String]) throws {
        #expect(try ArgumentVector(parsing: text).words == words)
    }

    @Test(arguments: [
        ("", ArgumentVector.Problem.empty), ("  ", .empty), ("'' a", .empty), ("a 'b", .openQuote("'", column: 3)),
        ("\"a b", .openQuote("\"", column: 1)), ("a \\", .trailingBackslash),
    ])
    func `reports what is wrong and at which position`(text: String, problem: ArgumentVector.Problem) {
        #expect(throws: problem) { try ArgumentVector(parsing: text) }
    }
}
