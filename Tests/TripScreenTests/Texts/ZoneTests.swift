import Foundation
import Testing
import TripTestSupport
import TripText

@Suite("Time zones", .ends(within: .quickTest))
struct ZoneTests {
    private static func time(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    private static func berlin(at start: String) throws -> Zone {
        Zone(try #require(TimeZone(identifier: "Europe/Berlin")), at: try time(start), hasTwelveHours: false)
    }

    @Test(arguments: ["2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z", "2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z"])
    func `a clock time has the offset of its own time, whenever the session started`(_ start: String) throws {
        let zone = try Self.berlin(at: start)
        #expect(zone.clock(try Self.time("2026-03-29T00:59:59Z")) == "01:59:59")
        #expect(zone.clock(try Self.time("2026-03-29T01:00:00Z")) == "03:00:00")
        #expect(zone.clock(try Self.time("2026-10-25T00:59:59Z")) == "02:59:59")
        #expect(zone.clock(try Self.time("2026-10-25T01:00:00Z")) == "02:00:00")
    }

    @Test func `days are counted by the local calendar across a change of the offset`() throws {
        let zone = try Self.berlin(at: "2026-03-28T12:00:00Z")
        let now = try Self.time("2026-03-28T23:30:00Z")
        #expect(zone.clock(try Self.time("2026-03-29T21:59:59Z"), now: now) == "23:59:59")
        #expect(zone.clock(try Self.time("2026-03-29T22:00:00Z"), now: now) == "00:00:00 +1d")
        #expect(zone.clock(try Self.time("2026-03-28T22:59:59Z"), now: now) == "23:59:59 -1d")
    }

    @Test func `a zone retains the offset and abbreviation of its start`() throws {
        #expect(try Self.berlin(at: "2026-03-29T00:59:59Z").offset == 3600)
        #expect(try Self.berlin(at: "2026-03-29T01:00:00Z").offset == 7200)
        let noon = try Self.time("2026-07-01T12:00:00Z")
        #expect(Zone.utc.rules == nil && Zone.utc.clock(noon) == "12:00:00")
    }

    @Test func `a full name has the difference from UTC at a time`() throws {
        let (winter, summer) = (try Self.time("2026-01-15T12:00:00Z"), try Self.time("2026-07-15T12:00:00Z"))
        let berlin = try Self.berlin(at: "2026-01-15T12:00:00Z")
        #expect(berlin.fullName(at: winter) == "Europe/Berlin (UTC+1)")
        #expect(berlin.fullName(at: summer) == "Europe/Berlin (UTC+2)")
        #expect(Zone.utc.fullName(at: summer) == "UTC")
        #expect(Zone(offset: -12_600, name: "").fullName(at: winter) == "UTC-3:30")
        #expect(Zone(offset: 19_800, name: "IST").fullName(at: winter) == "IST (UTC+5:30)")
    }

    @Test func `extreme times have a clock time`() throws {
        let zone = try Self.berlin(at: "2026-03-28T12:00:00Z")
        for seconds in [-Double.greatestFiniteMagnitude, -1e12, 0, 1e12, .greatestFiniteMagnitude, .infinity, .nan] {
            #expect(zone.clock(Date(timeIntervalSince1970: seconds)).count == 8, "\(seconds)")
        }
    }
}
