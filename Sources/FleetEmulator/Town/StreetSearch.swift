import HeapModule
package import TripModel

extension StreetNetwork {
    /// Returns the fastest path between two points; `nil` if one of them is too far from a street or no street leads there.
    ///
    /// The path begins and ends at the points themselves. It obeys one-way streets, counts turns, and turns around in dead
    /// ends only.
    package func path(from start: Coordinate, to end: Coordinate) -> StreetPath? {
        var search = StreetSearch(self, to: entries(at: end))
        guard let route = search.run(from: entries(at: start)) else { return nil }
        var path = StreetPath([start])
        path.append(route.entry.place, speed: Self.accessSpeed)
        for index in route.links {
            let link = links[index]
            path.append(nodes[link.to], speed: link.speed, isJunction: isJunction(link.to))
        }
        path.append(route.goal.place, speed: links[route.goal.link].speed)
        path.end(at: end, speed: Self.accessSpeed)
        return path
    }

    /// The speed between a point and the street, in meters per second.
    private static let accessSpeed = 5.0
}

/// One search for the fastest way to a place (A*), whose states are the ends of links.
private struct StreetSearch {
    struct Result {
        var entry: StreetNetwork.Entry
        /// The links that are driven to their ends.
        var links: [Int]
        /// The place on the next link.
        var goal: StreetNetwork.Entry
    }

    private enum Step: Equatable {
        /// The end of a link.
        case end(Int)
        /// A goal, by its index, after a link; `nil` for a goal on the link of the start.
        case goal(Int, after: Int?, entry: Int)
    }

    private struct Candidate: Comparable {
        /// The time so far and the least time from there, in seconds.
        var estimate: Double
        var time: Double
        /// The order of discovery, so that equal estimates have one result.
        var number: Int
        var step: Step

        static func < (left: Candidate, right: Candidate) -> Bool {
            left.estimate == right.estimate ? left.number < right.number : left.estimate < right.estimate
        }
    }

    private let network: StreetNetwork
    private let goals: [StreetNetwork.Entry]
    private let goal: Coordinate
    /// The length of a degree of longitude relative to one of latitude, at most.
    private let scale: Double
    private var queue: Heap<Candidate> = []
    private var times: [Double]
    /// The link before each one; -1 - index of the entry for a link of the start.
    private var previous: [Int]
    private var number = 0

    init(_ network: StreetNetwork, to goals: [StreetNetwork.Entry]) {
        (self.network, self.goals) = (network, goals)
        goal = goals.first?.place ?? Coordinate(latitude: 0, longitude: 0)
        scale = goal.parallelScale
        times = Array(repeating: .infinity, count: network.links.count)
        previous = Array(repeating: -1, count: network.links.count)
    }

    mutating func run(from entries: [StreetNetwork.Entry]) -> Result? {
        guard !goals.isEmpty else { return nil }
        for (number, entry) in entries.enumerated() {
            let link = network.links[entry.link]
            for (index, goal) in goals.enumerated() where goal.link == entry.link && goal.fraction >= entry.fraction {
                let time = (goal.fraction - entry.fraction) * link.length / link.speed
                push(.goal(index, after: nil, entry: number), time)
            }
            reach(entry.link, previous: -1 - number, time: (1 - entry.fraction) * link.length / link.speed)
        }
        while let candidate = queue.popMin() {
            switch candidate.step {
            case .goal(let index, let link, let number):
                var (links, entry) = ([Int](), number)
                var next = link
                while let link = next {
                    links.append(link)
                    if previous[link] < 0 { entry = -1 - previous[link] }
                    next = previous[link] < 0 ? nil : previous[link]
                }
                return Result(entry: entries[entry], links: links.reversed(), goal: goals[index])
            case .end(let link):
                // An older candidate for the same link.
                guard candidate.time <= times[link] else { continue }
                leave(link, at: candidate.time)
            }
        }
        return nil
    }

    private mutating func leave(_ index: Int, at time: Double) {
        let link = network.links[index]
        let departures = network.departures[link.to]
        for next in departures where next != link.opposite || departures.count == 1 {
            let (turned, length) = (network.links[next], network.links[next].length)
            let begin = time + Self.delay(from: link.bearing, to: turned.bearing)
            for (number, goal) in goals.enumerated() where goal.link == next {
                push(.goal(number, after: index, entry: 0), begin + goal.fraction * length / turned.speed)
            }
            reach(next, previous: index, time: begin + length / turned.speed)
        }
    }

    private mutating func reach(_ link: Int, previous: Int, time: Double) {
        guard time < times[link] else { return }
        times[link] = time
        self.previous[link] = previous
        push(.end(link), time)
    }

    private mutating func push(_ step: Step, _ time: Double) {
        var rest = 0.0
        if case .end(let link) = step {
            let place = network.nodes[network.links[link].to]
            let (north, east) = (place.latitude - goal.latitude, (place.longitude - goal.longitude) * scale)
            // Flat, and a bit less than the distance, so that it is never too much.
            rest = (north * north + east * east).squareRoot() * 0.98 * Self.metersPerDegree / StreetNetwork.topSpeed
        }
        queue.insert(Candidate(estimate: time + rest, time: time, number: number, step: step))
        number += 1
    }

    private static let metersPerDegree = Coordinate.earthRadius * .pi / 180

    /// The time that a change of direction takes, in seconds.
    private static func delay(from bearing: Double, to next: Double) -> Double {
        let change = abs(bearing - next)
        return switch min(change, 360 - change) {
        case ..<40: 0
        case ..<130: 4
        default: 20
        }
    }
}
