import FleetWire
import Foundation
import Runtime
import TripModel

/// The REST routes of the service: converts HTTP requests to ``FleetService`` calls and back.
struct FleetRoutes: Sendable {
    let service: FleetService
    let authorizer: Authorizer
    /// Refuses calls above the quota; `nil` without one.
    var quota: QuotaMeter?
    /// Gets each call; `nil` without a log.
    var log: CallLog?
    private let answers = TripAnswers()
    private let places = TripPlaces()

    init(service: FleetService, authorizer: Authorizer, quota: Int? = nil, log: CallLog? = nil) {
        self.service = service
        self.authorizer = authorizer
        self.log = log
        self.quota = quota.map { QuotaMeter(limit: $0, provider: service.provider) }
    }

    /// Answers a request, which counts against the quota unless it is the emulator's own.
    func answer(_ request: PlainRequest, at now: Date, isCounted: Bool = true) async -> PlainResponse {
        do {
            let caller = try await authorizer.caller(
                header: request.authorization,
                quotaProject: request.quotaProject,
                at: now
            )
            // A request to no method has no entry.
            guard let log, let target = try? FleetTarget(request, of: service.provider) else {
                return answers(request, by: caller, at: now, isCounted: isCounted).sent
            }
            return log.record(target, request, at: now) {
                answers(request, by: caller, at: now, isCounted: isCounted)
            }
        } catch {
            return .error(error)
        }
    }

    /// Performs a request; returns what the caller gets, and for a log the whole answer with the names of enum values.
    private func answers(
        _ request: PlainRequest,
        by caller: Caller,
        at now: Date,
        isCounted: Bool
    ) -> (sent: PlainResponse, whole: PlainResponse) {
        do {
            let hasNumbers = try request.requestsNumbersOfEnums
            var request = request
            let places = try TripPlaces.extract(from: &request.body)
            let (call, selection) = try call(for: request)
            if isCounted, let refusal = quota?.refusal(of: call, at: now) { return (refusal, refusal) }
            let response = try service.call(call, by: caller, at: now)
            self.places.store(places, after: call, at: now)
            var body = body(of: response, asNumbers: hasNumbers)
            let whole = hasNumbers && log != nil ? self.body(of: response, asNumbers: false) : body
            if let selection, let all = JSONValue(body) { body = JSONBytes.encode(selection.apply(to: all)) }
            return (PlainResponse(status: 200, body: body), PlainResponse(status: 200, body: whole))
        } catch {
            let answer = PlainResponse.error(error)
            return (answer, answer)
        }
    }

    private func body(of response: FleetResponse, asNumbers: Bool) -> [UInt8] {
        places.insert(into: body(of: response, asNumbers ? .numbers : .names), of: response.trips, asNumbers: asNumbers)
    }

    private func body(of response: FleetResponse, _ enums: EnumFormat) -> [UInt8] {
        switch response {
        case .trip(let trip, let format):
            enums == .names
                ? answers.bytes(of: trip, format: format) : TripCoding.encode(trip, format: format, enums: enums)
        case .trips(let trips, let next): CollectionCoding.encode(trips: trips, nextPageToken: next, enums: enums)
        case .vehicle(let vehicle): MessageBytes.encode(vehicle, enums: enums)
        case .vehicles(let answer): MessageBytes.encode(answer, enums: enums)
        case .attributes(let attributes): CollectionCoding.encode(attributes: attributes)
        case .matches(let matches): CollectionCoding.encode(matches: matches, enums: enums)
        case .delivery(let response): Self.body(of: response, enums)
        case .empty: CollectionCoding.empty
        }
    }

    /// Returns the call for a method and a path, and the selected fields of its answer.
    private func call(for request: PlainRequest) throws(ServiceError) -> (FleetRequest, FieldSelection?) {
        let target = try FleetTarget(request, of: service.provider)
        var selection: FieldSelection?
        if let method = target.method {
            try request.checkParameters(of: method)
            selection = try request.fieldSelection(of: method)
        }
        return (try MethodRequest(request: request, target: target, provider: service.provider).call, selection)
    }
}

/// The method of a request, and the collection or the resource that it is about.
struct FleetTarget: Sendable {
    /// The collection, such as `trips`.
    let collection: String
    /// The ID of the resource; `nil` for a call of the collection.
    let id: String?
    /// The HTTP method and the custom verb, such as `POST:search`.
    let verb: String
    /// The method; `nil` if the service has no such one.
    let method: RESTMethod?

    /// Reads the path of a request; throws NOT_FOUND and INVALID_ARGUMENT.
    init(_ request: PlainRequest, of provider: ProviderID) throws(ServiceError) {
        let parts = request.segments
        guard parts.count == 4 || parts.count == 5, parts[0] == "v1", parts[1] == "providers" else {
            throw .noSuchMethod
        }
        guard parts[2].utf8.elementsEqual(provider.rawValue.utf8) else {
            throw .invalidArgument("The provider is not \(provider), the project of this service.")
        }
        // IDs contain no colon: the text after it is a custom verb.
        let last = parts[parts.count - 1].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(last[0])
        verb = request.method + (last.count == 2 ? ":" + last[1] : "")
        (collection, id) = parts.count == 4 ? (name, nil) : (parts[3], name)
        method = RESTMethod("\(verb) \(collection)\(id == nil ? "" : "/*")")
    }
}
