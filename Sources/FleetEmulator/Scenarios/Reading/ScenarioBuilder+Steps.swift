import Foundation
import Runtime
import TripFeed
import TripModel

/// The steps of a vehicle.
extension ScenarioBuilder {
    func steps(
        _ entry: ScenarioFile.StepEntry,
        from here: inout Coordinate,
        _ path: [String]
    ) throws(YAMLProblem) -> [DriverScript.Step] {
        if let seconds = entry.wait { return [.wait(try number(seconds, in: 0...86_400, path + ["wait"]))] }
        if let seconds = entry.silent { return [.silent(try number(seconds, in: 0...86_400, path + ["silent"]))] }
        if let name = entry.create { return [.create(try known(name, path + ["create"]))] }
        if let assign = entry.assign {
            let order = try order(assign.order ?? [], path + ["assign", "order"])
            return [.assign(try known(assign.trip, path + ["assign"]).id, order: order)]
        }
        if let drive = entry.drive {
            let path = path + ["drive"]
            let target = DriverScript.Target.trip(try stop(drive.to, path + ["to"]))
            return [.drive(try self.drive(drive, to: target, from: &here, path))]
        }
        if let status = entry.status {
            let trip = try known(status.trip, path + ["status", "trip"])
            return [.status(trip.id, try tripStatus(status.to, path + ["status", "to"]))]
        }
        if let name = entry.cancel { return [.status(try known(name, path + ["cancel"]).id, .canceled)] }
        if let state = entry.go {
            guard state == "ONLINE" || state == "OFFLINE" else {
                throw YAMLProblem(path: path + ["go"], message: "go: ONLINE or OFFLINE is expected")
            }
            return [.state(Vehicle.State(name: state))]
        }
        throw YAMLProblem(
            path: path,
            message: "a step is expected: wait, silent, create, assign, drive, status, cancel, go or caption"
        )
    }

    /// Returns a drive to a destination, where the vehicle is then.
    func drive(
        _ entry: ScenarioFile.DriveEntry,
        to target: DriverScript.Target,
        from here: inout Coordinate,
        _ path: [String]
    ) throws(YAMLProblem) -> DriverScript.Drive {
        var points = [here]
        for (index, via) in (entry.via ?? []).enumerated() {
            points.append(try place(via, path + ["via", "\(index)"]))
        }
        points.append(target.place)
        var jam: (share: Double, seconds: Double)?
        if let entry = entry.jam {
            jam = (
                try number(entry.at, in: 0...1, path + ["jam", "at"]),
                try number(entry.seconds, in: 1...7200, path + ["jam", "seconds"])
            )
        }
        let leg = RidePlan.Leg(
            Town.demo.way(through: points),
            slow: try range(entry.slow, path + ["slow"]),
            pace: try number(entry.pace ?? 1, in: 0.1...50, path + ["pace"]),
            redLightAt: try entry.redLight.map { (share) throws(YAMLProblem) in
                try number(share, in: 0...1, path + ["red-light"])
            },
            jam: jam
        )
        var manner = DriveManner()
        manner.silent = try range(entry.silent, path + ["silent"])
        manner.tunnel = try range(entry.tunnel, path + ["tunnel"])
        manner.retainsForecast = entry.retainsForecast ?? false
        manner.leavesRouteAt = try number(entry.leavesRouteAt ?? 0, in: 0...1, path + ["leaves-route-at"])
        if let planned = entry.planned {
            var points = [here]
            for (index, point) in planned.enumerated() {
                points.append(try place(point, path + ["planned", "\(index)"]))
            }
            manner.planned = Town.demo.way(through: points + [target.place])
        }
        manner.stopsAt = try entry.stopsAt.map { (share) throws(YAMLProblem) in
            try number(share, in: 0...1, path + ["stops-at"])
        }
        here =
            manner.stopsAt.flatMap { leg.route.position(at: leg.offset(at: $0 * leg.duration))?.coordinate }
            ?? target.place
        return DriverScript.Drive(leg: leg, target: target, manner: manner)
    }

    /// Reads the order of a vehicle's stops; the service would refuse an impossible one.
    private func order(_ texts: [String], _ path: [String]) throws(YAMLProblem) -> [DriverScript.Stop] {
        var order: [DriverScript.Stop] = []
        for text in texts { order.append(try stop(text, path)) }
        let keys = order.map { WaypointKey(trip: $0.trip, kind: $0.kind, stop: $0.index) }
        if let problem = WaypointKey.problem(of: keys, isExclusive: { trips[$0.rawValue]?.type == .exclusive }) {
            throw YAMLProblem(path: path, message: problem)
        }
        return order
    }

    /// Parses `TRIP pickup`, `TRIP stop 1` or `TRIP dropoff`; the words at the end are the place, because an ID may contain spaces.
    private func stop(_ text: String, _ path: [String]) throws(YAMLProblem) -> DriverScript.Stop {
        let problem = YAMLProblem(
            path: path,
            message:
                "\(text.prefix(40)): a place of a trip is expected, as in \"ride pickup\", \"ride stop 1\", \"ride dropoff\""
        )
        var rest = Substring(text)
        let last = Self.removeLastWord(of: &rest)
        switch last {
        case "pickup":
            let trip = try named(rest, path)
            return .init(trip: trip.id, kind: .pickup, place: trip.pickup)
        case "dropoff":
            let trip = try named(rest, path)
            guard let place = trip.dropoff else { throw problem }
            return .init(trip: trip.id, kind: .dropoff, place: place)
        default:
            guard Self.removeLastWord(of: &rest) == "stop" else {
                // The name is the mistake that is more frequent.
                if let first = text.split(separator: " ").first {
                    _ = try known(trips[text] == nil ? String(first) : text, path)
                }
                throw problem
            }
            let trip = try named(rest, path)
            guard let number = Int(last), trip.stops.indices.contains(number - 1) else { throw problem }
            let place = trip.stops[number - 1]
            return .init(trip: trip.id, kind: .intermediateDestination, index: number - 1, place: place)
        }
    }

    /// Returns the trip of a text, which more than one space may separate from its place.
    private func named(_ text: Substring, _ path: [String]) throws(YAMLProblem) -> DriverScript.TripPlan {
        let name = String(text.last == " " ? text.dropLast() : text)
        if let trip = trips[name] { return trip }
        var trimmed = text.drop { $0 == " " }
        while trimmed.last == " " { trimmed.removeLast() }
        return try known(String(trimmed), path)
    }

    /// Removes the last word and returns it; the space before it stays.
    private static func removeLastWord(of text: inout Substring) -> String {
        while text.last == " " { text.removeLast() }
        let start = text.lastIndex(of: " ").map { text.index(after: $0) } ?? text.startIndex
        defer { text = text[..<start] }
        return String(text[start...])
    }
}
