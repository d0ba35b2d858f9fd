/// What the program says: one name for each text of the catalogue.
///
/// `{0}`, `{1}` … in a text are replaced by what a sentence is about. Two forms with `|` between them are for one and for
/// many, see ``Wording/count(_:_:_:)``. The texts stand in the tables of ``Catalogue``, one language to a table.
enum Phrase: Int, Sendable, CaseIterable {
    // MARK: Numbers
    case decimalPoint, listComma, clauseComma, fullStop, sentenceAndAdvice, seconds, minutes, minutesSeconds, hours
    case hoursMinutes, days, countdownAhead, countdownNow, countdownOverdue, kilometers, meters, miles, feet
    case kilometersPerHour, milesPerHour, compass, notKnown, nothingKnownYet

    // MARK: The status of a trip
    case statusNothingKnown, statusWaitingForDriver, statusAssigned, statusServesOtherFirst, statusToPickup
    case statusAtPickup, statusToStop, statusToStopOf, statusAtStop, statusAtStopOf, statusToDropoff, statusDetour
    case statusComplete, statusCanceled, statusNone, statusNoneAdvice, statusUnrecognized

    // MARK: The steps of a trip
    case stepRequested, stepToPickup, stepAtPickup, stepToStop, stepToStopNumber, stepAtStop, stepAtStopNumber
    case stepToDropoff, stepComplete, stepCanceled, stepNoStatus, stepNotSeen

    // MARK: Places and arrivals
    case pickup, dropoff, stop, stopNumber, waypoint, oldPosition, vehicle, arrival, summary, distance
    case distanceToGo, position, positionOld, positionAlsoMeasured, positionMeasured, moves, ahead
    case waypoints, waypointsForeign, wasAt, hereFor, since, promised, within, offRouteRow, trend, cameAt, waited, ride
    case notReached, asked, times, failedAlso, tokens, fetches

    // MARK: How far to trust it
    case connectionComplete, connectionEnded, connectionCanceled, connectionGivenUp, connectionLeft
    case connectionPaused, connectionConnecting, connectionNoSuchTrip, connectionNoToken, connectionRetrying
    case connectionStale, connectionLive, connectionsLive, connectionNoAnswer, stalePaused, stalePolling, staleServer,
        staleDriver,
        staleLate, staleClock

    // MARK: The frame of the screen
    case viewTrip, viewTrips, viewToken, viewNetwork, viewInspector, viewFindings, viewLog, tripOf, frozenAt
    case makingKeys, givenUp, askingForTrip, noTripFollowed, tooSmall, needsSize, map, mapFollowing, mapMoved
    case nothingOnMap, jamAhead, slowAhead, timeline, forSoFar, events, newerBelow, eventCount, eventsShown, logWith
    case nothingHappened, noEventHolds, linesAbove, linesBelow, moreLines

    // MARK: Whose clock is wrong
    case setOneClock, setEndpointClock, setServiceClock, endpointAloneBehind, endpointAloneAhead, serviceAloneBehind
    case serviceAloneAhead, clockHereBehind, clockHereAhead

    // MARK: Who is at fault
    case atFault, partyTokenEndpoint, partyServiceAccount, partyClockHere, partyEndpointClock, partyServiceClock
    case partyServiceConfiguration, partyService, partyNetwork, partyCommandLine

    // MARK: The token at a glance
    case noTokenAskedFor, timeLeft, tokenNumber, inARow, nextTryIn, refreshIn, refreshDue, endsAt, endedAt
    case endNotKnown, lastTook, tokenNone, tokenFetching, tokenGood, tokenRefreshing, tokenStale, tokenExpired
    case tokenExpiredUnneeded, tokenFailing, tokenDenied, tokenInvalidated, tokenClosed

    // MARK: Polling at a glance
    case polling, polls, every, raisedFrom, loweredFrom, failed, latencies, askingFirst, notAskedYet
    case noTokenToAskWith, inARowAlso, answer, tookTime, nobodyAsks, askingNow, askingFor, nextPollNotKnown, pausedPolls
    case spaceGoesOn, nextPoll, reasonNoVehicle, reasonWaiting, reasonConfirming, reasonNewToken, reasonBackOff
    case reasonRetryAfter, reasonQuota, poll, leftAlso

