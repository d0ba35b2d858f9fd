/// How long sentences for an audience are shown, and for how long there is none, in seconds of real time.
struct CaptionTimes: Sendable {
    /// No sentence may stand for longer, and none may be missing for as long.
    static let limit = 30.0

    private let speed: Double
    private var shown: (text: String, since: Double, last: Double)?
    /// The sentences that stood for too long, each with its seconds; an empty one is a missing one.
    private(set) var violations: [String] = []

    /// Creates times of a ride at a speed, in its own seconds per second of the audience.
    init(speed: Double) { self.speed = speed }

    /// Records what is shown at a second of the ride; `nil` for a wait by its nature.
    ///
    /// The one wait is that for a key or the next chapter: after the end of a ride, its time stops, and the closing card remains.
    /// A sentence in which only numbers change remains the same one.
    mutating func show(_ text: String?, at second: Double) {
        let now = second / speed
        let words = text.map { $0.filter { !$0.isNumber } }
        guard let shown, shown.text == words else {
            judge(until: now)
            shown = words.map { (text: $0, since: now, last: now) }
            return
        }
        self.shown?.last = now
    }

    /// Judges what is shown last.
    mutating func end() {
        if let shown { judge(until: shown.last) }
        shown = nil
    }

    private mutating func judge(until end: Double) {
        guard let shown, end - shown.since > Self.limit else { return }
        violations.append("\(Int(end - shown.since)) s: \(shown.text.isEmpty ? "no sentence" : shown.text)")
    }
}
