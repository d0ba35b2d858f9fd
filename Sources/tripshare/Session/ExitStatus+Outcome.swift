import Failures
import FleetTokens
import TripFeed
import TripModel

extension CompletionTracker.Outcome {
    /// The exit status.
    var status: ExitStatus {
        switch self {
        case .done: .done
        case .missed: .expectationFailed
        case .failed(_, let failure): failure.exitStatus
        case .timedOut(_, let cause): cause?.failure.exitStatus ?? .unavailable
        case .searchFailed(let failure): failure.exitStatus
        case .interrupted: .interrupted
        }
    }

    /// The exit code of the process.
    var exitCode: Int32 {
        if case .interrupted(let signal) = self { CommandFailure.signal(signal).exitCode } else { status.rawValue }
    }
}