    // MARK: Evidence
    case causeAndSymptom, refusalSaid, omittedNews, omittedPolls, oauthToken, oauthTokenWhat, idToken, idTokenWhat
    case apiKey, apiKeyWhat, sessionCookie, sessionCookieWhat, otherCredentialAdvice, misspeltClaim, misspeltClaimWhat
    case misspeltClaimAdvice, noKeyKnownWhat, tokenNames, rejectedTitle, rejectedUnused, rejectedByService
    case lastRejected, endpointAnswer, endpointBodyEmpty, requestTitle, keyCopy, helpCopy, copied, findingsNotFollowed
    case findingsNoAnswer, tokenUnusable, tokenUnusableWhat, serviceRefuses, serviceRefusesWhat, adviceTokenView
    case statusMissing, statusMissingWhat, trackingMissing, trackingMissingWhat, missingPosition, missingRoute
    case missingArrival

    // MARK: What happened to a trip
    case expectedAt, answersAgain, arrivalLater, arrivalEarlier, anotherVehicle, positionFreshAgain, positionIsOld
    case followedNoMore, givenUpForGood, pausedNews, askingAgain, intervalRaised, intervalLowered, askingEvery
    case endComplete, endCanceled, endOther, endLeft

    // MARK: What happened to a token
    case tokenRequested, tokenRefreshed, tokenReceived, goodUntil, afterFailure, tokenRefused, tokenRepeated,
        tokenTooLate
    case clocksAgree, tokenEvicted, tripSubject

    // MARK: What keeps an answer from us
    case asksOn, webPage, webPageWhat, webPageTitled, webPageAdvice, redirected, redirectedWhat, redirectedAdvice
    case unreadable, unreadableWhat, unreadableAdvice, otherTrip, otherTripWhat, otherTripAdvice, badURL, badURLWhat
    case badURLAdvice, refused, refusedWhat, refusedAdvice, unknownHost, unknownHostWhat, unknownHostAdvice, tls
    case tlsWhat, tlsAdvice, timedOut, timedOutWhat, timedOutAdvice, lost, lostWhat, cutOff, cutOffWhat
    case tooLarge, tooLargeWhat
    case tooLargeAdvice, notHTTP, notHTTPWhat, notHTTPAdvice, cancelled, cancelledWhat, connectionFailed
    case connectionFailedWhat, badProxy, badProxyWhat, badProxyAdvice, noProxyWhat

    // MARK: What the service answers instead
    case serviceShort, errorWord, saidDetail, becauseDetail, badRequestWhat, badRequestAdvice, unauthorizedWhat
    case unauthorizedAdvice
    case forbiddenWhat, forbiddenScope, forbiddenAPI, forbiddenAdvice, notFoundWhat, notFoundAdvice, quotaWhat
    case quotaWait, quotaAdvice, deadlineWhat, unavailableWhat, otherStatusWhat, otherStatusAdvice, notAURL
    case notAURLWhat, notAURLAdvice, notEncrypted, insecureWhat, insecureAdvice

    // MARK: Names that can't be
    case nounTrip, nounVehicle, nounProvider, noID, noIDWhat, noIDAdvice, idEmpty, idTooLong, idForbidden, idSegment

    // MARK: What keeps a token from us
    case badHeader, badHeaderWhat, badHeaderAdvice, checkTokenSource
    case retriedAlone, checkTokenURL, runByHand, noContext, noContextWhat, noContextAdvice, noTokenFor, deniedToken
    case deniedTokenWhat, deniedTokenAdvice, unusableToken, newTokenRefused, newTokenRefusedWhat
    case newTokenRefusedAdvice, livesTooShort, livesTooShortWhat, livesTooShortAdvice, cacheFull, cacheFullWhat
    case cacheFullAdvice, manyWaiters, manyWaitersWhat, waitCancelled, providerClosed, notReachable
    case notReachableWhat, notReachableAdvice, sourceTimedOutWhat, httpStatus, refusedStatusWhat, refusedStatusWait
    case tokenRedirectedWhat, tokenRedirectedAdvice, html, htmlWhat, htmlAdvice, notJSON, notJSONWhat, noKey
    case noKeyWhat, noKeyAdvice, wrongType, wrongTypeWhat, wrongTypeAdvice, emptyAnswer, emptyAnswerWhat
    case emptyAnswerAdvice, tokenTooLarge, tokenTooLargeWhat, badTokenURLWhat, insecureTokenWhat, wrongKind
    case unsupportedContextWhat, unsupportedContextAdvice, commandNotStarted, commandNotStartedWhat
    case commandNotStartedAdvice, commandFailed, commandFailedWhat, commandKilled, commandKilledWhat, unreadableFile
    case unreadableFileWhat, unreadableFileAdvice, noVariable, noVariableWhat, noVariableAdvice, badKey, badKeyWhat
    case badKeyAdvice, fetchCancelled, statusLogin, statusPath, statusQuota, statusServer
    case statusMethod

