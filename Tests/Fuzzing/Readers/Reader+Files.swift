import FleetEmulator
import Foundation
import Recording
import Runtime
import Terminal
import TripFeed
import TripModel

extension Reader {
    /// Files that users give, and what terminals send.
    static let ofFiles: [Reader] = [
        Reader(name: "recording") { input in
            // Without its first line no input is a recording.
            let bytes = Array(header.utf8) + input
            _ = ReplayIndex(of: RecordingBytes(bytes), start: Moment(wall: .distantPast, steady: .zero))
            _ = (try? RecordedSession(bytes: bytes))?.read { _ in }
        },
        Reader(name: "recording-header") { _ = try? RecordedSession(bytes: $0) },
        Reader(name: "cloud-logging") { input in
            _ = (try? RecordedSession(bytes: input))?.read { _ in }
            var log = LiveLog(trips: [])
            let clock = { (wall: Date) in Moment(wall: wall, steady: .zero) }
            _ = log.handle(input, now: clock)
            _ = log.handle(nil, now: clock)
        },
        Reader(name: "scenario") { input in
            _ = try? Scenario(yaml: String(decoding: input, as: UTF8.self), name: "fuzz", file: "fuzz.yaml")
        },
        Reader(name: "expectations") { input in
            let yaml = String(decoding: input, as: UTF8.self)
            _ = try? ExpectationFile.read(yaml: yaml, file: "fuzz.yaml", trips: nil, findings: ["position-old"])
        },
        Reader(name: "route") { input in
            let text = String(decoding: input, as: UTF8.self)
            _ = try? RouteFile.points(text)
            _ = try? RouteFile.track(text)
        },
        Reader(name: "polyline") { input in
            let text = String(decoding: input, as: UTF8.self)
            guard let points = MapsPolyline.decode(text) else { return }
            require(MapsPolyline.decode(MapsPolyline.encode(points)) != nil, "A path cannot be read again.")
        },
        Reader(name: "terminal-input") { input in
            var decoder = InputDecoder()
            _ = decoder.feed(input)
            _ = decoder.expire()
        },
    ]

    /// The first line of a recording.
    private static let header =
        #"{"type":"header","configuration":{"absentFields":[],"host":"engine.example","interval":5,"provider":"acme","#
        + #""service":"https://engine.example","thresholds":{},"tokenSource":"","trips":["tr-1"]},"display":{"height":24,"#
        + #""language":"en","output":"tui","units":"metric","width":80},"format":"tripshare-recording","program":"0.1.0","#
        + #""seed":"1","speed":1,"start":{"steady":0,"wall":"2026-01-01T00:00:00Z"},"version":{"major":3,"minor":0},"#
        + #""zone":{"hasTwelveHours":false,"name":"CET","offset":3600}}"# + "\n"
}
