import AsyncAlgorithms
import Failures
import Foundation
import Recording
import Runtime
import Synchronization
import SystemPackage
import TripFeed
import TripModel
import TripText

extension LogSource {
    /// Passes the collected entries on in order of time.
    func handleCollected(_ clock: ScaledClock) async {
        while !Task.isCancelled, let items = handleGroup(clock) {
            await send(items, clock)
        }
    }

    private func handleGroup(_ clock: ScaledClock) -> [LiveLog.Item]? {
        state.withLock { state in
            var hasStarted = state.hasStarted
            defer { state.hasStarted = hasStarted }
            return state.log.handleCollected(Self.groupSize) { newest in
                Self.align(clock, with: newest, isFirst: !hasStarted)
                hasStarted = true
                return clock.now()
            }
        }
    }

    func handle(_ bytes: [UInt8]?, _ clock: ScaledClock) async {
        let items = state.withLock { state in
            var hasStarted = state.hasStarted
            defer { state.hasStarted = hasStarted }
            return state.log.handle(bytes) { newest in
                Self.align(clock, with: newest, isFirst: !hasStarted)
                hasStarted = true
                return clock.now()
            }
        }
        await send(items, clock)
    }

    func send(_ entries: [LiveLog.Item], _ clock: ScaledClock) async {
        let items = entries.flatMap { self.items(of: $0, at: clock.now()) }
        if !items.isEmpty { await parts.send(.items(items)) }
    }

    /// Returns what the session gets of a part of the log.
    private func items(of entry: LiveLog.Item, at now: Moment) -> [SessionItem] {
        switch entry {
        case .step(let step):
            return [SessionItem(.step(step), at: step.moment)]
                + step.events.map { SessionItem(.feed($0), at: step.moment) }
        case .found(let journey, let findings, let moment):
            return [SessionItem(.feed(.found(journey, findings)), at: moment)]
        case .riderCall(let trip, let error, let moment):
            return [SessionItem(.riderCall(trip, refused: error), at: moment)]
        case .invalid, .tooManyTrips: return warning(about: entry).map { [SessionItem(.problem($0), at: now)] } ?? []
        }
    }

    /// Sets the clock to the time of an entry, if the log is an old one or the clock is behind.
    private static func align(_ clock: ScaledClock, with newest: Date, isFirst: Bool) {
        let ahead = newest.timeIntervalSince(clock.now().wall)
        guard ahead > 0 || isFirst && ahead < -liveAge else { return }
        clock.follow(ScaledClock.Anchor(real: Date(), virtual: newest, speed: 1))
    }

    var input: ByteInput {
        guard path != "-" else { return ByteInput(.standardInput) }
        if let unpacked {
            let offset = Mutex(0)
            return ByteInput { count in
                offset.withLock { offset in
                    let piece = Array(unpacked.dropFirst(offset).prefix(count))
                    offset += piece.count
                    return piece
                }
            }
        }
        let file = Mutex<FileDescriptor?>(nil)
        return ByteInput { [path] count in
            // Opening a named pipe blocks until it has a writer, so the reading thread does it.
            file.withLock { file in
                // The file was readable when the session began; else the log is empty.
                file = file ?? (try? FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec))
                var piece = [UInt8](repeating: 0, count: count)
                // A read error cannot be recovered from, so it counts as the end.
                let read = unsafe piece.withUnsafeMutableBytes { unsafe (try? file?.read(into: $0)) ?? 0 }
                return Array(piece.prefix(read))
            }
        }
    }

    /// Returns the message for a part of the log that is not shown; `nil` after the first invalid line.
    private func warning(about item: LiveLog.Item) -> String? {
        switch item {
        case .step, .found, .riderCall: return nil
        case .tooManyTrips: return Localizer.ofProcess(.warningLogTrips(limit: String(LiveLog.maximumTrips)))
        case .invalid(let line):
            let isFirst = state.withLock { state in
                defer { state.hasReportedLine = true }
                return !state.hasReportedLine
            }
            return isFirst ? Localizer.ofProcess(.warningLogLine(line: String(line))) : nil
        }
    }

    /// Writes how many lines were skipped, unless the only one was reported, and how many entries came late.
    func reportSkippedLines() {
        let (skipped, late) = state.withLock { ($0.log.skipped, $0.log.lateEntries) }
        if let skipped, skipped.count > 1 {
            Printing.warning(.warningLogLines(count: String(skipped.count), line: String(skipped.first)))
        }
        if late > 0 { Printing.error(Localizer.ofProcess(.warningLogLate(count: late))) }
    }

    /// The failure of a log that has ended without an entry of a trip; `nil` if there is none.
    var failure: CommandFailure? {
        state.withLock { state in
            guard state.hasEnded else { return nil }
            switch state.log.failure {
            case nil: break
            case .noTrips? where trips.isEmpty: return CommandFailure(.badInput, .failureLogNoTrips)
            case .noTrips?: break
            case _?: return CommandFailure(.badInput, .failureLogEmpty)
            }
            let missing = trips.first { state.log.sides(of: $0) == nil }
            return missing.map { CommandFailure(.notFound, .failureLogTrip(trip: excerpt($0.rawValue))) }
        }
    }
}
