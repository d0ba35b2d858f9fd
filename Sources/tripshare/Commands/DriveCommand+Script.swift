import ArgumentParser
import Canvas
import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Runtime
import Synchronization
import Terminal
import TokenSigning
import TransportLive
import TripFeed
import TripModel
import TripText

extension DriveCommand {
    /// Drives until the script ends, a signal arrives or the reader of the output is gone (`| head`).
    ///
    /// Each of them takes the vehicle OFFLINE, if the service accepts that.
    func drive(_ driver: SimulatedDriver) async throws {
        // Going OFFLINE takes a network call, which may be slow.
        try await SignalWatch.withSignals(grace: .seconds(10)) { signals in
            let isUnread = Locked(false)
            let isOffline = Locked(false)
            let driving = Task {
                try await driver.drive { event in
                    if event == .offline { isOffline.withLock { $0 = true } }
                    if let warning = EmulatorRun.warning(event, about: name) { Printing.warning(warning) }
                    guard let words = words(event) else { return }
                    Printing.out(words) {
                        isUnread.withLock { $0 = true }
                        // This is the task of the drive.
                        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                    }
                }
            }
            let listening = Task { () -> Int32? in
                for await signal in signals {
                    driving.cancel()
                    return signal
                }
                return nil
            }
            let result = await driving.result
            listening.cancel()
            if let signal = await listening.value {
                // The failure of the last report has already said that it is not OFFLINE.
                if delivery {
                    Printing.out("\(name) sends no more reports.")
                } else if isOffline.withLock({ $0 }) {
                    Printing.out("\(name) is OFFLINE.")
                }
                throw CommandFailure.signal(signal)
            }
            do { try result.get() } catch DriverError.cancelled where isUnread.withLock({ $0 }) { return }
            Printing.out(delivery ? "\(name) has arrived." : "\(name) has arrived and is OFFLINE.")
        }
    }

    /// Returns the script for the remaining stops of a delivery vehicle; throws a ``CommandFailure`` for a task that it does not
    /// have.
    func visit(_ known: DeliveryVehicle, failing: Set<TaskID>) throws(CommandFailure) -> DriverScript {
        guard let script = DriverScript(visitingStopsOf: known, failing: failing, pace: pace) else {
            throw CommandFailure(.badInput, .failureNoStops(vehicle: shown(vehicle)))
        }
        let tasks = script.stops.flatMap(\.tasks)
        if let unknown = failing.subtracting(tasks).map(\.rawValue).min() {
            let names = tasks.map { shown($0.rawValue) }.joined(separator: ", ")
            throw CommandFailure(
                .badInput,
                .failureNoTask(vehicle: shown(vehicle), task: shown(unknown), names: names)
            )
        }
        return script
    }

    /// Returns the place on a street of the demo town for a name.
    static func stop(_ name: String) throws(CommandFailure) -> Coordinate {
        guard let stop = Town.demo.stop(at: name) else {
            let names = Town.demo.places.sorted { $0.rank < $1.rank }.map(\.name).joined(separator: ", ")
            throw CommandFailure(.notFound, .failureNoPlace(name: excerpt(value: name), names: names))
        }
        return stop
    }

    /// Returns the script that follows a recording; throws a ``CommandFailure`` if it does not pass a stop of the trip.
    static func script(
        _ track: RecordedTrack,
        vehicle: DrivenVehicle,
        serving plan: DriverScript.TripPlan?,
        pace: Double
    ) throws(CommandFailure) -> DriverScript {
        do throws(DriverScript.StopOffTrack) {
            return try DriverScript(recorded: track, vehicle: vehicle, serving: plan, pace: pace)
        } catch {
            let (place, trip) = (error.stop.place, error.stop.trip)
            let position = "\(place.latitude), \(place.longitude)"
            throw CommandFailure(.badInput, .failureStopOffTrack(trip: excerpt(trip.rawValue), stop: position))
        }
    }

    /// Reads a route file; the advice says what it must be.
    func read<Content>(
        _ route: String,
        _ advice: Text,
        _ content: (String) throws(RouteFile.Problem) -> Content
    ) throws(CommandFailure) -> Content {
        let text = try InputFile.text(route, what: .nounRoute, advice: advice)
        do {
            return try content(text)
        } catch {
            throw CommandFailure(.badInput) { localizer in
                let reason =
                    switch error {
                    case .unknownFormat: localizer(.routeUnknownFormat)
                    case .broken(let detail): detail
                    case .tooShort: localizer(.routeTooShort)
                    case .tooLong(let limit): localizer(.routeTooLong(limit: String(limit)))
                    case .noTime(nil): localizer(.routeNoTimes)
                    case .noTime(let point?): localizer(.routeNoTime(number: String(point)))
                    case .timeGoesBack(let point): localizer(.routeTimeBack(number: String(point)))
                    }
                return localizer(
                    .failureRoute(file: excerpt(path: route), reason: reason, advice: localizer(advice))
                )
            }
        }
    }

    /// Returns the part of a trip that the driver needs.
    static func plan(_ trip: Trip) throws(CommandFailure) -> DriverScript.TripPlan {
        guard !trip.status.isTerminal, let pickup = trip.pickup else {
            throw CommandFailure(
                .badInput,
                .failureNothingToDrive(trip: excerpt(trip.id.rawValue), status: excerpt(trip.status.name))
            )
        }
        var plan = DriverScript.TripPlan(id: trip.id, pickup: pickup, dropoff: trip.dropoff)
        plan.stops = trip.intermediateDestinations
        return plan
    }
}
