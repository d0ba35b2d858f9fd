extension MeasureForm {
    /// The measures in the order of the manual; their values are in `Measure` of `TripFeed`.
    package static let all = [
        MeasureForm("overdue", .time, "how late the vehicle is at its next stop"),
        MeasureForm("delay", .time, "how much later the drop-off is, or was, than first estimated"),
        MeasureForm(
            "pickup-delay",
            .time,
            "how much later the arrival at the pickup is, or was, than first estimated"
        ),
        MeasureForm("eta-slip", .time, "how much later the drop-off is estimated than by the answer before"),
        MeasureForm("remaining-time", .time, "the time to the next stop"),
        MeasureForm("remaining-distance", .distance, "the distance to the next stop along the route"),
        MeasureForm("position-age", .time, "how long ago the service received the vehicle's position"),
        MeasureForm("accuracy", .distance, "the radius of the circle that the vehicle is in"),
        MeasureForm("route-distance", .distance, "the distance of the vehicle's position from the route"),
        MeasureForm("speed", .speed, "the vehicle's speed"),
        MeasureForm("vehicle", .text, "the ID of the vehicle"),
        MeasureForm("passengers", .number, "the number of passengers"),
        MeasureForm("waypoints", .number, "the number of remaining waypoints, those of other riders included"),
        MeasureForm("others-ahead", .number, "the number of other riders' stops before the trip's next one"),
        MeasureForm("polls", .number, "the number of polls so far; of a log, of the rider's calls"),
        MeasureForm(
            "failures",
            .number,
            "the number of failed polls so far; with a text, of those with this code or HTTP status",
            argument: .optional
        ),
        MeasureForm("latency", .time, "the duration of the last request that was answered", needsOwnRequests: true),
        MeasureForm("latency.max", .time, "the longest duration of a request so far", needsOwnRequests: true),
        MeasureForm(
            "latency.p50",
            .time,
            "the duration that half of the requests did not exceed, to 1 percent",
            needsOwnRequests: true
        ),
        MeasureForm(
            "latency.p95",
            .time,
            "the duration that 95 of 100 requests did not exceed, to 1 percent",
            needsOwnRequests: true
        ),
        MeasureForm("bytes", .number, "the size of the last answer", needsOwnRequests: true),
        MeasureForm(
            "token.fetches",
            .number,
            "the number of fetches of the trip's token so far",
            needsOwnRequests: true
        ),
        MeasureForm("token.number", .number, "the number of the token", needsOwnRequests: true),
        MeasureForm(
            "token.failures",
            .number,
            "the number of successive failed fetches of the token",
            needsOwnRequests: true
        ),
        MeasureForm("token.lifetime", .time, "the time from issue to expiry of the token", needsOwnRequests: true),
        MeasureForm("token.left", .time, "the time until the expiry of the token", needsOwnRequests: true),
        MeasureForm("attribute", .text, "the value of an attribute of the trip", argument: .needed),
        MeasureForm(
            "trip",
            .field,
            "a field of the trip, as in `trip.remainingWaypoints[0].tripId`; `size` at the end counts its elements",
            argument: .field
        ),
    ]
}
