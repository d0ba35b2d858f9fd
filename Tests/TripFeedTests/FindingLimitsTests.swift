import Testing
import TripFeed
import TripTestSupport

@Suite("Finding limits", .ends(within: .minutes(10)))
struct FindingLimitsTests {
    @Test(arguments: FindingLimits.Name.allCases)
    func `each name sets its own limit`(name: FindingLimits.Name) {
        var limits = FindingLimits()
        #expect(name.range.contains(limits[name]))
        limits[name] = 0.25
        #expect(limits[name] == 0.25)
        for other in FindingLimits.Name.allCases where other != name {
            #expect(limits[other] == FindingLimits()[other])
        }
        #expect(limits != FindingLimits())
    }

    @Test func `every limit has a name`() {
        #expect(Mirror(reflecting: FindingLimits()).children.count == FindingLimits.Name.allCases.count)
    }
}
