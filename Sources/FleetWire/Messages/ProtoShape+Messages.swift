/// The request messages of `maps.fleetengine.v1` with all their fields.
extension ProtoShape {
    /// `Trip`; fields that the service sets are accepted and ignored.
    package static let trip: [String: ProtoShape] = [
        "name": .text, "vehicleId": .text, "tripStatus": tripStatus, "tripType": tripType,
        "pickupPoint": terminalLocation, "actualPickupPoint": stopLocation, "actualPickupArrivalPoint": stopLocation,
        "pickupTime": .timestamp, "intermediateDestinations": .list(terminalLocation),
        "intermediateDestinationsVersion": .timestamp, "intermediateDestinationIndex": .integer,
        "actualIntermediateDestinationArrivalPoints": .list(stopLocation),
        "actualIntermediateDestinations": .list(stopLocation), "dropoffPoint": terminalLocation,
        "actualDropoffPoint": stopLocation, "dropoffTime": .timestamp, "remainingWaypoints": .list(waypoint),
        "vehicleWaypoints": .list(waypoint), "route": .list(latLng), "currentRouteSegment": .text,
        "currentRouteSegmentVersion": .timestamp, "currentRouteSegmentTraffic": traffic,
        "currentRouteSegmentTrafficVersion": .timestamp, "currentRouteSegmentEndPoint": waypoint,
        "remainingDistanceMeters": .integer, "etaToFirstWaypoint": .timestamp,
        "remainingTimeToFirstWaypoint": .duration, "remainingWaypointsVersion": .timestamp,
        "remainingWaypointsRouteVersion": .timestamp, "numberOfPassengers": .integer, "lastLocation": location,
        "lastLocationSnappable": .flag, "view": view, "attributes": .list(.message(attribute)),
    ]

    /// `Vehicle`.
    package static let vehicle: [String: ProtoShape] = [
        "name": .text, "vehicleState": vehicleState, "supportedTripTypes": .list(tripType),
        "currentTrips": .list(.text), "lastLocation": location, "pastLocations": .list(location),
        "maximumCapacity": .integer, "attributes": .list(.message(attribute)), "vehicleType": .message(vehicleType),
        "licensePlate": .message(["countryCode": .text, "lastCharacter": .text]), "route": .list(terminalLocation),
        "currentRouteSegment": .text, "currentRouteSegmentTraffic": driverTraffic,
        "currentRouteSegmentVersion": .timestamp, "currentRouteSegmentEndPoint": waypoint,
        "remainingDistanceMeters": .integer, "etaToFirstWaypoint": .timestamp, "remainingTimeSeconds": .integer,
        "waypoints": .list(waypoint), "waypointsVersion": .timestamp, "backToBackEnabled": .flag,
        "navigationStatus": navigationStatus, "deviceSettings": deviceSettings,
    ]

    /// `SearchTripsRequest` without the parent, which is in the path.
    package static let searchTrips: [String: ProtoShape] = [
        "header": header, "parent": .text, "vehicleId": .text, "activeTripsOnly": .flag, "pageSize": .integer,
        "pageToken": .text, "minimumStaleness": .duration,
    ]

    /// `ReportBillableTripRequest` without the name.
    package static let reportBillableTrip: [String: ProtoShape] = [
        "name": .text, "countryCode": .text, "relatedIds": .list(.text),
        "platform": .names([
            0: "BILLING_PLATFORM_IDENTIFIER_UNSPECIFIED", 1: "SERVER", 2: "WEB", 3: "ANDROID", 4: "IOS", 5: "OTHERS",
        ]),
        "solutionType": .names([0: "SOLUTION_TYPE_UNSPECIFIED", 1: "ON_DEMAND_RIDESHARING_AND_DELIVERIES"]),
    ]

    /// `UpdateVehicleAttributesRequest` without the name.
    package static let updateAttributes: [String: ProtoShape] = [
        "header": header, "name": .text, "attributes": .list(.message(attribute)),
    ]

    /// `SearchVehiclesRequest` without the parent.
    package static let searchVehicles: [String: ProtoShape] = [
        "header": header, "parent": .text, "pickupPoint": terminalLocation, "dropoffPoint": terminalLocation,
        "pickupRadiusMeters": .integer, "count": .integer, "minimumCapacity": .integer, "tripTypes": .list(tripType),
        "maximumStaleness": .duration, "vehicleTypes": .list(.message(vehicleType)),
        "requiredAttributes": .list(.message(attribute)), "requiredOneOfAttributes": .list(attributeList),
        "requiredOneOfAttributeSets": .list(attributeList), "includeBackToBack": .flag, "tripId": .text,
        "orderBy": matchOrder, "filter": .text,
        "currentTripsPresent": .names([0: "CURRENT_TRIPS_PRESENT_UNSPECIFIED", 1: "NONE", 2: "ANY"]),
    ]

