import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

/// The memory of the keyframes does not grow with the length of a recording.
@Suite("Keyframes of a replay", .ends(within: .longTest))
struct ReplayFramesTests {
    private static let start = Moment(wall: Date(timeIntervalSince1970: 1_767_225_600), steady: .zero)

    /// Returns a recording of trips that end one after the other, and then of one trip with many polls.
    private static func recording(ended: Int, polls: Int) -> [UInt8] {
        let header = RecordingHeader(
            program: "1",
            start: RecordedMoment(start),
            seed: 1,
            configuration: .init(provider: "acme", service: "https://h", host: "h", trips: ["last"], interval: 5),
            display: .init(width: 80, height: 24, language: "en", units: "metric", output: "tui"),
            zone: .init(offset: 0, name: "UTC", hasTwelveHours: false)
        )
        var text = String(decoding: RecordingLine.bytes(header), as: UTF8.self)
        for trip in 0..<ended {
            text += poll("trip-\(trip)", "ENROUTE_TO_PICKUP", at: trip * 2)
            text += poll("trip-\(trip)", "COMPLETE", at: trip * 2 + 1)
            text += end("trip-\(trip)", at: trip * 2 + 1)
        }
        for number in 0..<polls { text += poll("last", "ENROUTE_TO_DROPOFF", at: ended * 2 + number) }
        return Array(text.utf8)
    }

    private static func poll(_ trip: String, _ status: String, at second: Int) -> String {
        let time = start.wall.addingTimeInterval(Double(second)).formatted(.iso8601)
        let place = #"{"latitude":\#(52 + Double(second) / 1e4),"longitude":13}"#
        let body =
            #"{"name":"providers/acme/trips/\#(trip)","tripStatus":"\#(status)","vehicleId":"v","lastLocation":"#
            + #"{"location":\#(place),"serverTime":"\#(time)","speed":9}}"#
        let moment = #"{"steady":\#(second),"wall":"\#(time)"}"#
        let answer =
            #"{"body":"\#(body.replacing("\"", with: "\\\""))","headers":[],"isCut":false,"size":\#(body.utf8.count),"#
            + #""status":200}"#
        return #"{"type":"poll","at":\#(second),"time":"\#(time)","answer":\#(answer),"finished":\#(moment),"#
            + #""latency":0.1,"schedule":{"failures":0,"interval":5,"isPaused":false,"reason":"interval"},"#
            + #""started":\#(moment),"trip":"\#(trip)"}"# + "\n"
    }

    private static func end(_ trip: String, at second: Int) -> String {
        let time = start.wall.addingTimeInterval(Double(second)).formatted(.iso8601)
        return
            #"{"type":"end","at":\#(second),"time":"\#(time)","kind":"reached","status":"COMPLETE","trip":"\#(trip)"}"#
            + "\n"
    }

    private static func frames(_ bytes: [UInt8], capacity: Int = ReplayFrames.capacity) throws -> ReplayFrames {
        let player = RecordingPlayer(provider: try ProviderID("acme"))
        let opening = ReplayOpening(RecordingBytes(bytes), player, start: start)
        let state = State(
            trips: [try .trip(TripID("last"))],
            settings: State.Settings(host: "h"),
            now: start,
            width: 80,
            height: 24
        )
        let frames = ReplayFrames(
            opening.index,
            first: ReplayFrames.Frame(cursor: opening.cursor, snapshot: state.snapshot),
            capacity: capacity
        )
        var reader = ReplayReader(frames, state)
        while reader.read(100) {}
        return frames
    }

    @Test func `a keyframe has the memory of what has changed, not that of all trips and positions`() throws {
        let few = try Self.frames(Self.recording(ended: 0, polls: 64))
        let short = try Self.frames(Self.recording(ended: 192, polls: 64 * 6))
        let long = try Self.frames(Self.recording(ended: 192, polls: 64 * 26))
        #expect(few.count == 2 && short.count == 1 + 9 + 6 && long.count == short.count + 20)
        let frame = (long.bytes - short.bytes) / 20
        // The list of the ended trips and of their bodies is part of every keyframe, but not what they contain.
        #expect(frame < few.bytes + 60_000, "\(frame) and \(few.bytes)")
        #expect(frame < 120_000, "\(frame)")
    }

    @Test(arguments: [1_500_000, 2_000_000])
    func `the keyframes stay within their capacity and evenly spaced`(capacity: Int) throws {
        let frames = try Self.frames(Self.recording(ended: 64, polls: 64 * 60), capacity: capacity)
        #expect(frames.bytes <= capacity && frames.count >= 8, "\(frames.bytes) of \(frames.count)")
        let places = Set((0..<frames.index.count).map { frames.frame(until: $0).cursor.number }).sorted()
        let gaps = Set(zip(places, places.dropFirst()).map { $1 - $0 })
        #expect(places.count == frames.count && gaps.count == 1, "\(places)")
    }

    @Test func `a seek plays at most one spacing, whatever was dropped`() throws {
        let bytes = Self.recording(ended: 5, polls: 64 * 40)
        let all = try Self.frames(bytes)
        let some = try Self.frames(bytes, capacity: 1 << 19)
        #expect(some.count < all.count)
        let spacing = (all.index.count / all.index.stride + 1) / some.count + 1
        for number in stride(from: 0, to: all.index.count, by: 7) {
            #expect(number - some.frame(until: number).cursor.number < spacing * 2 * all.index.stride)
        }
    }
}
