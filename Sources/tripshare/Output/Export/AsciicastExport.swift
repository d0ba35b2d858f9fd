import Canvas
import Foundation
import Recording
import Runtime
import Terminal
import TripFeed
import TripModel
import TripScreen

/// asciicast v2: the screen of a session in real time, for `asciinema play` and its web player.
///
/// The screens are computed again from the inputs, at the recorded size, or at 80x24 if the session had no screen. The format is
/// described in "asciicast v2", asciinema documentation.
enum AsciicastExport {
    /// The minimum time between two frames in seconds.
    private static let shortestFrame = 0.1
    /// Players shorten longer pauses to this number of seconds.
    private static let longestPause = 2

    /// Returns the file of a session.
    static func file(of session: RecordedSession) throws(ExportFailure) -> [UInt8] {
        guard var reader = session.reader, var replay = ScreenReplay(showing: reader.header, provider: session.provider)
        else { throw .noPolls }
        let trips = max(1, reader.header.configuration.trips.count)
        var player = RecordingPlayer(provider: session.provider, trailLength: TripFeed.trailLength(for: trips))
        var cast = Cast(reader.header, replay.canvas, theme: replay.theme)
        var hasPoll = false
        while let event = reader.next() {
            let item = player.item(of: event)
            if case .poll = event.content { hasPoll = true }
            replay.handle(event, item)
            cast.advance(to: event)
            // A frame after each line would show what the screen never did: it had not read all lines yet.
            if !replay.waitsForScreens || event.content.type == .screen { cast.show(replay.canvas) }
        }
        guard hasPoll else { throw .noPolls }
        cast.show(replay.canvas, isLast: true)
        return cast.bytes
    }

    /// The lines of the file.
    private struct Cast {
        private(set) var bytes: [UInt8]
        private let painter: TerminalText
        private var shown: Canvas?
        /// Seconds of real time since the start.
        private var time = 0.0
        private var lastFrame = -1.0
        private var steady: Duration
        private var speed: Double

        init(_ header: RecordingHeader, _ canvas: Canvas, theme: Theme) {
            painter = TerminalText(theme)
            speed = header.speed
            steady = header.start.moment?.steady ?? .zero
            let title = "tripshare \(header.configuration.host) \(header.configuration.trips.joined(separator: " "))"
            let line = JSONValue.object([
                .init(key: "version", value: .number(2)), .init(key: "width", value: .number(Double(canvas.width))),
                .init(key: "height", value: .number(Double(canvas.height))),
                .init(
                    key: "timestamp",
                    value: .number((header.start.moment?.wall.timeIntervalSince1970 ?? 0).rounded(.down))
                ), .init(key: "idle_time_limit", value: .number(Double(AsciicastExport.longestPause))),
                .init(key: "title", value: .string(title.sanitized(limit: 200))),
                .init(key: "env", value: .object([.init(key: "TERM", value: .string("xterm-256color"))])),
            ])
            bytes = JSONBytes.encode(line) + [UInt8(ascii: "\n")]
        }

        /// Sets the time of the next frame; recorded time passes at the speed of the clock.
        mutating func advance(to event: RecordedEvent) {
            if speed > 0, event.at > steady { time += (event.at - steady).seconds / speed }
            steady = max(steady, event.at)
            switch event.content {
            case .clock(let clock): speed = clock.speed
            case .screen(let screen): speed = screen.speed ?? speed
            default: break
            }
        }

        /// Adds a frame, unless one was added just before.
        mutating func show(_ canvas: @autoclosure () -> Canvas, isLast: Bool = false) {
            guard isLast || time - lastFrame >= AsciicastExport.shortestFrame else { return }
            let canvas = canvas()
            if let shown, shown.width != canvas.width || shown.height != canvas.height {
                add("r", "\(canvas.width)x\(canvas.height)")
            }
            let text = painter.text(of: canvas, since: shown)
            shown = canvas
            lastFrame = time
            if !text.isEmpty { add("o", text) }
        }

        private mutating func add(_ kind: String, _ text: String) {
            let time = (time * 1000).rounded() / 1000
            let line = JSONValue.array([.number(time), .string(kind), .string(text)])
            bytes += JSONBytes.encode(line) + [UInt8(ascii: "\n")]
        }
    }
}
