import Failures
import FleetTokens
import Foundation
import SystemPackage
import TripFeed
import TripModel
import TripText

/// A file with one trip per line, reread when it changes; `-` reads standard input as a stream.
///
/// Each line holds an ID or a full name. Text after `#` and blank lines are ignored. On standard input a line can also be an
/// object of JSON, which adds or removes a trip (``TripsLine``).
struct TripsFile: Sendable {
    /// The maximum number of followed trips, equal to the capacity of the token cache.
    static let limit = 10_000
    private static let maximumBytes = 4 << 20

    /// The path; `-` for standard input.
    let path: String
    /// The trips that are followed regardless of the file.
    let named: [JourneyID]
    /// The project that owns the trips.
    let provider: ProviderID
    /// What an ID without its collection names.
    var kind = JourneyKind.trip

    /// Whether the trips come from standard input.
    var isStandardInput: Bool { path == "-" }

    /// Returns the trips in the file; none for standard input, which is read later.
    ///
    /// Throws a ``CommandFailure`` for an unreadable file and for a line that is not a trip of the project.
    func trips() throws(CommandFailure) -> [JourneyID] {
        guard !isStandardInput else { return [] }
        let text = try InputFile.text(
            path,
            limit: Self.maximumBytes,
            what: .nounTripsFile,
            advice: .adviceTripsFile
        )
        var trips: [JourneyID] = []
        var seen: Set<JourneyID> = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let text = TripsLine.content(line) else { continue }
            let trip = try trip(text, number: number + 1)
            if seen.insert(trip).inserted { trips.append(trip) }
        }
        guard trips.count <= Self.limit else {
            throw CommandFailure(
                .badInput,
                .failureTooManyTrips(file: excerpt(path: path), count: String(trips.count), limit: String(Self.limit))
            )
        }
        return trips
    }

    /// Applies each change of the file, or each line of standard input, to the feed until cancelled or at end of input.
    ///
    /// A file that is unreadable or has an invalid line changes nothing; a message goes to standard error.
    func follow(_ feed: TripFeed) async {
        if isStandardInput { return await followInput(feed) }
        guard let changes = FileWatch.changes(of: path) else {
            Printing.warning(.warningTripsNotWatched(file: excerpt(path: path)))
            return
        }
        // The file may have changed between the first read and the start of the watch.
        await apply(to: feed)
        for await _ in changes { await apply(to: feed) }
    }

    private func apply(to feed: TripFeed) async {
        do throws(CommandFailure) {
            let wanted = Set(named + (try trips()))
            feed.forget(over: wanted)
            for trip in feed.trips.subtracting(wanted) { await feed.remove(trip) }
            for trip in wanted.subtracting(feed.trips).subtracting(feed.over) { feed.add(trip) }
        } catch {
            Printing.error(error.message)
        }
    }

    private func followInput(_ feed: TripFeed) async {
        var number = 0
        for await line in LineInput(.standardInput) {
            number += 1
            // Adding a trip again restarts it even if it has ended.
            feed.forget(over: [])
            do throws(CommandFailure) {
                try await handle(line, number: number, to: feed)
            } catch {
                Printing.error(error.message)
            }
        }
        if !Task.isCancelled { feed.close() }
    }

    /// Adds or removes the trip on a line of standard input.
    private func handle(_ line: String, number: Int, to feed: TripFeed) async throws(CommandFailure) {
        switch TripsLine(line) {
        case nil: break
        case .add(let text):
            let trip = try trip(text, number: number)
            guard feed.trips.count < Self.limit else {
                throw CommandFailure(.badInput, .failureTripsLimit(limit: String(Self.limit)))
            }
            feed.add(trip)
        case .remove(let text):
            let trip = try trip(text, number: number)
            guard feed.trips.contains(trip) else {
                throw CommandFailure(
                    .badInput,
                    .failureTripsRemoval(line: String(number), trip: excerpt(trip.rawValue))
                )
            }
            await feed.remove(trip)
        case .invalid:
            throw CommandFailure(.badInput, .failureTripsChange(line: String(number), text: excerpt(line)))
        }
    }

    /// Parses the trip name on a line.
    private func trip(_ text: String, number: Int) throws(CommandFailure) -> JourneyID {
        let name = JourneyName(text, as: kind)
        if let other = name.provider, other != provider.rawValue {
            throw CommandFailure(
                .badInput,
                .failureTripsProject(line: String(number), other: excerpt(other), project: excerpt(provider.rawValue))
            )
        }
        do throws(ResourceIDError) {
            return try JourneyID(name.kind, name.id)
        } catch {
            throw CommandFailure(.badInput, .failureTripsName(line: String(number), text: excerpt(text)))
        }
    }
}
