import Foundation
import Recording
import Runtime
import TripModel

/// A recording of ten hours with 100,000 polls: ten trips at a time, each of them half an hour long.
struct LongRecording {
    /// The number of polls.
    let polls: Int
    /// The moment of the header.
    static let start = Moment(wall: Date(timeIntervalSince1970: 1_767_225_600), steady: .zero)
    static let trips = 10
    private static let hours = 10.0
    private static let shift = 1800.0

    /// Writes the file.
    func write(to file: URL) throws {
        guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let output = try FileHandle(forWritingTo: file)
        defer { try? output.close() }
        var text = String(decoding: RecordingLine.bytes(header), as: UTF8.self)
        for number in 0..<polls {
            add(number, to: &text)
            guard text.utf8.count > 4 << 20 else { continue }
            try output.write(contentsOf: Data(text.utf8))
            text = ""
        }
        try output.write(contentsOf: Data(text.utf8))
    }

    private var header: RecordingHeader {
        RecordingHeader(
            program: "1",
            start: RecordedMoment(Self.start),
            seed: 1,
            configuration: .init(
                provider: "acme",
                service: "https://h",
                host: "h",
                trips: (0..<Self.trips).map { "trip-0-\($0)" },
                interval: 3.6
            ),
            display: .init(width: 120, height: 40, language: "en", units: "metric", output: "tui"),
            zone: .init(offset: 0, name: "UTC", hasTwelveHours: false)
        )
    }

    /// Adds the request and the answer of a poll.
    private func add(_ number: Int, to text: inout String) {
        let seconds = (Double(number) * Self.hours * 3600 / Double(polls) * 1000).rounded() / 1000
        let place = number % Self.trips
        let within = (seconds + Double(place) * 17).truncatingRemainder(dividingBy: Self.shift)
        let shift = Int((seconds + Double(place) * 17) / Self.shift)
        let trip = "trip-\(shift)-\(place)"
        let time = Self.time(seconds)
        let schedule =
            #""schedule":{"failures":0,"interval":3.6,"isPaused":false,"next":\#(seconds + 3.6),"reason":"interval"}"#
        let moment = #"{"steady":\#(seconds),"wall":"\#(time)"}"#
        text += #"{"type":"request","at":\#(seconds),"time":"\#(time)",\#(schedule),"trip":"\#(trip)"}"# + "\n"
        let body = body(trip, seconds, within, number).replacing("\"", with: "\\\"")
        let answer =
            #""answer":{"body":"\#(body)","headers":[],"isCut":false,"size":\#(body.utf8.count),"status":200}"#
        let request = #""request":{"headers":[],"method":"GET","url":"https://h/v1/providers/acme/trips/\#(trip)"}"#
        text += #"{"type":"poll","at":\#(seconds),"time":"\#(time)",\#(answer),"finished":\#(moment),"latency":0.02,"#
        text += #"\#(request),\#(schedule),"started":\#(moment),"trip":"\#(trip)"}"# + "\n"
    }

    /// Returns the answer of a poll, `within` seconds after the trip began.
    func body(_ trip: String, _ seconds: Double, _ within: Double, _ number: Int) -> String {
        let statuses = ["NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"]
        let stage = within < 60 ? 0 : within < 600 ? 1 : within < 700 ? 2 : within < 1750 ? 3 : 4
        let share = within / Self.shift
        func point(_ share: Double) -> String {
            #"{"latitude":\#(52.5 + share * 0.05),"longitude":\#(13.3 + share * 0.1 + sin(share * 40) * 0.003)}"#
        }
        // A new route comes with every tenth answer.
        let route =
            number / Self.trips % 10 == 0 && stage < 4
            ? #""route":[\#((0..<80).map { point(share + Double($0) / 80 * (1 - share)) }.joined(separator: ","))],"#
                + #""currentRouteSegmentVersion":"\#(Self.time(seconds))","#
            : ""
        let location =
            #""lastLocation":{"location":\#(point(share)),"heading":90,"speed":9.5,"locationSensor":"GPS","#
            + #""latlngAccuracy":5,"serverTime":"\#(Self.time(seconds))","updateTime":"\#(Self.time(seconds))"}"#
        return #"{"name":"providers/acme/trips/\#(trip)","vehicleId":"v-\#(trip)","tripStatus":"\#(statuses[stage])","#
            + #""tripType":"EXCLUSIVE","pickupPoint":{"point":\#(point(0.3))},"dropoffPoint":{"point":\#(point(1))},"#
            + #"\#(route)"remainingDistanceMeters":\#(Int(9000 * (1 - share))),"#
            + #""etaToFirstWaypoint":"\#(Self.time(seconds + Self.shift - within))",\#(location)}"#
    }

    /// A time as RFC 3339 with milliseconds, within one day.
    private static func time(_ seconds: Double) -> String {
        let whole = Int(seconds)
        func digits(_ number: Int, _ count: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let milliseconds = digits(Int((seconds - Double(whole)) * 1000), 3)
        return "2026-01-01T\(digits(whole / 3600)):\(digits(whole / 60 % 60)):\(digits(whole % 60)).\(milliseconds)Z"
    }
}
