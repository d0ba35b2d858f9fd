import Failures
import Testing
import TripTestSupport

@Suite("Answers of caches", .ends(within: .quickTest))
struct CacheEvidenceTests {
    private func text(_ headers: [(String, String)]) -> String? {
        CacheEvidence(headers.map { (name: $0.0, value: $0.1) })?.text
    }

    @Test(arguments: [
        "Age: 120", "X-Cache: HIT", "X-Cache: Hit from cloudfront", "x-cache: MISS, HIT", "X-Cache-Status: STALE",
        "X-Cache: TCP_MEM_HIT from a.example", "Cache-Status: edge; hit; ttl=30", "CF-Cache-Status: HIT",
        "Warning: 110 - \"Response is stale\"",
    ])
    func `names the headers that say so`(header: String) {
        let parts = header.split(separator: ": ", maxSplits: 1).map(String.init)
        #expect(text([("Content-Type", "text/html"), (parts[0], parts[1])]) == header)
        #expect(text([(parts[0], parts[1]), ("Via", "1.1 proxy")]) == "\(header), Via: 1.1 proxy")
    }

    @Test(arguments: [
        "Age: 0", "Age: x", "Age: -5", "X-Cache: MISS", "X-Cache: Miss from cloudfront", "CF-Cache-Status: DYNAMIC",
        "Cache-Status: edge; fwd=miss", "Via: 1.1 google", "Warning: 199 - \"x\"", "X-Cache: white",
    ])
    func `does not take every proxy for a cache that answers`(header: String) {
        let parts = header.split(separator: ": ", maxSplits: 1).map(String.init)
        #expect(text([(parts[0], parts[1])]) == nil)
    }

    @Test func `a long value is cut`() {
        #expect(text([("Age", "1"), ("Via", String(repeating: "v", count: 1000))])?.count == 73)
    }
}
