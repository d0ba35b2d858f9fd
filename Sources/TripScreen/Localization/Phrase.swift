/// What the program says: one name for each text of the catalogue.
///
/// `{0}`, `{1}` … in a text are replaced by what a sentence is about. Two forms with `|` between them are for one and for
/// many, see ``Wording/count(_:_:_:)``. The texts stand in the tables of ``Catalogue``, one language to a table.
enum Phrase: Int, Sendable, CaseIterable {
    // MARK: Numbers
    case decimalPoint, seconds, minutes, minutesSeconds, hours, hoursMinutes, days, countdownAhead, countdownNow
    case countdownOverdue, kilometers, meters, miles, feet, kilometersPerHour, milesPerHour, compass, notKnown
    case nothingKnownYet

    // MARK: The status of a trip
    case statusNothingKnown, statusWaitingForDriver, statusAssigned, statusServesOtherFirst, statusToPickup
    case statusAtPickup, statusToStop, statusToStopOf, statusAtStop, statusAtStopOf, statusToDropoff, statusDetour
    case statusComplete, statusCanceled, statusNone, statusUnrecognized

    // MARK: The steps of a trip
    case stepRequested, stepToPickup, stepAtPickup, stepToStop, stepToStopNumber, stepAtStop, stepAtStopNumber
    case stepToDropoff, stepComplete, stepCanceled, stepNoStatus, stepNotSeen

    // MARK: Places and arrivals
    case pickup, dropoff, stop, stopNumber, waypoint, otherRider, oldPosition, vehicle, arrival, summary, distance
    case distanceToGo, distanceToOther, position, positionOld, positionAlsoMeasured, positionMeasured, moves, ahead
    case waypoints, waypointsForeign, wasAt, hereFor, since, promised, within, waited, ride, notReached, asked
    case times, failedAlso, tokens, fetches

    // MARK: How far to trust it
    case connectionComplete, connectionEnded, connectionGivenUp, connectionLeft, connectionPaused
    case connectionConnecting, connectionNoSuchTrip, connectionNoToken, connectionRetrying, connectionStale
    case connectionLive, stalePaused, stalePolling, staleServer, staleDriver, staleLate, staleClock

    // MARK: The frame of the screen
    case viewTrip, viewTrips, viewToken, viewNetwork, viewInspector, viewFindings, viewLog, tripOf, frozenAt
    case givenUp, askingForTrip, noTripFollowed, tooSmall, needsSize, map, mapFollowing, mapMoved, nothingOnMap
    case jamAhead, slowAhead, timeline, forSoFar, events, newerBelow, eventCount, eventsShown, logWith
    case nothingHappened, noEventHolds, linesAbove, linesBelow

    // MARK: The token at a glance
    case noTokenAskedFor, timeLeft, tokenNumber, inARow, nextTryIn, refreshIn, refreshDue, endsAt, endedAt
    case endNotKnown, lastTook, tokenNone, tokenFetching, tokenGood, tokenRefreshing, tokenStale, tokenExpired
    case tokenExpiredUnneeded, tokenFailing, tokenDenied, tokenInvalidated, tokenClosed

    // MARK: Polling at a glance
    case polling, polls, every, raisedFrom, loweredFrom, failed, latencies, askingFirst, notAskedYet
    case noTokenToAskWith, inARowAlso, answer, tookTime, nobodyAsks, askingNow, nextPollNotKnown, pausedPolls
    case spaceGoesOn, nextPoll, reasonNoVehicle, reasonWaiting, reasonConfirming, reasonNewToken, reasonBackOff
    case reasonRetryAfter, reasonQuota, poll, leftAlso
}
