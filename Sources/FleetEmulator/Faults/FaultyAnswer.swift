import Failures
import Foundation
import Runtime
import TripModel

/// Applies the active faults to an answer.
struct FaultyAnswer: Sendable {
    let target: Fault.Target
    let faults: FaultInjector
    let clock: any TripClock

    /// Answers a request, with faults applied.
    func answer(
        _ request: PlainRequest,
        at now: Date,
        properly: (PlainRequest, Date, FaultEffects) async -> PlainResponse
    ) async -> PlainResponse {
        let effects = faults.effects(
            on: target,
            request: "\(request.method) \(request.path)",
            authorization: request.authorization,
            at: now
        )
        guard let effects else { return await properly(request, now, FaultEffects()) }
        if effects.delay > .zero {
            // If the client disconnects, the wait is cancelled and the answer is discarded.
            await faults.delays.wait(for: effects.delay, on: clock)
        }
        let time = clock.now().wall.addingTimeInterval(effects.clockOffset.seconds)
        var response = await properly(request, time, effects)
        response.date = time
        let status = response.status
        effects.apply(to: &response)
        response.fault = effects.mark(of: target, insteadOf: status)
        if effects.isCutOff { faults.recordClosing(of: "\(request.method) \(request.path)", by: response.fault) }
        return response
    }
}
