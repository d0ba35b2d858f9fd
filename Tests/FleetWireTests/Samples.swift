/// A trip behind another rider's drop-off, in the form of Fleet Engine's JSON.
///
/// The service's protocol buffer definition accepts it.
enum Samples {
    static let enrouteBehindAnotherRider = #"""
        {
          "name": "providers/demo-rides-project/trips/tr-7f3a",
          "vehicleId": "veh-204",
          "tripStatus": "ENROUTE_TO_PICKUP",
          "tripType": "EXCLUSIVE",
          "pickupPoint": {"point": {"latitude": 51.0553172, "longitude": 3.7213445}},
          "pickupTime": "2026-03-14T08:21:40.512Z",
          "dropoffPoint": {"point": {"latitude": 51.0358911, "longitude": 3.7102936}},
          "dropoffTime": "2026-03-14T08:31:05.512Z",
          "route": [
            {"latitude": 51.060512, "longitude": 3.73012},
            {"latitude": 51.059684, "longitude": 3.728841},
            {"latitude": 51.0581004, "longitude": 3.7255511}
          ],
          "currentRouteSegmentVersion": "2026-03-14T08:17:02.118Z",
          "currentRouteSegmentTraffic": {
            "speedReadingInterval": [
              {
                "endPolylinePointIndex": 1,
                "speed": "NORMAL"
              },
              {
                "startPolylinePointIndex": 1,
                "endPolylinePointIndex": 2,
                "speed": "SLOW"
              }
            ]
          },
          "currentRouteSegmentTrafficVersion": "2026-03-14T08:18:11.004Z",
          "currentRouteSegmentEndPoint": {
            "location": {"point": {"latitude": 51.0581004, "longitude": 3.7255511}},
            "tripId": "tr-5b10",
            "waypointType": "DROP_OFF_WAYPOINT_TYPE"
          },
          "remainingDistanceMeters": 418,
          "etaToFirstWaypoint": "2026-03-14T08:19:50.512Z",
          "remainingTimeToFirstWaypoint": "78.204s",
          "remainingWaypoints": [
            {
              "location": {"point": {"latitude": 51.0581004, "longitude": 3.7255511}},
              "tripId": "tr-5b10",
              "waypointType": "DROP_OFF_WAYPOINT_TYPE"
            },
            {
              "location": {"point": {"latitude": 51.0553172, "longitude": 3.7213445}},
              "tripId": "tr-7f3a",
              "waypointType": "PICKUP_WAYPOINT_TYPE",
              "pathToWaypoint": [
                {"latitude": 51.0581004, "longitude": 3.7255511},
                {"latitude": 51.05713, "longitude": 3.723915},
                {"latitude": 51.0553172, "longitude": 3.7213445}
              ],
              "distanceMeters": 427,
              "eta": "2026-03-14T08:21:40.512Z",
              "duration": "110s"
            },
            {
              "location": {"point": {"latitude": 51.0358911, "longitude": 3.7102936}},
              "tripId": "tr-7f3a",
              "waypointType": "DROP_OFF_WAYPOINT_TYPE",
              "pathToWaypoint": [
                {"latitude": 51.0553172, "longitude": 3.7213445},
                {"latitude": 51.0527716, "longitude": 3.720663},
                {"latitude": 51.0489204, "longitude": 3.7178115},
                {"latitude": 51.0441873, "longitude": 3.7146602},
                {"latitude": 51.0395525, "longitude": 3.7120041},
                {"latitude": 51.0358911, "longitude": 3.7102936}
              ],
              "distanceMeters": 2302,
              "eta": "2026-03-14T08:31:05.512Z",
              "duration": "565s"
            }
          ],
          "remainingWaypointsVersion": "2026-03-14T08:16:58.730Z",
          "remainingWaypointsRouteVersion": "2026-03-14T08:17:02.118Z",
          "numberOfPassengers": 2,
          "lastLocation": {
            "location": {"latitude": 51.060512, "longitude": 3.73012},
            "latlngAccuracy": 4.5,
            "heading": 214,
            "headingAccuracy": 6.0,
            "speed": 8.2,
            "speedAccuracy": 0.5,
            "updateTime": "2026-03-14T08:18:31Z",
            "serverTime": "2026-03-14T08:18:31.640Z",
            "locationSensor": "ROAD_SNAPPED_LOCATION_PROVIDER",
            "isRoadSnapped": true
          },
          "lastLocationSnappable": true
        }
        """#
}
