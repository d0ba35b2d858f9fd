import Foundation
import Testing
import TripScreen
import TripTestSupport

@Suite("Reports and requests of the presenter's console", .ends(within: .quickTest))
struct PresenterReportTests {
    private func read(_ change: (inout PresenterReport) -> Void) throws -> PresenterReport? {
        var report = ConsoleScene.report
        change(&report)
        return PresenterReport(json: Array(try JSONEncoder().encode(report)))
    }

    @Test func `a report is read as it was written`() throws {
        let report = try read { _ in }
        #expect(report == ConsoleScene.report)
    }

    @Test func `texts of a report are sanitized and bounded`() throws {
        let report = try #require(
            try read {
                $0.caption = "\u{1B}[2J" + String(repeating: "x", count: 5000)
                $0.scenarios = Array(repeating: "\u{202E}s", count: 5000)
                $0.trip.text = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJlc2lnbmF0dXJl"
            }
        )
        #expect(!report.caption.contains("\u{1B}") && report.caption.count <= 301)
        #expect(report.scenarios.count == 200 && !report.scenarios[0].contains("\u{202E}"))
        #expect(!report.trip.text.contains("c2lnbmF0dXJl"))
    }

    @Test func `a report with a number out of range is refused`() throws {
        let changes: [(inout PresenterReport) -> Void] = [
            { $0.ride.speed = 0 }, { $0.ride.speed = 1e300 }, { $0.began = -1 }, { $0.ride.virtual = 1e18 },
            { $0.nextCaption?.due = 1e18 },
        ]
        for change in changes {
            let report = try read(change)
            #expect(report == nil)
        }
        #expect(PresenterReport(json: Array("{}".utf8)) == nil)
    }

    @Test(
        arguments: [.fault(.toggle("503")), .fault(.clear), .play("traffic-jam"), .nextChapter, .restart]
            as [PresenterRequest]
    )
    func `a request is read as it was written`(_ request: PresenterRequest) {
        #expect(PresenterRequest(json: request.json) == request)
    }

    @Test(arguments: ["", "[]", "{}", #"{"jump":"back"}"#, #"{"clearFaults":false}"#, #"{"fault":"a","play":"b"}"#])
    func `anything else is no request`(_ json: String) {
        #expect(PresenterRequest(json: Array(json.utf8)) == nil)
    }
}
