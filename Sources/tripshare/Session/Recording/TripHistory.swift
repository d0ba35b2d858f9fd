import FleetWire
import Foundation
import TripFeed
import TripModel
import TripText

/// The trips followed on screen, in a file with owner-only permissions in an XDG base directory.
///
/// Each line is a full name, such as `providers/P/trips/T`; the newest is last. The file is reread before each change, because another
/// process may have changed it.
struct TripHistory: Sendable {
    /// The maximum number of trips.
    static let maximumCount = 200
    /// The maximum file size in bytes, with a wide margin for the longest names.
    private static let maximumBytes = 1 << 16

    /// The reason why the history could not be saved.
    struct Failure: Error {
        var path: String
    }

    let path: String
    let provider: ProviderID

    /// Creates the history of a project; `nil` if neither the environment nor the password database has a home folder.
    init?(provider: ProviderID, environment: [String: String]) {
        let folder =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? HomeFolder.path(environment: environment).map { $0 + "/.local/state" }
        guard let folder else { return nil }
        self.provider = provider
        path = folder + "/tripshare/trips"
    }

    /// The trips of this project, oldest first; empty if there is no readable file.
    var trips: [JourneyID] {
        // A read error is reported when a trip is added.
        ((try? lines()) ?? []).compactMap { line in
            let name = JourneyName(line, as: .trip)
            guard name.provider == provider.rawValue else { return nil }
            // Ignore invalid lines, which manual edits may leave.
            return try? JourneyID(name.kind, name.id)
        }
    }

    /// Appends a trip and removes its earlier entry.
    func add(_ journey: JourneyID) throws(Failure) {
        let name = ResourceName(provider, journey).text
        let retained = try lines().filter { $0 != name }.suffix(Self.maximumCount - 1) + [name]
        let folder = URL(filePath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw Failure(path: path)
        }
        do {
            try OutputFile.write((retained.joined(separator: "\n") + "\n").utf8, to: path, .rewritten)
        } catch {
            throw Failure(path: path)
        }
    }

    /// Returns the lines of the file; none if it does not exist or is too long.
    ///
    /// Throws if the path is a pipe or a folder, which is not modified.
    private func lines() throws(Failure) -> [String] {
        do {
            let data = try ReadableFile.bytes(path, limit: Self.maximumBytes, kinds: .regular)
            return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        } catch .missing, .tooLong {
            return []
        } catch {
            throw Failure(path: path)
        }
    }
}

/// Adds followed trips to the history after their first answer, so that misspelled IDs are not stored.
struct TripHistoryRecorder {
    /// The maximum number of trips stored per run.
    ///
    /// Longer lists come from a file, which preserves them.
    private static let maximumPerRun = 50

    let history: TripHistory
    private(set) var storedCount = 0
    private(set) var hasFailed = false

    /// Adds a trip that an event has shown first; returns an error message for the first write failure.
    mutating func update(_ changes: [JourneyChange]) -> String? {
        for change in changes {
            guard case .answered(_, before: nil) = change.kind, !hasFailed, storedCount < Self.maximumPerRun else {
                continue
            }
            storedCount += 1
            do {
                try history.add(change.journey)
            } catch {
                hasFailed = true
                return Localizer.ofProcess(.historyNotWritten(file: excerpt(path: error.path)))
            }
        }
        return nil
    }
}
