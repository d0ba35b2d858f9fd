import FleetWire
import Foundation
import Runtime
import SwiftProtobuf
import Testing
import TripModel
import TripTestSupport

@Suite("Timestamps and durations", .ends(within: .quickTest))
struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0),
        ("2026-03-14T08:18:31Z", 1_773_476_311),
        ("2026-03-14T08:18:31.640Z", 1_773_476_311.64),
        ("2026-03-14T09:18:31.640+01:00", 1_773_476_311.64),
        ("2026-03-14T04:48:31.640-03:30", 1_773_476_311.64),
        ("2024-02-29T23:59:59.999999Z", 1_709_251_199.999999),
        ("1969-12-31T23:59:59.5Z", -0.5),
        ("0001-01-01T00:00:00Z", -62_135_596_800),
        ("9999-12-31T23:59:59.999999999Z", 253_402_300_799.999999999),
    ])
    func `parses timestamps`(text: String, seconds: Double) throws {
        let date = try #require(Timestamp.date(text))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-4)
    }

    @Test(arguments: [
        "", "2026-03-14", "2026-03-14T08:18:31", "2026-13-14T08:18:31Z", "2026-03-14T25:18:31Z",
        "2026-03-14T08:18:31.Z", "2026-03-14T08:18:31Zx", "1773476311", "2026-03-14T08:18:31+1",
    ])
    func `refuses invalid timestamps`(text: String) {
        #expect(Timestamp.date(text) == nil)
    }

    @Test(arguments: [
        "2026-03-14T08:18:31Z", "2026-03-14T08:18:31.640Z", "2025-02-05T17:02:31.483732Z", "1969-12-31T23:59:59.500Z",
    ])
    func `a formatted timestamp parses to the same time`(text: String) {
        #expect(Timestamp.date(text).map(Timestamp.text) == text)
    }

    @Test func `reads and writes times as SwiftProtobuf does`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let seconds = Int64.random(in: -2_000_000_000...2_000_000_000, using: &generator)
            let micros = Int32(
                [0, 640_000, .random(in: 0..<1_000_000, using: &generator)].randomElement(using: &generator) ?? 0
            )
            let message = Google_Protobuf_Timestamp(seconds: seconds, nanos: micros * 1000)
            let json = try message.jsonString()
            #expect(
                "\"\(Timestamp.text(Date(timeIntervalSince1970: Double(seconds) + Double(micros) / 1e6)))\"" == json
            )
            var bytes = Array(json.utf8)
            let place = Int.random(in: 1..<bytes.count - 1, using: &generator)
            bytes[place] = "0123456789-T:Z.+ ".utf8.randomElement(using: &generator) ?? 0
            let changed = try? Google_Protobuf_Timestamp(jsonUTF8Bytes: bytes)
            let text = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
            let time = Timestamp.date(text)?.timeIntervalSince1970
            #expect((time == nil) == (changed == nil), "\(text)")
            if let changed, let time {
                // A number of seconds is no more exact far from 1970.
                let exactness = max(2e-6, time.ulp)
                #expect(abs(time - Double(changed.seconds) - Double(changed.nanos) / 1e9) <= exactness)
            }
        }
    }

    @Test(arguments: [
        ("0s", 0), ("96.500s", 96.5), ("53.076652s", 53.076652), ("-0.5s", -0.5), ("3600s", 3600), ("1.000000001s", 1),
    ])
    func `parses durations`(text: String, seconds: Double) throws {
        let duration = try #require(DurationText.duration(text))
        #expect(abs(duration.seconds - seconds) < 1e-6)
    }

    @Test(arguments: ["", "5", "s", "5 s", "1.s", "1e3s", "--5s", "99999999999999s"])
    func `refuses invalid durations`(text: String) {
        #expect(DurationText.duration(text) == nil)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
    func `formats no time outside of the calendar`(seconds: Double) {
        let text = Timestamp.text(Date(timeIntervalSince1970: seconds))
        #expect(text.count >= 20 && text.hasSuffix("Z"))
        #expect(Timestamp.date(text) != nil)
    }

    @Test func `formats durations in milliseconds`() {
        #expect(DurationText.text(.milliseconds(96_500)) == "96.500s")
        #expect(DurationText.text(.seconds(5)) == "5s")
        #expect(DurationText.text(.milliseconds(-1_005)) == "-1.005s")
    }
}
