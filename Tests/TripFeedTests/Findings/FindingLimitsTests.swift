import Testing
import TripFeed
import TripTestSupport

@Suite("Finding rules and limits", .ends(within: .quickTest))
struct FindingLimitsTests {
    @Test(arguments: FindingLimit.all)
    func `each limit has its own value`(limit: FindingLimit) {
        var limits = FindingLimits()
        #expect(limit.range.contains(limits[limit]))
        limits[limit] = 0.25
        #expect(limits[limit] == 0.25)
        for other in FindingLimit.all where other != limit { #expect(limits[other] == other.standard) }
        #expect(limits != FindingLimits())
    }

    @Test func `the names of limits and the identifiers of rules are unique`() {
        #expect(Set(FindingLimit.all.map(\.id)).count == FindingLimit.all.count)
        #expect(FindingLimit.all.count == 25)
        #expect(Set(FindingRule.all.map(\.id)).count == FindingRule.all.count)
        for rule in FindingRule.all { #expect(FindingRule.named(rule.id) == rule) }
        #expect(FindingRule.named("none") == nil)
    }
}
