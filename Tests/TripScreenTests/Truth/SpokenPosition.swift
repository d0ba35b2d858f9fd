import TripModel

/// What an English sentence for screen readers says of the vehicle, read from its words.
struct SpokenPosition {
    /// The stop ahead of the vehicle, and how far it is in meters.
    let ahead: (stop: String, meters: Double)?
    /// Whether the sentence says that the vehicle moves, where to, or that it is not moving.
    let hasMotion: Bool
    /// The age of the position in seconds, and the number of seconds that it may be more; `nil` if it counts as current.
    let age: (seconds: Double, range: Double)?

    /// Reads a sentence; an absent one says nothing.
    init(_ text: String) {
        let distance = /([0-9.]+) (k?m) before the (pickup|drop-off|stop of another rider|stop)/
        ahead = text.firstMatch(of: distance).flatMap { match in
            Double(match.1).map { (String(match.3), match.2 == "km" ? $0 * 1000 : $0) }
        }
        hasMotion = text.contains("km/h") || text.contains("heading") || text.contains("not moving")
        age = text.firstMatch(of: /position ([0-9]+) (s|min) old/).flatMap { match in
            Double(match.1).map { match.2 == "s" ? ($0, 1) : ($0 * 60, 60) }
        }
    }

    /// Returns what is false about the sentence, and what it leaves out.
    ///
    /// - Parameters:
    ///   - world: What happened.
    ///   - known: What the answer shows.
    ///   - second: When the sentence is written.
    ///   - error: How exactly the age of a position can be known, in seconds.
    /// - Returns: The problems.
    func problems(
        in world: GeneratedWorld,
        _ known: GeneratedWorld.Knowledge,
        at second: Double,
        error: Double
    ) -> [String] {
        let isAtStop = world.isAtStop(known)
        let silence = second - known.reportTime
        var problems: [String] = []
        if let ahead {
            if isAtStop { problems.append("a way to a stop at which it is") }
            if ahead.stop != next(in: world, known) { problems.append("before another stop: \(ahead.stop)") }
            // One digit is shown of less than 10 km.
            let rounding = ahead.meters < 995 ? 5.0 : ahead.meters < 9950 ? 50 : 500
            let distances = Self.distances(to: ahead.stop, of: world.kind)
            if !distances.contains(where: { abs($0 - ahead.meters) <= rounding + $0 * 0.005 }) {
                problems.append("another distance: \(ahead.meters)")
            }
        } else if !isAtStop, next(in: world, known) != nil {
            problems.append("nothing of the way")
        }
        if hasMotion, isAtStop || silence > 30 + error { problems.append("moves") }
        if !hasMotion, !isAtStop, silence < 30 - error { problems.append("does not move") }
        if let age {
            let isTrue = silence >= age.seconds - error && silence <= age.seconds + age.range + error
            if !isTrue || silence < 30 - error { problems.append("the age: \(age.seconds)") }
        } else if silence > 30 + error {
            problems.append("an old position as a current one")
        }
        return problems
    }

    /// Returns the next stop of a vehicle that is on its way; `nil` if an answer shows none.
    private func next(in world: GeneratedWorld, _ known: GeneratedWorld.Knowledge) -> String? {
        guard world.kind == .trip else { return "drop-off" }
        if let other = world.others.first, other > known.time { return "stop of another rider" }
        let names: [(GeneratedWorld.Stop, String)] = [(.pickup, "pickup"), (.between, "stop"), (.end, "drop-off")]
        return names.first { known.expected[$0.0] != nil }?.1
    }

    /// The distances of the places of a generated vehicle from a stop, along the equator in meters.
    private static func distances(to stop: String, of kind: JourneyKind) -> [Double] {
        guard kind == .trip else { return [0, 40] }
        let places = ["pickup": 0, "stop": 0.05, "stop of another rider": 0.05, "drop-off": 0.1]
        guard let place = places[stop] else { return [] }
        return [-0.01, 0, 0.05, 0.1].map { abs(place - $0) * 111_195 }
    }
}

extension GeneratedWorld {
    /// Returns whether an answer shows the vehicle at a stop of the journey, also after a failed delivery.
    ///
    /// A vehicle at the place of the recipient that serves a neighbor first is not yet at its stop.
    func isAtStop(_ known: Knowledge) -> Bool {
        phases.last { $0.known <= known.time }?.stop != nil && !others.contains { $0 > known.time }
    }

    /// Returns whether an answer shows a position.
    func isPositionShown(_ known: Knowledge) -> Bool {
        let isOver = [.shipment(.failed), .shipment(.closed)].contains(known.status) && !isAtStop(known)
        return !hidesPosition && !isOver && reports.contains { $0.time <= known.time }
    }
}
