import Foundation
import TripFeed
import TripModel

/// Single values, with the expected one in errors.
extension ScenarioBuilder {
    func known(_ name: String, _ path: [String]) throws(YAMLProblem) -> DriverScript.TripPlan {
        guard let trip = trips[name] else {
            throw YAMLProblem(path: path, message: "unknown trip \(name.prefix(40))")
        }
        return trip
    }

    func id<Kind>(_ text: String, _ path: [String]) throws(YAMLProblem) -> ResourceID<Kind> {
        do {
            return try ResourceID.normalized(text)
        } catch {
            throw YAMLProblem(path: path, message: "an ID of at most 64 characters without / : ? , # is expected")
        }
    }

    func place(_ entry: ScenarioFile.PlaceEntry, _ path: [String]) throws(YAMLProblem) -> Coordinate {
        let point: Coordinate
        switch entry {
        case .point(let latitude, let longitude): point = Coordinate(latitude: latitude, longitude: longitude)
        case .name(let name):
            if let numbers = entries.places?[name], numbers.count == 2 {
                point = Coordinate(latitude: numbers[0], longitude: numbers[1])
            } else if let stop = Town.demo.stop(at: name) {
                point = stop
            } else {
                throw YAMLProblem(
                    path: path,
                    message:
                        "\(name.prefix(40)): [latitude, longitude] is expected, or the name of one of the places or of the town's"
                )
            }
        }
        guard point.isValid else {
            throw YAMLProblem(
                path: path,
                message: "a latitude of -90 to 90 and a longitude of -180 to 180 are expected"
            )
        }
        return point
    }

    func type(_ name: String, _ path: [String]) throws(YAMLProblem) -> TripType {
        guard name == "EXCLUSIVE" || name == "SHARED" else {
            throw YAMLProblem(path: path, message: "EXCLUSIVE or SHARED is expected")
        }
        return TripType(name: name)
    }

    func range(_ numbers: [Double]?, _ path: [String]) throws(YAMLProblem) -> ClosedRange<Double>? {
        guard let numbers else { return nil }
        guard numbers.count == 2, numbers[0] <= numbers[1], numbers[0] >= 0, numbers[1] <= 1 else {
            throw YAMLProblem(path: path, message: "\(path.last ?? ""): two shares such as [0.3, 0.6] are expected")
        }
        return numbers[0]...numbers[1]
    }
}
