import Foundation
import Synchronization
import Testing
import TripTestSupport
import TripText

@testable import tripshare

/// The words about notices that are not delivered yet.
@Suite("Summary of notices", .ends(within: .quickTest))
struct NoticeSummaryTests {
    private static func summary(_ change: (inout NoticeSummary) -> Void) -> NoticeSummary {
        var summary = NoticeSummary()
        summary.path = "/state/notices.sqlite"
        change(&summary)
        return summary
    }

    @Test func `counts each notice once`() {
        let summary = Self.summary {
            ($0.delivered, $0.repeated, $0.waiting) = (37, 5, 3)
        }
        #expect(summary.total == 40)
        #expect(summary.text(.english) == "37 of 40 notices delivered; 3 wait in /state/notices.sqlite.")
    }

    @Test func `says who sends what waits, unless nothing does`() {
        let waiting = Self.summary { ($0.delivered, $0.waiting) = (37, 3) }
        #expect(waiting.hint(.english)?.hasSuffix("so does: tripshare notices send") == true)
        #expect(Self.summary { $0.delivered = 3 }.hint(.english) == nil)
        #expect(Self.summary { ($0.waiting, $0.waitingUnstored) = (2, 2) }.hint(.english) == nil)
    }

    @Test func `names what was refused, was too old, and could not be stored`() {
        let summary = Self.summary {
            ($0.delivered, $0.waiting, $0.refused, $0.expired, $0.unstored) = (1, 1, 1, 2, 4)
        }
        #expect(
            summary.text(.english) == "1 of 5 notices delivered; 1 waits in /state/notices.sqlite; 1 refused; "
                + "2 not delivered in time; 4 could not be stored."
        )
    }

    @Test func `says that what waits without a file is lost`() {
        let summary = Self.summary {
            $0.path = nil
            ($0.delivered, $0.waiting, $0.unstored) = (0, 1, 1)
        }
        #expect(summary.text(.english) == "0 of 1 notice delivered; 1 neither delivered nor stored.")
    }

    @Test func `does not say of what the file does not have that it waits there`() {
        let some = Self.summary {
            ($0.delivered, $0.waiting, $0.waitingUnstored, $0.unstored) = (2, 5, 3, 4)
        }
        #expect(
            some.text(.english) == "2 of 7 notices delivered; 2 wait in /state/notices.sqlite; "
                + "3 neither delivered nor stored; 4 could not be stored."
        )
        let all = Self.summary {
            ($0.waiting, $0.waitingUnstored, $0.unstored) = (5, 5, 5)
        }
        #expect(all.text(.english) == "0 of 5 notices delivered; 5 neither delivered nor stored.")
        #expect(NoticesLine(some, at: Date(timeIntervalSince1970: 0)).lost == 3)
    }

    @Test(arguments: Language.allCases)
    func `has numbers and file in every language`(language: Language) {
        let summary = Self.summary { ($0.delivered, $0.waiting, $0.refused) = (37, 3, 2) }
        let text = summary.text(Localizer(language))
        for part in ["37", "42", "3", "2", "/state/notices.sqlite"] { #expect(text.contains(part), "\(text)") }
        #expect(!text.contains("{{") && !text.contains("\n"))
    }

    @Test func `the line has the documented keys`() throws {
        let summary = Self.summary { ($0.delivered, $0.repeated, $0.waiting) = (37, 2, 3) }
        let line = SanitizedJSON.line(NoticesLine(summary, at: Date(timeIntervalSince1970: 0)))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(
            Set(object.keys) == [
                "type", "time", "delivered", "repeated", "refused", "expired", "waiting", "lost", "unstored", "file",
            ]
        )
        #expect(object["type"] as? String == "notices" && object["file"] as? String == "/state/notices.sqlite")
        #expect(object["delivered"] as? Int == 37 && object["repeated"] as? Int == 2 && object["waiting"] as? Int == 3)
    }

    @Test func `passes on the first messages and counts the others`() {
        var reports = NoticeMessages()
        #expect(reports.pass((0..<15).map(String.init)).count == 15 && reports.omitted == 0)
        #expect(reports.pass((15..<30).map(String.init)) == ["15", "16", "17", "18", "19"])
        #expect(reports.pass(["30"]).isEmpty && reports.omitted == 11)
    }

    @Test func `says for which receivers notices wait, and nothing if there are none`() {
        func text(_ progress: NoticeProgress) -> String { progress.text(.english, quit: "q") }
        #expect(text(.backlog([])) == "")
        #expect(
            text(.backlog([NoticeBacklog(receiver: "ops.example", count: 12)])) == "12 notices wait for ops.example"
        )
        let many = (1...5).map { NoticeBacklog(receiver: "h\($0)", count: 9) }
        #expect(text(.backlog(many)).hasSuffix("9 notices wait for h3, …"))
    }

    @Test func `counts down while notices are delivered at the end`() {
        func text(_ count: Int, _ seconds: Double) -> String {
            NoticeProgress.ending(count: count, left: .seconds(seconds)).text(.english, quit: "q")
        }
        #expect(text(2, 9.2) == "2 notices are being delivered (at most 10 s); q again leaves them for later")
        #expect(text(1, -0.3) == "1 notice is being delivered (at most 0 s); q again leaves it for later")
        #expect(text(0, 5) == "")
    }

    @Test func `a receiver is slow while several notices wait for some time, until nothing waits`() {
        var slow = SlowReceivers()
        func names(_ waiting: Int, _ seconds: Double) -> [NoticeBacklog] {
            slow.update([(name: "h", waiting: waiting), (name: "fast", waiting: 1)], at: .seconds(seconds))
        }
        #expect(names(20, 0).isEmpty && names(20, 2.9).isEmpty)
        #expect(names(20, 3) == [NoticeBacklog(receiver: "h", count: 20)])
        #expect(names(1, 4) == [NoticeBacklog(receiver: "h", count: 1)])
        #expect(names(0, 5).isEmpty && names(9, 6).isEmpty && names(0, 7).isEmpty && names(9, 10).isEmpty)
    }

    @Test func `a change is reported once, and only while a backlog is shown`() {
        let count = Mutex(0)
        let news = NoticeNews { count.withLock { $0 += 1 } }
        func told() -> Int { count.withLock { $0 } }
        news.changed()
        #expect(told() == 0)
        news.read(isShown: true)
        news.changed()
        news.changed()
        #expect(told() == 1)
        news.read(isShown: true)
        news.changed()
        #expect(told() == 2)
    }

    @Test(arguments: [("30min", 1800), ("2d", 172_800), ("90s", 90), ("1.5h", 5400)])
    func `a duration has a unit`(text: String, seconds: Double) {
        #expect(NoticesDiscardCommand.duration(text) == .seconds(seconds))
    }

    @Test(arguments: ["", "5", "min", "-1d", "1e3s", "5 min", "9999d", "5m", "nand"])
    func `what is no duration is refused`(text: String) { #expect(NoticesDiscardCommand.duration(text) == nil) }

    @Test(arguments: [("trip-1", "trip-1", true), ("trip-1", "trip", false), ("taskTrackingInfo/s-1", "s-1", true)])
    func `finds the notices about a trip or a shipment`(journey: String, id: String, isAbout: Bool) {
        let notice = StoredNotice(
            id: NoticeID(text: "00"),
            session: "s",
            sequence: 1,
            journey: journey,
            event: "status",
            body: [],
            created: .distantPast,
            due: .distantPast
        )
        #expect(WaitingNotice(notice: notice, receiver: "k", receiverName: "h").isAbout(id) == isAbout)
    }
}
