/// The key of a text in `Assets/Strings`.
///
/// The files have these keys and those of ``FleetTokens/TokenSentence/Key``; the texts that depend on a number have them
/// with the endings `_one` and `_other`.
package enum StringKey: String, Sendable, CaseIterable {
    // MARK: Numbers
    case languageInEnglish, decimalPoint, listComma, clauseComma, fullStop, sentenceAndAdvice, seconds, minutes
    case minutesSeconds, hours, hoursMinutes, days, countdownAhead, countdownNow, countdownOverdue, kilometers, meters
    case miles, feet, kilometersPerHour, milesPerHour, compass, notKnown, nothingKnownYet

    // MARK: The status of a trip
    case statusNothingKnown, statusWaitingForDriver, statusAssigned, statusServesOtherFirst, statusToPickup
    case statusAtPickup, statusToStop, statusToStopOf, statusAtStop, statusAtStopOf, statusToDropoff, statusDetour
    case statusComplete, statusCanceled, statusNone, statusNoneAdvice, statusUnrecognized

    // MARK: The steps of a trip
    case stepRequested, stepToPickup, stepAtPickup, stepToStop, stepToStopNumber, stepAtStop, stepAtStopNumber
    case stepToDropoff, stepComplete, stepCanceled, stepNoStatus, stepNotSeen

    // MARK: Places and arrivals
    case pickup, dropoff, stop, stopNumber, waypoint, oldPosition, vehicle, arrival, summary, distance, distanceToGo
    case position, positionOld, positionAlsoMeasured, positionMeasured, moves, ahead, waypoints, waypointsForeign
    case wasAt, hereFor, since, promised, within, offRouteRow, trend, cameAt, waited, ride, notReached, asked, times
    case failedAlso, tokens, fetches

    // MARK: How far to trust it
    case connectionComplete, connectionEnded, connectionCanceled, connectionGivenUp, connectionLeft, connectionPaused
    case connectionConnecting, connectionNoSuchTrip, connectionNoToken, connectionRetrying, connectionStale
    case connectionLive, connectionsLive, connectionNoAnswer, stalePaused, stalePolling, staleServer, staleDriver
    case staleLate, staleClock

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
    case polling, polls, every, raisedFrom, loweredFrom, failed, latencies, askingFirst, notAskedYet, noTokenToAskWith
    case inARowAlso, answer, tookTime, nobodyAsks, askingNow, askingFor, nextPollNotKnown, pausedPolls, spaceGoesOn
    case nextPoll, reasonNoVehicle, reasonWaiting, reasonConfirming, reasonNewToken, reasonBackOff, reasonRetryAfter
    case reasonQuota, poll, leftAlso

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
    case tokenRequested, tokenRefreshed, tokenReceived, goodUntil, afterFailure, tokenRefused, tokenRepeated
    case tokenTooLate, clocksAgree, tokenEvicted, tripSubject

    // MARK: What keeps an answer from us
    case asksOn, tryAgain, webPage, webPageWhat, webPageTitled, webPageAdvice, redirected, redirectedWhat
    case redirectedAdvice, unreadable, unreadableWhat, unreadableAdvice, unreadableAdviceFinal, otherTrip
    case otherTripWhat, otherTripAdvice, badURL, badURLWhat, badURLAdvice, refused, refusedWhat, refusedAdvice
    case refusedAdviceFinal, unknownHost, unknownHostWhat, unknownHostAdvice, unknownHostAdviceFinal, tls, tlsWhat
    case tlsAdvice, timedOut, timedOutWhat, timedOutAdvice, timedOutAdviceFinal, lost, lostWhat, cutOff, cutOffWhat
    case tooLarge, tooLargeWhat, tooLargeAdvice, notHTTP, notHTTPWhat, notHTTPAdvice, cancelled, cancelledWhat
    case connectionFailed, connectionFailedWhat, badProxy, badProxyWhat, badProxyAdvice, noProxyWhat

    // MARK: What the service answers instead
    case serviceShort, errorWord, saidDetail, becauseDetail, badRequestWhat, badRequestAdvice, unauthorizedWhat
    case unauthorizedAdvice, forbiddenWhat, forbiddenScope, forbiddenAPI, forbiddenAdvice, notFoundWhat
    case notFoundAdvice, quotaWhat, quotaWait, quotaAdvice, deadlineWhat, unavailableWhat, otherStatusWhat
    case otherStatusAdvice, notAURL, notAURLWhat, notAURLAdvice, notEncrypted, insecureWhat, insecureAdvice

    // MARK: Names that can't be
    case nounTrip, nounVehicle, nounProvider, noID, noIDWhat, noIDAdvice, idEmpty, idTooLong, idForbidden, idSegment

    // MARK: What keeps a token from us
    case badHeader, badHeaderWhat, badHeaderAdvice, checkTokenSource, retriedAlone, checkTokenURL, runByHand
    case noContext, noContextWhat, noContextAdvice, noTokenFor, deniedToken, deniedTokenWhat, deniedTokenAdvice
    case unusableToken, newTokenRefused, newTokenRefusedWhat, newTokenRefusedAdvice, livesTooShort, livesTooShortWhat
    case livesTooShortAdvice, cacheFull, cacheFullWhat, cacheFullAdvice, manyWaiters, manyWaitersWhat, waitCancelled
    case providerClosed, notReachable, notReachableWhat, notReachableAdvice, notReachableAdviceFinal
    case sourceTimedOutWhat, httpStatus, refusedStatusWhat, refusedStatusWait, tokenRedirectedWhat
    case tokenRedirectedAdvice, html, htmlWhat, htmlAdvice, notJSON, notJSONWhat, noKey, noKeyWhat, noKeyAdvice
    case wrongType, wrongTypeWhat, wrongTypeAdvice, emptyAnswer, emptyAnswerWhat, emptyAnswerAdvice, tokenTooLarge
    case tokenTooLargeWhat, badTokenURLWhat, insecureTokenWhat, wrongKind, unsupportedContextWhat
    case unsupportedContextAdvice, commandNotStarted, commandNotStartedWhat, commandNotStartedAdvice, commandFailed
    case commandFailedWhat, commandKilled, commandKilledWhat, unreadableFile, unreadableFileWhat, unreadableFileAdvice
    case noVariable, noVariableWhat, noVariableAdvice, badKey, badKeyWhat, badKeyAdvice, fetchCancelled, statusLogin
    case statusPath, statusQuota, statusQuotaFinal, statusServer, statusServerFinal, statusMethod

    // MARK: What is wrong with a token
    case noJWT, noJWTWhat, noJWTAdvice, tokenTooLong, tokenTooLongWhat, tokenTooLongAdvice, opaqueAdvice, notSigned
    case notSignedWhat, notSignedAdvice, noEnd, noEndWhat, noEndAdvice, expMilliseconds, expMillisecondsWhat
    case expMillisecondsAdvice, expiredWhat, expiredAdvice, tooShort, tooShortWhat, tooShortAdvice, livesTooLong
    case endsTooFar, endsTooFarWhat, endsTooFarAdvice, nearlyOverWhat, nearlyOverAdvice, shortLivedWhat
    case shortLivedAdvice, wrongUnitIgnored, livesTooLongWhat, livesTooLongAdvice, issuedInFuture, issuedInFutureWhat
    case issuedInFutureAdvice, wrongAudience, wrongAudienceWhat, wrongAudienceAdvice, noAuthorization
    case noAuthorizationWhat, noAuthorizationAdvice, boundToAnother, boundToAnotherWhat, boundToAnotherAdvice
    case driversToken, driversTokenAdvice, tooBroad, tooBroadWhat, tooBroadAdvice, sameAgain, sameAgainWhat
    case sameAgainAdvice, bearerPrefix, bearerPrefixWhat, bearerPrefixAdvice, wrongUnit, wrongUnitWhat
    case wrongUnitAdvice, mistypedTime, mistypedTimeWhat, mistypedTimeAdvice

    // MARK: What is odd about a token
    case twoEnds, twoEndsWhat, opaque, opaqueWhat, endAssumed, endAssumedWhat, clocksDiffer, clockBehind, clockAhead
    case setClock, notRS256, notRS256What, wildcard, wildcardWhat, fileOpen, fileOpenWhat, fileOpenAdvice, noEndKey
    case noEndKeyWhat, noEndKeyAdvice

    // MARK: The table of trips
    case noTripHolds, tripsWith, columnStatus, columnNext, columnAge, columnPoll, columnToGo, columnFailed
    case columnFound, tripCount, tripsShown, orderedBy, orderedReversed, orderGiven, orderName, orderStatus
    case orderArrival, orderAge, orderErrors, atPickup, atDropoff, atStop, atWaypoint, shortPickup, shortDropoff
    case shortStop, askingShort, noneShort, endedShort

    // MARK: The view of the token
    case now, factIssued, factRefresh, factEnds, factNextTry, tokenNumberAlso, fingerprintAlso, clockAheadAlso
    case clockBehindAlso, noRuleBroken, rulesBroken, claimsTitle, noTokenLookedAt, fetchesTitle, slowest, noneOverYet
    case columnOverAt, columnGoodUntil, columnWhy, columnTook, stored, whyNeeded, whyAhead, whyRejected, whyRequested
    case whyRetry, diagramNone, diagramFetching, diagramGood, diagramRefreshing, diagramOverdue, diagramExpired
    case diagramFailing, diagramDenied, diagramRefused, diagramClosed

    // MARK: The view of the network
    case latency, maximum, noCallYet, calls, callsGood, callsFailed, callsStatus, callsBytes, callsEach, callsLast
    case callsNext, callsEvery, raisedAllowed, loweredAllowed, failuresInARow, callsClock, clockAsOurs, clockFromOurs
    case errorsTitle, errorsIfTheyCome, errorsElse, codeNone, error400, error400Remedy, error401, error401Remedy
    case error403, error403Remedy, error404, error404Remedy, error429, error429Remedy, error503, error503Remedy
    case error504, error504Remedy, errorNone, errorNoneRemedy

    // MARK: The view of the answer
    case changesTitle, lastAnswer, lastGoodAnswer, nothingChanged, changes, matchesWith, noAnswerYet, answerNotJSON
    case bodyCut, bodyCutUnreadable, pollChangedNothing, answerEmpty, wasBefore, items, itemsNotShown, members

    // MARK: The presenter's view
    case yourRide, bigConnecting, bigWaiting, bigToPickup, bigAtPickup, bigToStop, bigAtStop, bigToDropoff
    case bigComplete, bigCanceled, bigUnknown, arrivedAt, atClock, untilPickup, untilDropoff, untilStop, untilWaypoint
    case latePickup, lateDropoff, lateStop, lateWaypoint, noNews, presenterPaused, presenterLeft, positionOldSentence
    case promiseLater, promiseEarlier, promiseKept

    // MARK: The help
    case helpTitle, helpInThisView, helpEverywhere, helpCloses, signVehicle, signEstimate, signPickup, signDropoff
    case signStop, lineSolid, lineSolidMeaning, lineDashed, lineDashedMeaning, lineShort, lineShortMeaning, lineDotted
    case lineDottedMeaning, lineDim, lineDimMeaning, helpTimes, helpTimesFirst, helpTimesSecond

    // MARK: What is typed along the bottom
    case promptFilter, promptSearch, commandsTitle, tabCompletes, moreCommands, paletteView, paletteTrip, paletteWatch
    case paletteLeave, leaveQuestion, palettePicture, paletteInterval, paletteTheme, paletteGlyphs, paletteMouse
    case paletteBasemap, readingBasemap, pictureSaved, paletteFind, noCommand, needsArgument, noView
    case noSuchTripFollowed, otherProject, intervalTakes, noTheme, noGlyphs, mouseTakes, mouseOurs, mouseTerminals
    case themeNow, pastedNoTrip

    // MARK: Keys that work everywhere
    case keyQuit, helpQuit, keyHelp, helpHelp, keyViews, helpViews, keyCommand, helpCommand, keyNextView, helpNextView
    case keyPreviousView, helpPreviousView, keyBack, helpBack, keyPause, keyGoOn, helpPause, keyPollNow, helpPollNow
    case keySlower, helpSlower, keyFaster, helpFaster, keyNewToken, helpNewToken, keyMouse, helpMouse, keyPresenter
    case helpPresenter, keyTheme, helpTheme, keyNextTrip, helpNextTrip, keyPreviousTrip, helpPreviousTrip, keyLeave
    case helpLeave, keyHoldRide, helpHoldRide, keyStepRide, helpStepRide, keyNextStage, helpNextStage, keyRideSlower
    case helpRideSlower, keyRideFaster, helpRideFaster, paletteScenario, paletteRestart, noScenario

    // MARK: Keys of the views
    case keyFollow, helpFollow, keyFit, helpFit, keyZoomIn, helpZoomIn, keyZoomOut, helpZoomOut, keyMoveMap
    case helpMoveMap, keyBigMap, helpBigMap, keyArrival, helpArrival, keyEvents, helpEvents, keyNewerEvents
    case helpNewerEvents, keyNewestEvents, helpNewestEvents, keyOpen, helpOpen, keyChoose, helpChoose, keyPage
    case helpPageTrips, keyOrder, helpOrder, keyReverse, helpReverse, keyFilter, helpFilter, keyScroll, helpScroll
    case keyMove, helpMove, helpPageAnswer, helpFold, keyChanges, helpChanges, keySearch, helpSearch, keyNextMatch
    case helpNextMatch, keyPreviousMatch, helpPreviousMatch, helpScrollLog, helpPageLog, keyNewest, helpNewest

    // MARK: The view of the findings
    case findingsNone, findingErrors, findingWarnings, findingNotes, findingTimes, shiftLater, shiftEarlier

    // MARK: What is not as it should be
    case statusWentBack, statusWentBackWhat, changedAfterEnd, changedAfterEndWhat, statusSkipped, statusSkippedWhat
    case stopsSkipped, stopsSkippedWhat, vehicleMissing, vehicleMissingWhat, waypointsMissing, waypointsMissingWhat
    case otherTripFirst, otherTripFirstWhat, unknownValue, unknownValueWhat, providerDiffers, providerDiffersWhat
    case listsTooLong, listsTooLongWhat, findingOverdue, findingOverdueWhat, arrivalJumped, arrivalJumpedWhat
    case arrivalSlides, arrivalSlidesWhat, arrivalAfterEnd, arrivalAfterEndWhat, distanceGrew, distanceGrewWhat
    case rerouted, reroutedWhat, reroutedWay, reroutedShift, distanceDiffers, distanceDiffersWhat, pickupTimeMoves
    case pickupTimeMovesWhat, dropoffBeforePickup, dropoffBeforePickupWhat, farFromPlan, farFromPlanPickup
    case farFromPlanDropoff, impossibleSpeed, impossibleSpeedWhat, positionGap, positionGapWhat, positionStale
    case positionStaleWhat, standsStill, standsStillWhat, offRoute, offRouteWhat, deviceClockAhead
    case deviceClockAheadWhat, positionLate, positionLateWhat, answerOutdated, answerOutdatedWhat, pollsOverlap
    case pollsOverlapWhat, noBackOff, noBackOffWhat, findingClocks, findingClocksWhat, tokenForAnother
    case tokenForAnotherWhat, tokenTooShortLived, tokenTooShortLivedWhat, tokenRefetched, tokenRefetchedWhat
    case adviceBackend, adviceDeviceClock, adviceDevice, adviceProvider, adviceClock, adviceEndpoint, adviceLifetime
    case adviceCache
}
