import Failures
import Runtime
import TripFeed
import TripModel

extension ReplayIndex {
    /// Reads the times of the calls in a log, and of the polls of its riders.
    package init(of log: RecordedLog, _ playback: LogPlayback) {
        var (playback, side) = (playback, 0)
        var entries: [Entry] = []
        var marks = ReplayMarks()
        func add(_ time: Duration, isPoll: Bool) -> Duration {
            let time = max(entries.last?.time ?? 0, Self.microseconds(time))
            entries.append(Entry(time: time, offset: 0, length: 0, isPoll: isPoll))
            return .microseconds(time)
        }
        reading: while let source = ReplayCursor.source(playback, log, side: side) {
            switch source {
            case .side(let time):
                let step = log.sides[side]
                side += 1
                let at = add(time, isPoll: false)
                guard step.isRefused, let refused = step.sides.errors[step.side], refused.count == 1 else { continue }
                marks.add(.error, at: at, refused.error.status ?? "HTTP \(refused.error.httpStatus)")
            case .poll:
                guard let step = playback.next() else { break reading }
                let at = add(step.at, isPoll: true)
                for event in step.events { Self.add(event, to: &marks, at: at) }
            }
        }
        self.init(start: Moment(wall: log.trips.start, steady: .zero), entries: entries, marks: marks.marks)
    }

    private static func add(_ event: FeedEvent, to marks: inout ReplayMarks, at time: Duration) {
        switch event {
        case .polled(let report, let state, _):
            if let failure = report.failure {
                marks.failure(failure.code.rawValue, of: report.journey.rawValue, at: time) { failure.nameInJSON }
            } else if let status = state.journey?.status {
                marks.status(status.name, of: report.journey.rawValue, at: time)
            }
        case .found(_, let findings):
            for finding in findings where finding.severity > .info { marks.add(.finding, at: time, finding.rule.id) }
        case .polling, .scheduled, .omitted, .driver, .ended: break
        }
    }
}
