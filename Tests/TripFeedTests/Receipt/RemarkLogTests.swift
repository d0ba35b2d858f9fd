import Foundation
import Testing
import TripFeed
import TripTestSupport

@Suite("Log of remarks", .ends(within: .quickTest))
struct RemarkLogTests {
    @Test func `retains the latest remarks, and only their screens`() {
        let log = RemarkLog()
        for number in 0..<(RemarkLog.maximumCount + 5) {
            log.add(SessionRemark(.note("\(number)"), at: Date(timeIntervalSince1970: 0), screen: ["screen"]))
        }
        #expect(log.all.count == RemarkLog.maximumCount)
        #expect(log.all.first?.content == .note("5"))
        #expect(log.all.count { !$0.screen.isEmpty } == RemarkLog.mostScreens)
        #expect(log.all.last?.screen == ["screen"])
    }

    @Test func `an empty input is a mark`() {
        let time = Date(timeIntervalSince1970: 0)
        #expect(SessionRemark(input: "", at: time, journey: nil, status: nil, screen: []).kind == "mark")
        #expect(SessionRemark(input: "a", at: time, journey: nil, status: nil, screen: []).content == .note("a"))
    }
}
