import Foundation
import Recording
import Runtime
import Testing
import TripTestSupport

@testable import tripshare

@Suite("Recorded pictures of a screen", .ends(within: .longTest))
struct ScreenTrackTests {
    private static let start = Moment(wall: Date(timeIntervalSince1970: 1_767_286_800), steady: .zero)

    @Test func `a frame that time alone changed makes no picture`() {
        var track = ScreenTrack(at: Self.start, rate: 1)
        var made = 0
        func draw(_ text: String, isLast: Bool = false) -> RecordedEvent? {
            track.drawn(
                {
                    made += 1
                    return ScreenPicture(width: 80, rows: [text])
                }(),
                bytes: 0,
                dependsOnTime: false,
                isLast: isLast
            )
        }
        #expect(draw("0:05") != nil && made == 1)
        for second in 1...60 {
            track.advance(to: Self.start.advanced(by: .seconds(second)), rate: 1)
            #expect(draw("0:0\(second)") == nil)
        }
        #expect(made == 1)
        track.read(upTo: 7)
        #expect(draw("arrived") != nil && made == 2)
        #expect(draw("the end", isLast: true) != nil && made == 3)
    }

    @Test func `a picture that was too large is made again when there is room for it`() {
        var track = ScreenTrack(at: Self.start, rate: 1)
        var made = 0
        func draw(_ number: Int, bytes: Int) -> Bool? {
            track.read(upTo: number)
            let line = track.drawn(
                {
                    made += 1
                    let row = String(repeating: "\(number % 10)", count: 1000)
                    return ScreenPicture(width: 1000, rows: Array(repeating: row, count: 10))
                }(),
                bytes: bytes,
                dependsOnTime: false,
                isLast: false
            )
            guard case .screen(let screen) = line?.content else { return nil }
            return screen.rows != nil
        }
        // Six pictures of 10 kB may be recorded at once; what the screen had read is recorded without its picture, too.
        let recorded = (1...200).map { draw($0, bytes: 0) }
        #expect(recorded == Array(repeating: true, count: 6) + Array(repeating: false, count: 194))
        #expect(made == 7)
        #expect(draw(201, bytes: 1_000_000) == true && made == 8)
    }
}
