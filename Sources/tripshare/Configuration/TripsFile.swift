import FleetTokens
import Foundation
import SystemPackage
import TripFeed
import TripModel

/// A file that names trips, one a line, and is followed as it changes; `-` is standard input, whose lines come as they come.
///
/// Lines hold an ID or a full name. What follows a `#`, and blank lines, are left out. A line of standard input that begins
/// with a `-` removes the trip behind it; a trip whose own ID begins so is added by its full name.
struct TripsFile: Sendable {
    /// More trips than this are not followed: the token cache has as many places.
    static let limit = 10_000
    private static let maximumBytes = 4 << 20

    /// The path; `-` for standard input.
    let path: String
    /// The trips that are followed whatever the file says.
    let named: [TripID]
    /// The project that owns the trips.
    let provider: ProviderID

    /// Whether it is standard input.
    var isStandardInput: Bool { path == "-" }

    /// The trips that the file names now; none of standard input, which has not been read yet.
    ///
    /// Throws ``CommandFailure`` for a file that can't be read, and for a line that names no trip of the project.
    func trips() throws(CommandFailure) -> [TripID] {
        guard !isStandardInput else { return [] }
        let text = try InputFile.text(
            path,
            limit: Self.maximumBytes,
            what: "file of trips",
            advice: "Name a text file with one trip a line."
        )
        var trips: [TripID] = []
        var seen: Set<TripID> = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let text = Self.content(line) else { continue }
            let trip = try trip(text, number: number + 1)
            if seen.insert(trip).inserted { trips.append(trip) }
        }
        guard trips.count <= Self.limit else {
            throw CommandFailure(
                .badInput,
                "\(shown(path)) names \(trips.count) trips, and \(Self.limit) is the most.\nSplit it over several programs."
            )
        }
        return trips
    }

    /// Tells the feed of every change of the file, or of every line of standard input, until cancelled or at the end.
    ///
    /// A file that can't be read any more, or holds a line that names no trip, changes nothing; standard error says so.
    func follow(_ feed: TripFeed) async {
        if isStandardInput { return await followInput(feed) }
        guard let changes = FileWatch.changes(of: path) else {
            Printing.error("The folder of \(shown(path)) can't be watched: trips are neither added nor removed.")
            return
        }
        // It may have changed between the first look and the watch.
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
            // A line adds a trip that was over before, too.
            feed.forget(over: [])
            do throws(CommandFailure) {
                try await take(line, number: number, to: feed)
            } catch {
                Printing.error(error.message)
            }
        }
        if !Task.isCancelled { feed.close() }
    }

    /// Adds the trip of a line of standard input, or removes it.
    private func take(_ line: String, number: Int, to feed: TripFeed) async throws(CommandFailure) {
        guard var text = Self.content(line) else { return }
        let isRemoval = text.hasPrefix("-")
        if isRemoval { text = text.dropFirst().trimmingCharacters(in: .whitespaces) }
        let trip = try trip(text, number: number)
        guard isRemoval else {
            guard feed.trips.count < Self.limit else {
                throw CommandFailure(.badInput, "More than \(Self.limit) trips; the rest is left out.")
            }
            return feed.add(trip)
        }
        guard feed.trips.contains(trip) else {
            throw CommandFailure(
                .badInput,
                "Line \(number) of the trips removes \(shown(trip.rawValue)), which is not followed.\n"
                    + "To follow a trip whose ID begins with a hyphen, give its full name: providers/…/trips/…."
            )
        }
        await feed.remove(trip)
    }

    /// What a line says; `nil` where that is nothing.
    private static func content(_ line: some StringProtocol) -> String? {
        let text = line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }

    /// The trip of a name in a line.
    private func trip(_ text: String, number: Int) throws(CommandFailure) -> TripID {
        let name = TripName(text)
        if let other = name.provider, other != provider.rawValue {
            throw CommandFailure(
                .badInput,
                "Line \(number) of the trips names the project \(shown(other)), asked is \(shown(provider.rawValue))."
            )
        }
        do throws(ResourceIDError) {
            return try TripID(name.id)
        } catch {
            throw CommandFailure(.badInput, "Line \(number) of the trips names no trip: \(shown(text))")
        }
    }
}
