extension MeasureForm {
    /// The measures in the order of the manual; their values are in `Measure` of `TripFeed`.
    package static let all = [
        MeasureForm("overdue", .answer, .time, "how late the vehicle was at its next stop, at the last news of it"),
        MeasureForm("delay", .answer, .time, "how much later the drop-off is, or was, than first estimated"),
        MeasureForm(
            "pickup-delay",
            .answer,
            .time,
            "how much later the arrival at the pickup is, or was, than first estimated"
        ),
        MeasureForm("eta-slip", .answer, .time, "how much later the drop-off is estimated than by the answer before"),
        MeasureForm("remaining-time", .answer, .time, "the time to the next stop"),
        MeasureForm("remaining-distance", .answer, .distance, "the distance to the next stop along the route"),
        MeasureForm("position-age", .answer, .time, "how long ago the service received the vehicle's position"),
        MeasureForm("accuracy", .answer, .distance, "the radius of the circle that the vehicle is in"),
        MeasureForm("route-distance", .answer, .distance, "the distance of the vehicle's position from the route"),
        MeasureForm("speed", .answer, .speed, "the vehicle's speed"),
        MeasureForm("vehicle", .answer, .text, "the ID of the vehicle"),
        MeasureForm("passengers", .answer, .number, "the number of passengers"),
        MeasureForm("waypoints", .answer, .number, "the number of remaining waypoints, those of other riders included"),
        MeasureForm("others-ahead", .answer, .number, "the number of other riders' stops before the trip's next one"),
        MeasureForm("polls", .calls, .number, "the number of polls so far; of a log, of the rider's calls"),
        MeasureForm(
            "failures",
            .calls,
            .number,
            "the number of failed polls so far; with a text, of those with this code or HTTP status",
            argument: .optional
        ),
        MeasureForm("latency", .latency, .time, "the duration of the last request that was answered"),
        MeasureForm("latency.max", .latency, .time, "the longest duration of a request so far"),
        MeasureForm(
            "latency.p50",
            .latency,
            .time,
            "the duration that half of the requests did not exceed, to 1 percent"
        ),
        MeasureForm(
            "latency.p95",
            .latency,
            .time,
            "the duration that 95 of 100 requests did not exceed, to 1 percent"
        ),
        MeasureForm("bytes", .size, .number, "the size of the last answer"),
        MeasureForm("token.fetches", .token, .number, "the number of fetches of the trip's token so far"),
        MeasureForm("token.number", .token, .number, "the number of the token"),
        MeasureForm("token.failures", .token, .number, "the number of successive failed fetches of the token"),
        MeasureForm("token.lifetime", .token, .time, "the time from issue to expiry of the token"),
        MeasureForm("token.left", .token, .time, "the time until the expiry of the token"),
        MeasureForm("attribute", .answer, .text, "the value of an attribute of the trip", argument: .needed),
        MeasureForm(
            "trip",
            .answer,
            .field,
            "a field of the trip, as in `trip.remainingWaypoints[0].tripId`; `size` at the end counts its elements",
            argument: .field
        ),
    ]
}