    // MARK: Nested messages

    private static let latLng = ProtoShape.message(["latitude": .number, "longitude": .number])
    private static let terminalLocation = ProtoShape.message([
        "point": latLng, "accessPointId": .text, "tripId": .text, "terminalLocationType": waypointType,
        "terminalPointId": .message(["placeId": .text, "generatedId": .text, "value": .text]),
    ])
    private static let stopLocation = ProtoShape.message([
        "point": latLng, "timestamp": .timestamp, "stopTime": .timestamp,
    ])
    private static let traffic = ProtoShape.message([
        "speedReadingInterval": .list(
            .message([
                "startPolylinePointIndex": .integer, "endPolylinePointIndex": .integer,
                "speed": trafficSpeed,
            ])
        ),
        "encodedPathToWaypoint": .text,
    ])
    private static let waypoint = ProtoShape.message([
        "location": terminalLocation, "tripId": .text, "waypointType": waypointType, "pathToWaypoint": .list(latLng),
        "encodedPathToWaypoint": .text, "distanceMeters": .integer, "eta": .timestamp, "duration": .duration,
        "trafficToWaypoint": traffic,
    ])
    private static let location = ProtoShape.message([
        "location": latLng, "heading": .integer, "speedKmph": .integer, "updateTime": .timestamp,
        "altitude": .number, "speed": .number, "speedAccuracy": .number, "horizontalAccuracy": .number,
        "verticalAccuracy": .number, "bearingAccuracy": .number, "locationSensor": sensor,
        "isGpsSensorEnabled": .flag, "serverTime": .timestamp, "timeSinceUpdate": .integer,
        "numStaleUpdates": .integer, "rawLocation": latLng, "rawLocationTime": .timestamp,
        "supplementalLocation": latLng, "supplementalLocationTime": .timestamp, "supplementalLocationSensor": sensor,
        "supplementalLocationAccuracy": .number, "latlngAccuracy": .number, "headingAccuracy": .number,
        "altitudeAccuracy": .number, "rawLocationAccuracy": .number, "roadSnapped": .flag, "isRoadSnapped": .flag,
        "rawLocationSensor": sensor, "flpLocation": latLng, "flpUpdateTime": .timestamp,
        "flpLatlngAccuracyMeters": .number, "flpHeadingDegrees": .integer,
    ])
    private static let attribute: [String: ProtoShape] = [
        "key": .text, "value": .text, "stringValue": .text, "boolValue": .flag, "numberValue": .number,
    ]
    private static let attributeList = ProtoShape.message(["attributes": .list(.message(attribute))])
    private static let vehicleType: [String: ProtoShape] = ["category": category]
    private static let driverTraffic = ProtoShape.message([
        "trafficRendering": .message([
            "roadStretch": .list(
                .message([
                    "style": .names([0: "STYLE_UNSPECIFIED", 1: "SLOWER_TRAFFIC", 2: "TRAFFIC_JAM"]),
                    "offsetMeters": .integer, "lengthMeters": .integer,
                ])
            )
        ])
    ])
    private static let deviceSettings = ProtoShape.message([
        "locationPowerSaveMode": .names([
            0: "UNKNOWN_LOCATION_POWER_SAVE_MODE", 1: "LOCATION_MODE_NO_CHANGE",
            2: "LOCATION_MODE_GPS_DISABLED_WHEN_SCREEN_OFF", 3: "LOCATION_MODE_ALL_DISABLED_WHEN_SCREEN_OFF",
            4: "LOCATION_MODE_FOREGROUND_ONLY", 5: "LOCATION_MODE_THROTTLE_REQUESTS_WHEN_SCREEN_OFF",
        ]),
        "isPowerSaveMode": .flag, "isInteractive": .flag,
        "batteryInfo": .message([
            "batteryStatus": .names([
                0: "UNKNOWN_BATTERY_STATUS", 1: "BATTERY_STATUS_CHARGING", 2: "BATTERY_STATUS_DISCHARGING",
                3: "BATTERY_STATUS_FULL", 4: "BATTERY_STATUS_NOT_CHARGING", 5: "BATTERY_STATUS_POWER_LOW",
            ]),
            "powerSource": .names([
                0: "UNKNOWN_POWER_SOURCE", 1: "POWER_SOURCE_AC", 2: "POWER_SOURCE_USB", 3: "POWER_SOURCE_WIRELESS",
                4: "POWER_SOURCE_UNPLUGGED",
            ]),
            "batteryPercentage": .number,
        ]),
    ])
    private static let header = ProtoShape.message([
        "languageCode": .text, "regionCode": .text, "sdkVersion": .text, "osVersion": .text, "deviceModel": .text,
        "sdkType": .names([0: "SDK_TYPE_UNSPECIFIED", 1: "CONSUMER", 2: "DRIVER", 3: "JAVASCRIPT"]),
        "mapsSdkVersion": .text, "navSdkVersion": .text,
        "platform": .names([0: "PLATFORM_UNSPECIFIED", 1: "ANDROID", 2: "IOS", 3: "WEB"]), "manufacturer": .text,
        "androidApiLevel": .integer, "traceId": .text,
    ])

