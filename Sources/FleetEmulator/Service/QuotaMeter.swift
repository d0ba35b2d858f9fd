import FleetWire
import Foundation
import Runtime
import Synchronization
import TripModel

/// Counts the reading calls of a project in each minute, and refuses calls above a quota.
///
/// Like Fleet Engine, it counts reads of one resource, searches, lists and batches of tasks separately, for all clients
/// together. Only the quotas of the service differ; here all groups have the same quota. Minutes are counted in the emulator's time.
final class QuotaMeter: Sendable {
    /// A group of calls with a common quota, named as in the details of an error.
    enum Metric: String, Sendable {
        case reads = "read_requests"
        case searches = "search_requests"
        case lists = "list_requests"
        case batches = "batch_create_tasks_requests"

        /// Returns the group of a call; `nil` for a call that changes something.
        init?(_ call: FleetRequest) {
            switch call {
            case .getTrip, .getVehicle: self = .reads
            case .searchTrips, .searchVehicles: self = .searches
            case .listVehicles: self = .lists
            case .createTrip, .updateTrip, .deleteTrip, .reportBillableTrip, .createVehicle, .updateVehicle,
                .deleteVehicle, .updateVehicleAttributes:
                return nil
            case .delivery(let request): self.init(request)
            }
        }

        /// Google's documentation counts GetTaskTrackingInfo as a search.
        private init?(_ call: DeliveryRequest) {
            switch call {
            case .getTask, .getVehicle: self = .reads
            case .getTaskTrackingInfo: self = .searches
            case .listTasks, .listVehicles: self = .lists
            case .batchCreateTasks: self = .batches
            case .createTask, .updateTask, .deleteTask, .createVehicle, .updateVehicle, .deleteVehicle: return nil
            }
        }
    }

    private struct State {
        var minute = 0
        var counts: [Metric: Int] = [:]
    }

    private let limit: Int
    private let provider: ProviderID
    private let state = Mutex(State())

    /// Creates a meter; `limit` is the maximum number of calls per metric and minute.
    init(limit: Int, provider: ProviderID) {
        (self.limit, self.provider) = (limit, provider)
    }

    /// Counts a call; returns the answer that refuses it, `nil` if it is within the quota.
    func refusal(of call: FleetRequest, at now: Date) -> PlainResponse? {
        guard let metric = Metric(call) else { return nil }
        let time = now.timeIntervalSince1970
        let minute = Int((time / 60).rounded(.down))
        let isOver = state.withLock { state in
            if state.minute != minute { state = State(minute: minute) }
            state.counts[metric, default: 0] += 1
            return state.counts[metric, default: 0] > limit
        }
        return isOver ? answer(metric, wait: .seconds(Double(minute + 1) * 60 - time)) : nil
    }

    private func answer(_ metric: Metric, wait: Duration) -> PlainResponse {
        let name = "fleetengine.googleapis.com/\(metric.rawValue)"
        let consumer = "projects/\(provider)"
        let message =
            "Quota exceeded for quota metric '\(name)' and limit '\(limit) per minute' of service "
            + "'fleetengine.googleapis.com' for consumer '\(consumer)'."
        let violation = Violation(
            subject: consumer,
            description: message,
            apiService: "fleetengine.googleapis.com",
            quotaMetric: name,
            quotaValue: String(limit)
        )
        let wrapper = Wrapper(
            error: Content(
                message: message,
                details: [
                    Detail(type: "type.googleapis.com/google.rpc.QuotaFailure", violations: [violation]),
                    Detail(type: "type.googleapis.com/google.rpc.RetryInfo", retryDelay: DurationText.text(wait)),
                ]
            )
        )
        return PlainResponse(status: 429, body: JSONBytes.encode(wrapper))
    }

    private struct Wrapper: Encodable {
        var error: Content
    }

    private struct Content: Encodable {
        var code = 429
        var status = "RESOURCE_EXHAUSTED"
        var message: String
        var details: [Detail]
    }

    private struct Detail: Encodable {
        var type: String
        var violations: [Violation]?
        var retryDelay: String?

        enum CodingKeys: String, CodingKey {
            case type = "@type"
            case violations
            case retryDelay
        }
    }

    /// One exceeded quota, as in google/rpc/error_details.proto.
    private struct Violation: Encodable {
        var subject: String
        var description: String
        var apiService: String
        var quotaMetric: String
        var quotaValue: String
    }
}
