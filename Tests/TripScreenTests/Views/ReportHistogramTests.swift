import Canvas
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport

/// The picture of the times between the driver's reports, beside a finding about them.
@Suite("Times between reports", .ends(within: .quickTest))
struct ReportHistogramTests {
    /// The rows of the picture of a ride whose driver reports at these seconds, without the frame.
    private func picture(
        _ reports: [Double],
        _ rule: FindingRule = "reportsRare",
        width: Int = 120,
        level: GlyphSet.Level = .braille,
        limits: [(FindingLimit, Double)] = []
    ) throws -> [String] {
        var ride = Ride()
        ride.reports = reports
        var state = try ride.screen(at: 105, width: width, height: 40, glyphs: GlyphSet(level)) { settings in
            for (limit, value) in limits { settings.limits[limit] = value }
        }
        let finding = Finding(
            time: Ride.moment(95).wall,
            journey: try ride.id(),
            rule: rule,
            severity: .warning,
            evidence: [Evidence("interval", .seconds(22)), Evidence("reports", .count(8))]
        )
        #expect(state.update(.feed(.found(finding.journey, [finding]))).isEmpty)
        #expect(state.update(.key(.character("6"))).isEmpty)
        let rows = view(state).text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let caption = rows.firstIndex(where: { $0.contains("Times between") }),
            let start = rows[caption].range(of: "Times between")
        else { return [] }
        let column = rows[caption].distance(from: rows[caption].startIndex, to: start.lowerBound)
        return rows[caption...].prefix(5).map { row in
            var text = row.dropFirst(column).dropLast()
            while text.last == " " { text.removeLast() }
            return String(text)
        }
    }

    private static let reports: [Double] = [0, 5, 10, 15, 25, 45, 70, 95]

    @Test(arguments: [80, 120])
    func `shows how many times are below, between and above the thresholds`(width: Int) throws {
        #expect(
            try picture(Self.reports, width: width) == [
                "Times between the last 7 known reports, from short to long",
                "            2       1           1   2",
                "            ███     ▅▅▅         ▅▅▅ ███",
                "───────────┼───────────────────────┼────────────",
                "           frequentReports 2 s     rareReports 20 s",
            ]
        )
    }

    @Test func `needs only ASCII`() throws {
        #expect(
            try picture(Self.reports, level: .ascii) == [
                "Times between the last 7 known reports, from short to long",
                "            2       1           1   2",
                "            |||     :::         ::: |||",
                "-----------+-----------------------+------------",
                "           frequentReports 2 s     rareReports 20 s",
            ]
        )
    }

    @Test func `marks the thresholds of the session`() throws {
        let limits: [(FindingLimit, Double)] = [(.frequentReports, 6), (.rareReports, 24)]
        let rows = try picture(Self.reports, "reportsFrequent", limits: limits)
        #expect(rows.last == "           frequentReports 6 s     rareReports 24 s")
        #expect(rows.dropFirst().first == "        2       1           1       2")
    }

    @Test func `thresholds in the other order or of zero are drawn, too`() throws {
        for limits in [[(FindingLimit.frequentReports, 30.0)], [(.frequentReports, 0), (.rareReports, 0)]] {
            #expect(try picture(Self.reports, limits: limits).count == 5)
        }
    }

    @Test func `another finding has no picture`() throws {
        #expect(try picture(Self.reports, "offRoute").isEmpty)
    }

    @Test func `a narrow screen has the finding without a picture`() throws {
        #expect(try picture(Self.reports, width: 50).isEmpty)
    }
}
