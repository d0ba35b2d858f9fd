import Runtime
import Synchronization
package import TripModel

extension TripFeed {
    /// Adds a journey, unless it is already followed.
    package func add(_ id: JourneyID) {
        change { state in
            state.over.remove(id)
            if state.requests[id]?.isLeft == true {
                state.requests[id]?.isReadded = true
            } else {
                follow([id], &state)
            }
        }
    }

    /// Removes a journey and cancels its request in progress; ``FeedEnd/left`` is its last event.
    package func remove(_ id: JourneyID) async {
        let request: Task<Void, Never>? = change { state in
            state.requests[id]?.isLeft = true
            state.requests[id]?.isReadded = false
            guard state.planner.hasSweeps || state.planner.isFollowed(id) else { return state.requests[id]?.task }
            if state.planner.hasSweeps { state.removed.insert(id) }
            state.planner.remove(id)
            forget(id, &state)
            report(.ended(id, .left))
            return state.requests[id]?.task
        }
        request?.cancel()
        clients.trip?.stopRefreshing(id)
    }

    /// Declares that no more trips will be added: ``run()`` returns when the last one has ended.
    package func close() { change { $0.planner.isOpen = false } }

    /// Forgets that journeys have ended, except `retained`, so that the others may be added again.
    package func forget(over retained: Set<JourneyID>) { state.withLock { $0.over.formIntersection(retained) } }

    /// Sends a command to the polls of a journey, which reply with a ``FeedEvent/scheduled(_:_:)``.
    package func command(_ command: FeedCommand, journey id: JourneyID) async {
        change { state in
            guard state.planner.hasSweeps || state.planner.isFollowed(id) else { return }
            let now = clock.now().steady
            switch command {
            case .pause: state.planner.pause(id, true)
            case .resume: state.planner.pause(id, false)
            case .pollNow: state.planner.request(id, at: now)
            case .setInterval(let interval): state.planner.setInterval(interval, of: id, at: now)
            }
            report(.scheduled(id, state.planner.schedule(of: id)))
        }
    }

    /// Reports which trips of a project the user sees, so that they are polled at the full rate.
    ///
    /// Named journeys are all polled at the same rate, whether the user sees them or not.
    package func view(_ trips: Set<JourneyID>) {
        guard state.withLock({ $0.planner.hasSweeps && trips != $0.viewed }) else { return }
        change { state in
            let left = state.viewed.subtracting(trips).subtracting(state.named)
            state.viewed = trips
            updateShown(&state)
            for id in left { clients.trip?.stopRefreshing(id) }
        }
    }

    /// Follows journeys that the user has named.
    func follow(_ ids: [JourneyID], _ state: inout State) {
        guard !state.planner.hasSweeps else {
            state.removed.subtract(ids)
            for id in ids { state.planner.restart(id) }
            state.named.formUnion(ids)
            return updateShown(&state)
        }
        // Before their tokens arrive, so that a recording can be read even if a token contains the ID.
        for id in ids { KnownSecrets.ofProcess.exemptFromRedaction(id: id.rawValue) }
        state.planner.add(ids, at: clock.now().steady)
    }

    /// Forgets a journey that has ended or was removed.
    func forget(_ id: JourneyID, _ state: inout State) {
        state.trips[id] = nil
        state.named.remove(id)
        if state.planner.hasSweeps { updateShown(&state) }
    }

    private func updateShown(_ state: inout State) {
        state.planner.view(state.named.union(state.viewed.filter { state.trips[$0] != nil }))
    }
}