    // MARK: Enums

    /// The trip statuses.
    package static let tripStatus = ProtoShape.names([
        0: "UNKNOWN_TRIP_STATUS", 1: "NEW", 2: "ENROUTE_TO_PICKUP", 3: "ARRIVED_AT_PICKUP", 4: "ENROUTE_TO_DROPOFF",
        5: "COMPLETE", 6: "CANCELED", 7: "ARRIVED_AT_INTERMEDIATE_DESTINATION",
        8: "ENROUTE_TO_INTERMEDIATE_DESTINATION",
    ])
    /// The trip types.
    package static let tripType = ProtoShape.names([0: "UNKNOWN_TRIP_TYPE", 1: "SHARED", 2: "EXCLUSIVE"])
    /// The trip views.
    package static let view = ProtoShape.names([0: "TRIP_VIEW_UNSPECIFIED", 1: "SDK", 2: "JOURNEY_SHARING_V1S"])
    /// The path formats.
    package static let pathFormat = ProtoShape.names([
        0: "UNKNOWN_FORMAT_TYPE", 1: "LAT_LNG_LIST_TYPE", 2: "ENCODED_POLYLINE_TYPE",
    ])
    /// The vehicle states.
    package static let vehicleState = ProtoShape.names([0: "UNKNOWN_VEHICLE_STATE", 1: "OFFLINE", 2: "ONLINE"])
    /// The vehicle categories.
    package static let category = ProtoShape.names([
        0: "UNKNOWN", 1: "AUTO", 2: "TAXI", 3: "TRUCK", 4: "TWO_WHEELER", 5: "BICYCLE", 6: "PEDESTRIAN",
    ])
    static let waypointType = ProtoShape.names([
        0: "UNKNOWN_WAYPOINT_TYPE", 1: "PICKUP_WAYPOINT_TYPE", 2: "DROP_OFF_WAYPOINT_TYPE",
        3: "INTERMEDIATE_DESTINATION_WAYPOINT_TYPE",
    ])
    static let trafficSpeed = ProtoShape.names([0: "SPEED_UNSPECIFIED", 1: "NORMAL", 2: "SLOW", 3: "TRAFFIC_JAM"])
    private static let navigationStatus = ProtoShape.names([
        0: "UNKNOWN_NAVIGATION_STATUS", 1: "NO_GUIDANCE", 2: "ENROUTE_TO_DESTINATION", 3: "OFF_ROUTE",
        4: "ARRIVED_AT_DESTINATION",
    ])
    static let sensor = ProtoShape.names([
        0: "UNKNOWN_SENSOR", 1: "GPS", 2: "NETWORK", 3: "PASSIVE", 4: "ROAD_SNAPPED_LOCATION_PROVIDER",
        5: "CUSTOMER_SUPPLIED_LOCATION", 6: "FLEET_ENGINE_LOCATION", 100: "FUSED_LOCATION_PROVIDER",
        200: "CORE_LOCATION",
    ])
    private static let matchOrder = ProtoShape.names([
        0: "UNKNOWN_VEHICLE_MATCH_ORDER", 1: "PICKUP_POINT_ETA", 2: "PICKUP_POINT_DISTANCE", 3: "DROPOFF_POINT_ETA",
        4: "PICKUP_POINT_STRAIGHT_DISTANCE", 5: "COST",
    ])

    /// Returns the name of an enum value given by name or number; `nil` if it is unknown.
    package func name(inQuery text: String) -> String? {
        guard case .names(let names) = self else { return nil }
        return names.values.first { $0 == text } ?? Int(text).flatMap { names[$0] }
    }
}