    // MARK: What is wrong with a token
    case noJWT, noJWTWhat, noJWTAdvice, tokenTooLong, tokenTooLongWhat, tokenTooLongAdvice, opaqueAdvice, notSigned
    case notSignedWhat, notSignedAdvice, noEnd, noEndWhat, noEndAdvice, expMilliseconds, expMillisecondsWhat
    case expMillisecondsAdvice, expiredWhat, expiredAdvice, tooShort, tooShortWhat, tooShortAdvice, livesTooLong
    case endsTooFar, endsTooFarWhat, endsTooFarAdvice, nearlyOverWhat, nearlyOverAdvice, shortLivedWhat
    case shortLivedAdvice, wrongUnitIgnored
    case livesTooLongWhat, livesTooLongAdvice, issuedInFuture, issuedInFutureWhat, issuedInFutureAdvice
    case wrongAudience, wrongAudienceWhat, wrongAudienceAdvice, noAuthorization, noAuthorizationWhat
    case noAuthorizationAdvice, boundToAnother, boundToAnotherWhat, boundToAnotherAdvice, driversToken
    case driversTokenAdvice, tooBroad, tooBroadWhat, tooBroadAdvice, sameAgain, sameAgainWhat, sameAgainAdvice
    case bearerPrefix, bearerPrefixWhat, bearerPrefixAdvice, wrongUnit, wrongUnitWhat, wrongUnitAdvice
    case mistypedTime, mistypedTimeWhat, mistypedTimeAdvice

    // MARK: What is odd about a token
    case twoEnds, twoEndsWhat, opaque, opaqueWhat, endAssumed, endAssumedWhat, clocksDiffer, clockBehind, clockAhead
    case setClock, notRS256, notRS256What, wildcard, wildcardWhat, fileOpen, fileOpenWhat, fileOpenAdvice
    case noEndKey, noEndKeyWhat, noEndKeyAdvice

    // MARK: The table of trips
    case noTripHolds, tripsWith, columnStatus, columnNext, columnAge, columnPoll, columnToGo, columnFailed
    case columnFound, tripCount, tripsShown, orderedBy, orderedReversed, orderGiven, orderName, orderStatus
    case orderArrival, orderAge, orderErrors, atPickup, atDropoff, atStop, atWaypoint, shortPickup, shortDropoff
    case shortStop, askingShort, noneShort, endedShort

    // MARK: The view of the token
    case now, factIssued, factRefresh, factEnds, factNextTry, tokenNumberAlso, fingerprintAlso, clockAheadAlso
    case clockBehindAlso, noRuleBroken, rulesBroken, claimsTitle, noTokenLookedAt, fetchesTitle, slowest
    case noneOverYet, columnOverAt, columnGoodUntil, columnWhy, columnTook, stored, whyNeeded, whyAhead, whyRejected
    case whyRequested, whyRetry, diagramNone, diagramFetching, diagramGood, diagramRefreshing, diagramOverdue
    case diagramExpired, diagramFailing, diagramDenied, diagramRefused, diagramClosed

    // MARK: The view of the network
    case latency, maximum, noCallYet, calls, callsGood, callsFailed, callsStatus, callsBytes, callsEach, callsLast
    case callsNext, callsEvery, raisedAllowed, loweredAllowed, failuresInARow, callsClock, clockAsOurs
    case clockFromOurs, errorsTitle, errorsIfTheyCome, errorsElse, codeNone, error400, error400Remedy, error401
    case error401Remedy, error403, error403Remedy, error404, error404Remedy, error429, error429Remedy, error503
    case error503Remedy, error504, error504Remedy, errorNone, errorNoneRemedy

    // MARK: The view of the answer
    case changesTitle, lastAnswer, lastGoodAnswer, nothingChanged, changes, matchesWith, noAnswerYet, answerNotJSON
    case bodyCut, bodyCutUnreadable
    case pollChangedNothing, answerEmpty, wasBefore, items, itemsNotShown, members

    // MARK: The presenter's view
    case yourRide, bigConnecting, bigWaiting, bigToPickup, bigAtPickup, bigToStop, bigAtStop, bigToDropoff
    case bigComplete, bigCanceled, bigUnknown, arrivedAt, atClock, untilPickup, untilDropoff, untilStop
    case untilWaypoint, latePickup, lateDropoff, lateStop, lateWaypoint, noNews, presenterPaused, presenterLeft
    case positionOldSentence, promiseLater, promiseEarlier, promiseKept

    // MARK: The help
    case helpTitle, helpInThisView, helpEverywhere, helpCloses, signVehicle, signEstimate, signPickup, signDropoff
    case signStop, lineSolid, lineSolidMeaning, lineDashed, lineDashedMeaning, lineShort, lineShortMeaning
    case lineDotted, lineDottedMeaning, lineDim, lineDimMeaning, helpTimes, helpTimesFirst, helpTimesSecond

