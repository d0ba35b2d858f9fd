import Failures
import FleetWire
import Runtime
import TripModel

/// The query parameters of calls without a body.
extension TripConditions {
    init(_ request: PlainRequest) throws(ServiceError) {
        self.init()
        if try request.name("routeFormatType", EnumNames.pathFormat) == "ENCODED_POLYLINE_TYPE" { format = .encoded }
        view = try request.name("view", EnumNames.view).flatMap(View.init) ?? .unspecified
        routeVersion = try request.version("currentRouteSegmentVersion")
        trafficVersion = try request.version("currentRouteSegmentTrafficVersion")
        waypointsRouteVersion = try request.version("remainingWaypointsRouteVersion")
        // Deprecated: the list is always sent, so the parameter is only validated.
        _ = try request.version("remainingWaypointsVersion")
    }
}

extension VehicleConditions {
    init(_ request: PlainRequest) throws(ServiceError) {
        self.init()
        routeVersion = try request.version("currentRouteSegmentVersion")
        waypointsVersion = try request.version("waypointsVersion")
    }
}

extension VehicleList {
    init(_ request: PlainRequest) throws(ServiceError) {
        do {
            var all: [Attribute] = []
            for text in request.parameters("requiredAttributes") {
                all += try AttributeRequirement.list(text, "requiredAttributes")
            }
            var oneOf: [[Attribute]] = []
            for text in request.parameters("requiredOneOfAttributes") {
                oneOf.append(try AttributeRequirement.list(text, "requiredOneOfAttributes"))
            }
            var sets: [[Attribute]] = []
            for text in request.parameters("requiredOneOfAttributeSets") {
                sets.append(try AttributeRequirement.list(text, "requiredOneOfAttributeSets"))
            }
            self.init(
                attributes: try AttributeRequirement(
                    all: all,
                    oneOf: oneOf,
                    oneSetOf: sets,
                    filter: request.parameter("filter")
                )
            )
            page = try PageRequest(size: try request.number("pageSize"), token: request.parameter("pageToken"))
        } catch let error as WireError {
            throw ServiceError(error)
        } catch let error as ServiceError {
            throw error
        } catch {
            throw .invalidArgument("\(error)")
        }
        minimumCapacity = try request.number("minimumCapacity")
        guard (minimumCapacity ?? 0) >= 0 else { throw .invalidArgument("minimum_capacity is negative") }
        for text in request.parameters("tripTypes") {
            tripTypes.append(TripType(name: try PlainRequest.name(text, "tripTypes", EnumNames.tripType)))
        }
        for text in request.parameters("vehicleTypeCategories") {
            categories.append(try PlainRequest.name(text, "vehicleTypeCategories", EnumNames.category))
        }
        if let name = try request.name("vehicleState", EnumNames.vehicleState), name != "UNKNOWN_VEHICLE_STATE" {
            state = Vehicle.State(name: name)
        }
        if let text = request.parameter("maximumStaleness") {
            guard let duration = DurationText.duration(text) else {
                throw .invalidArgument("Invalid value at 'maximumStaleness': not a duration")
            }
            maximumStaleness = duration
        }
        onTripOnly = try request.flag("onTripOnly")
        viewport = try Viewport(request)
    }
}

extension VehicleList.Viewport {
    /// Parses `viewport.low.latitude` and so on; zero values may be omitted.
    init?(_ request: PlainRequest) throws(ServiceError) {
        let fields = ["low.latitude", "low.longitude", "high.latitude", "high.longitude"].map { "viewport.\($0)" }
        guard fields.contains(where: { request.parameter($0) != nil }) else { return nil }
        var values: [Double] = []
        for field in fields {
            guard let value = Double(decimal: request.parameter(field) ?? "0") else {
                throw .invalidArgument("Invalid value at '\(field)': not a number")
            }
            values.append(value)
        }
        self.init(
            low: Coordinate(latitude: values[0], longitude: values[1]),
            high: Coordinate(latitude: values[2], longitude: values[3])
        )
        guard low.isValid, high.isValid, low.latitude <= high.latitude else {
            throw .invalidArgument("Invalid value at 'viewport': not a valid rectangle")
        }
    }
}

extension PlainRequest {
    /// Returns all values of a repeated parameter.
    fileprivate func parameters(_ name: String) -> [String] {
        query.filter { FieldMask.camelCase($0.name) == name }.map(\.value)
    }

    fileprivate func version(_ name: String) throws(ServiceError) -> Version? {
        guard let text = parameter(name) else { return nil }
        guard Timestamp.date(text) != nil else {
            throw .invalidArgument("Invalid value at '\(name)': not a timestamp")
        }
        return Version(text)
    }

    func number(_ name: String) throws(ServiceError) -> Int? {
        guard let text = parameter(name) else { return nil }
        guard let number = Int32(text) else {
            throw .invalidArgument("Invalid value at '\(name)': not a whole number of 32 bits")
        }
        return Int(number)
    }

    fileprivate func flag(_ name: String) throws(ServiceError) -> Bool {
        switch parameter(name) {
        case nil, "false": false
        case "true": true
        default: throw .invalidArgument("Invalid value at '\(name)': true or false is expected")
        }
    }

    /// Returns an enum value given by name or by number.
    fileprivate func name(_ parameter: String, _ names: EnumNames) throws(ServiceError) -> String? {
        guard let text = self.parameter(parameter), !text.isEmpty else { return nil }
        return try Self.name(text, parameter, names)
    }

    fileprivate static func name(
        _ text: String,
        _ parameter: String,
        _ names: EnumNames
    ) throws(ServiceError) -> String {
        guard let name = names.name(inQuery: text) else {
            throw .invalidArgument("Invalid value at '\(parameter)': \(text.prefix(64))")
        }
        return name
    }
}

extension ServiceError {
    /// Creates the error for an unreadable request.
    init(_ error: WireError) {
        switch error {
        case .notJSON: self = .invalidArgument("Invalid JSON payload received.")
        case .unexpected(let path, let reason): self = .invalidArgument("Invalid value at '\(path)': \(reason)")
        case .badName(let name): self = .invalidArgument("Invalid name: \(name)")
        case .unknownName(let name, let path):
            let place = path.isEmpty ? "" : " at '\(path)'"
            self = .invalidArgument(
                "Invalid JSON payload received. Unknown name \"\(name)\"\(place): Cannot find field."
            )
        }
        switch error {
        case .unexpected(let path, _), .unknownName(_, let path):
            fieldViolations = [FieldViolation(field: path, description: answer.message ?? "")]
        case .notJSON, .badName: break
        }
    }
}
