import Recording
import Testing
import TripTestSupport

@Suite("Pictures of the screen", .ends(within: .quickTest))
struct ScreenPictureTests {
    private let first = ScreenPicture(width: 10, rows: ["a", "", "c"])

    @Test func `a picture is read from its changes`() {
        var read: ScreenPicture?
        var last: ScreenPicture?
        for rows in [["a", "", "c"], ["a", "b", "c"], ["", "b", ""], ["x"], ["x"], ["", "", "", "z"]] {
            let picture = ScreenPicture(width: 10, rows: rows)
            read = ScreenPicture.picture(of: RecordedScreen(seen: 0, picture.changes(since: last)), after: read)
            #expect(read == picture)
            last = picture
        }
    }

    @Test func `changes of a missing picture and rows outside of it are no picture`() {
        let second = ScreenPicture(width: 10, rows: ["a", "b", "c"])
        #expect(ScreenPicture.picture(of: RecordedScreen(seen: 0, second.changes(since: first)), after: nil) == nil)
        for rows in [["7": "x"], ["-1": "x"], ["one": "x"]] {
            var line = RecordedScreen(seen: 0, first.changes(since: nil))
            line.rows = rows
            #expect(ScreenPicture.picture(of: line, after: nil) == nil)
        }
        var huge = RecordedScreen(seen: 0, first.changes(since: nil))
        huge.height = 1 << 40
        #expect(ScreenPicture.picture(of: huge, after: nil) == nil)
        #expect(ScreenPicture.picture(of: RecordedScreen(seen: 0), after: first) == nil)
    }

    @Test func `pictures take 64 KiB and a quarter of the other lines, and the last one is always there`() {
        var log = ScreenPictureLog()
        var size = 0
        for number in 0..<1000 {
            let rows = (0..<24).map { "\($0) \(number) " + String(repeating: "x", count: 60) }
            guard let changes = log.changes(to: ScreenPicture(width: 80, rows: rows), bytes: 100_000 + size) else {
                continue
            }
            size += changes.rows.values.reduce(0) { $0 + $1.utf8.count }
        }
        #expect(size > 50_000 && size < 65_536 + 25_000)
        let last = ScreenPicture(width: 80, rows: ["end"])
        #expect(log.changes(to: last, bytes: 0, isLast: true) != nil)
        #expect(log.changes(to: last, bytes: 0, isLast: true) == nil)
    }
}