    // MARK: What is typed along the bottom
    case promptFilter, promptSearch, commandsTitle, tabCompletes, moreCommands, paletteView, paletteTrip
    case paletteWatch, paletteLeave, leaveQuestion, palettePicture, paletteInterval, paletteTheme, paletteGlyphs,
        paletteMouse
    case paletteBasemap, readingBasemap, pictureSaved, paletteFind, noCommand, needsArgument, noView, noSuchTripFollowed
    case otherProject
    case intervalTakes, noTheme, noGlyphs, mouseTakes, mouseOurs, mouseTerminals, themeNow, pastedNoTrip

    // MARK: Keys that work everywhere
    case keyQuit, helpQuit, keyHelp, helpHelp, keyViews, helpViews, keyCommand, helpCommand, keyNextView
    case helpNextView, keyPreviousView, helpPreviousView, keyBack, helpBack, keyPause, keyGoOn, helpPause
    case keyPollNow, helpPollNow, keySlower, helpSlower, keyFaster, helpFaster, keyNewToken, helpNewToken, keyMouse
    case helpMouse, keyPresenter, helpPresenter, keyTheme, helpTheme, keyNextTrip, helpNextTrip, keyPreviousTrip
    case helpPreviousTrip, keyLeave, helpLeave
    case keyHoldRide, helpHoldRide, keyStepRide, helpStepRide, keyNextStage, helpNextStage, keyRideSlower
    case helpRideSlower, keyRideFaster, helpRideFaster, paletteScenario, paletteRestart, noScenario

    // MARK: Keys of the views
    case keyFollow, helpFollow, keyFit, helpFit, keyZoomIn, helpZoomIn, keyZoomOut, helpZoomOut, keyMoveMap
    case helpMoveMap, keyBigMap, helpBigMap, keyArrival, helpArrival, keyEvents, helpEvents, keyNewerEvents
    case helpNewerEvents, keyNewestEvents, helpNewestEvents, keyOpen, helpOpen, keyChoose, helpChoose, keyPage
    case helpPageTrips, keyOrder, helpOrder
    case keyReverse, helpReverse, keyFilter, helpFilter, keyScroll, helpScroll, keyMove, helpMove, helpPageAnswer
    case helpFold, keyChanges, helpChanges, keySearch, helpSearch, keyNextMatch, helpNextMatch, keyPreviousMatch
    case helpPreviousMatch, helpScrollLog, helpPageLog, keyNewest, helpNewest

    // MARK: The view of the findings
    case findingsNone, findingErrors, findingWarnings, findingNotes, findingTimes, shiftLater, shiftEarlier

    // MARK: What is not as it should be
    case statusWentBack, statusWentBackWhat, changedAfterEnd, changedAfterEndWhat, statusSkipped, statusSkippedWhat
    case stopsSkipped, stopsSkippedWhat, vehicleMissing, vehicleMissingWhat, waypointsMissing, waypointsMissingWhat
    case otherTripFirst, otherTripFirstWhat, unknownValue, unknownValueWhat, providerDiffers, providerDiffersWhat
    case listsTooLong, listsTooLongWhat
    case findingOverdue, findingOverdueWhat, arrivalJumped, arrivalJumpedWhat, arrivalSlides, arrivalSlidesWhat
    case arrivalAfterEnd, arrivalAfterEndWhat, distanceGrew, distanceGrewWhat, rerouted, reroutedWhat, reroutedWay
    case reroutedShift, distanceDiffers, distanceDiffersWhat, pickupTimeMoves, pickupTimeMovesWhat
    case dropoffBeforePickup, dropoffBeforePickupWhat, farFromPlan, farFromPlanPickup, farFromPlanDropoff
    case impossibleSpeed, impossibleSpeedWhat, positionGap, positionGapWhat, positionStale, positionStaleWhat
    case standsStill, standsStillWhat, offRoute, offRouteWhat, deviceClockAhead, deviceClockAheadWhat, positionLate
    case positionLateWhat, answerOutdated, answerOutdatedWhat, pollsOverlap, pollsOverlapWhat, noBackOff
    case noBackOffWhat, findingClocks, findingClocksWhat, tokenForAnother, tokenForAnotherWhat, tokenTooShortLived
    case tokenTooShortLivedWhat, tokenRefetched, tokenRefetchedWhat, adviceBackend, adviceDeviceClock, adviceDevice
    case adviceProvider, adviceClock, adviceEndpoint, adviceLifetime, adviceCache
}
