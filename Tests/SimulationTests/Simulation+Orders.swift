import Runtime
import TripFeed
import TripModel

extension Simulation {
    /// The shortest interval that a command sets.
    static let shortestOrder = Duration.seconds(2)

    private enum Order: CaseIterable {
        case pause, resume, pollNow, interval, come, go, comeAndGo, leaveAndReturn
    }

    /// Sends random commands until the network recovers.
    ///
    /// Then polls all trips and restores the usual settings.
    func giveOrders(to feed: TripFeed) async {
        var random = SeededGenerator(seed: seed ^ 0x0DE5)
        while clock.now().steady < BadNetwork.returns {
            let trip = trips[Int.random(in: 0..<trips.count, using: &random)]
            let order = Order.allCases[Int.random(in: 0..<Order.allCases.count, using: &random)]
            note("order \(order) \(trip)")
            switch order {
            case .pause: await feed.command(.pause, journey: .trip(trip))
            case .resume: await feed.command(.resume, journey: .trip(trip))
            case .pollNow: await pollNow(trip, feed)
            case .interval:
                let seconds = Double.random(in: Self.shortestOrder.seconds...20, using: &random)
                await feed.command(.setInterval(.seconds(seconds)), journey: .trip(trip))
            case .come: feed.add(.trip(guest))
            case .go: await feed.remove(.trip(guest))
            case .comeAndGo:
                feed.add(.trip(guest))
                await feed.remove(.trip(guest))
            case .leaveAndReturn:
                await feed.remove(.trip(trip))
                feed.add(.trip(trip))
            }
            let next = clock.now().steady + .seconds(Double.random(in: 0...8, using: &random))
            // Cancelled when everything has ended before.
            guard (try? await clock.sleep(until: min(next, BadNetwork.returns))) != nil else { return }
        }
        await feed.remove(.trip(guest))
        for trip in trips {
            await feed.command(.resume, journey: .trip(trip))
            await feed.command(.setInterval(Self.interval), journey: .trip(trip))
            await pollNow(trip, feed)
        }
        feed.close()
    }

    private func pollNow(_ trip: TripID, _ feed: TripFeed) async {
        countOrder()
        await feed.command(.pollNow, journey: .trip(trip))
    }
}
