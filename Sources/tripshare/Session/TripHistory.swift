import Foundation
import TripFeed
import TripModel

/// The trips that were followed on a screen, in a file that only its owner reads; see the XDG base directories.
///
/// A line is a whole name, `providers/P/trips/T`, the newest last. It is read anew before each change, as another program may have
/// added to it.
struct TripHistory: Sendable {
    /// The most trips that are kept.
    static let longest = 200
    /// The largest file that is read, in bytes: far more than as many of the longest names.
    private static let maximumBytes = 1 << 16

    /// Why it can't be kept.
    struct Failure: Error {
        var path: String
    }

    let path: String
    let provider: ProviderID

    /// The history of a project; `nil` where the environment and the password database know no folder for it.
    init?(provider: ProviderID, environment: [String: String]) {
        let folder =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? HomeFolder.path(environment: environment).map { $0 + "/.local/state" }
        guard let folder else { return nil }
        self.provider = provider
        path = folder + "/tripshare/trips"
    }

    /// The trips of this project, oldest first; none where there is no file that holds any.
    var trips: [TripID] {
        // What can't be read is said when a trip is to be added.
        ((try? lines()) ?? []).compactMap { line in
            let parts = line.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 4, parts[0] == "providers", parts[1] == provider.rawValue, parts[2] == "trips" else {
                return nil
            }
            // A line that a hand has spoilt names no trip, and is none.
            return try? TripID(String(parts[3]))
        }
    }

    /// Puts a trip at the end; an older mention of it goes.
    func add(_ trip: TripID) throws(Failure) {
        let name = "providers/\(provider.rawValue)/trips/\(trip.rawValue)"
        let kept = try lines().filter { $0 != name }.suffix(Self.longest - 1) + [name]
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
            try OutputFile.write((kept.joined(separator: "\n") + "\n").utf8, to: path, mode: 0o600)
        } catch {
            throw Failure(path: path)
        }
    }

    /// The lines of the file; none where there is none or where it is far too long.
    ///
    /// Throws where a pipe or a folder is in its place, which is left alone.
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

/// Puts the trips that a screen follows into the history, each once it was seen, so that no misspelt one gets there.
struct TripMemory {
    /// Of more trips than these in one run the later ones are not kept: a list named them, and has them.
    private static let mostInARun = 50

    private let history: TripHistory
    private var kept: Set<TripID> = []
    private var hasFailed = false

    /// A memory of what is seen from now on.
    init(_ history: TripHistory) {
        self.history = history
    }

    /// Takes in news of a trip; the words where it can't be kept, the first time.
    mutating func take(_ news: FeedEvent) -> String? {
        guard case .polled(let report, _, _) = news, case .success = report.outcome, !hasFailed,
            kept.count < Self.mostInARun, kept.insert(news.trip).inserted
        else { return nil }
        do {
            try history.add(news.trip)
            return nil
        } catch {
            hasFailed = true
            return "The trip can't be remembered in \(shown(error.path)), which is all that is missing"
        }
    }
}
