/// The key of a text in `Assets/Strings`.
///
/// The files contain these keys and those of ``CommandKey``, ``FindingTexts`` and ``FleetTokens/TokenSentence/Key``. Keys of
/// texts that depend on a number have the suffixes `_one` and `_other`; those that differ for shipments have texts with `_shipment`, too.
package enum StringKey: String, Sendable, CaseIterable {
    // MARK: Numbers
    case languageInEnglish, decimalPoint, quotationMarks, listComma, clauseComma, fullStop, sentenceAndAdvice, seconds
    case minutes
    case minutesSeconds, hours, hoursMinutes, days, countdownAhead, countdownNow, countdownOverdue, kilometers, meters
    case miles, feet, kilometersPerHour, milesPerHour, compass
    case positionVehicle, positionBeforePickup, positionBeforeStop, positionBeforeDropoff, positionBeforeOther
    case positionHeading, positionHeadingOn, positionOn, positionStands, positionStandsOn, positionAged
    case directionNorth, directionNortheast, directionEast, directionSoutheast, directionSouth, directionSouthwest
    case directionWest, directionNorthwest, notKnown, nothingKnownYet

    // MARK: Trip status
    case statusNothingKnown, statusWaitingForDriver, statusAssigned, statusServesOtherFirst, statusToPickup
    case statusAtPickup, statusToStop, statusToStopOf, statusAtStop, statusAtStopOf, statusToDropoff, statusDetour
    case statusComplete, statusCanceled, statusShipmentOpen, statusShipmentStops, statusShipmentNext, statusShipmentHere
    case statusShipmentUnderWay, statusShipmentSucceeded, statusShipmentFailed, statusShipmentClosed, statusNone,
        statusNoneAdvice, statusUnrecognized

    // MARK: Timeline
    case stepRequested, stepToPickup, stepAtPickup, stepToStop, stepToStopNumber, stepAtStop, stepAtStopNumber
    case stepToDropoff, stepComplete, stepCanceled, stepOpen, stepSucceeded, stepFailed, stepClosed, stepNoStatus,
        stepNotSeen

    // MARK: Places and arrivals
    case pickup, dropoff, stopsLeft, stopsBefore, stopsNone, timeWindow, timeWindowSpan, timeWindowMissed
    case notShown, notShownWhy, hiddenVehicle, hiddenRoute, hiddenStops, hiddenDistance, hiddenArrival
    case hiddenCompletion, doneBy, stop, stopNumber, waypoint, oldPosition, oldPositionAge, vehicle, arrival, summary,
        distance,
        distanceToGo
    case position, positionOld, positionAlsoMeasured, positionMeasured, moves, ahead, waypoints, waypointsForeign
    case wasAt, hereFor, since, promised, within, offRouteRow, trend, cameAt, waited, ride, notReached, asked, times
    case failedAlso, tokens, fetches

    // MARK: Connection and position age
    case connectionComplete, connectionEnded, connectionCanceled, connectionSucceeded, connectionAttemptFailed,
        connectionGivenUp, connectionLeft, connectionPaused
    case connectionConnecting, connectionNoSuchTrip, connectionNoToken, connectionRetrying, connectionStale
    case connectionLive, connectionReplay, connectionPast, connectionHeld, connectionsLive, connectionNoAnswer,
        stalePaused, stalePolling, staleCache, staleServer
    case staleDriver, staleLate, staleClock

    // MARK: Screen layout
    case viewTrip, viewTrips, viewToken, viewNetwork, viewInspector, viewFindings, viewLog, tripOf, frozenAt
    case makingKeys, givenUp, askingForTrip, noTripFollowed, tooSmall, needsSize, map, mapFollowing, mapMoved,
        mapReports
    case nothingOnMap, jamAhead, slowAhead, timeline, forSoFar, events, newerBelow, eventCount, eventsShown, logWith
    case nothingHappened, noEventHolds, linesAbove, linesBelow, moreLines

    // MARK: Clock differences
    case setOneClock, setEndpointClock, setServiceClock, endpointAloneBehind, endpointAloneAhead, serviceAloneBehind
    case serviceAloneAhead, clockHereBehind, clockHereAhead

    // MARK: Parties at fault
    case atFault, partyTokenEndpoint, partyServiceAccount, partyClockHere, partyEndpointClock, partyServiceClock
    case partyServiceConfiguration, partyService, partyNetwork, partyCommandLine
    case partyInjectedFault, injectedBlame, injectedAdvice, injectedShort, injectedWhat, injectedUnsent
    case clockInjectedAhead, clockInjectedBehind, findingInjected, callInjected, callsHeldBack
    case partyGateway, probably, probablyBecause, either, eitherBecause, eitherOr, suspectBecause, tellApart,
        becauseChallenge
    case fixChallenge, becauseSignIn, fixSignIn, becauseProxyAnswered, fixProxyAnswered
    case becauseProxyBetween, becauseCaptivePortal
    case fixCaptivePortal, becauseDeadUpstream, fixDeadUpstream, fixDeadUpstreamFinal, becauseGatewayAnswered,
        fixGatewayAnswered
    case becauseWebPage, becauseCached, becauseOtherAddress, becauseEndpointFailed, becauseLoginWanted, becauseDenied
    case becauseSessionExpected, fixSessionExpected, becauseRequestRefused, becauseAddressUnknown
    case becauseErrorInAnswer, becauseLimited, becauseBrokenAnswer, fixBrokenAnswer, becauseNothingListens
    case becauseNoAnswerInTime, becauseNameUnknown, becauseCertificate, becauseConnectionEnded, becauseWorkedBefore
    case becauseStopped, fixStopped, fixStoppedFinal, becauseAcceptedBefore, fixAcceptedBefore, becauseServiceStopped
    case fixServiceStopped, fixServiceStoppedFinal, becauseServiceFailed, becauseMayNotExist, becauseMayLackRole
    case becauseOtherProject, becauseOthersAgree, becauseRarelyWrong, becauseOnlyTwoClocks, becauseAheadOfAnswer

    // MARK: Token panel
    case noTokenAskedFor, readByServerToken, timeLeft, inARow, nextTryIn, refreshIn, refreshDue
    case endsAt, endedAt
    case endNotKnown, lastTook, tokenNone, tokenFetching, tokenGood, tokenRefreshing, tokenStale, tokenExpired
    case tokenExpiredUnneeded, tokenFailing, tokenDenied, tokenInvalidated, tokenClosed

    // MARK: Polling panel
    case polling, polls, every, raisedFrom, loweredFrom, failed, askingFirst, notAskedYet, noTokenToAskWith
    case inARowAlso, answer, tookTime, pollingEnded, askingNow, askingFor, nextPollNotKnown, pausedPolls, spaceGoesOn
    case nextPoll, reasonNoVehicle, reasonNextAttempt, reasonWaiting, reasonConfirming, reasonNewToken, reasonBackOff,
        reasonRetryAfter
    case reasonQuota, poll, leftAlso

    // MARK: Error details
    case causeAndSymptom, refusalSaid, omittedNews, omittedPolls, oauthToken, oauthTokenWhat, idToken, idTokenWhat
    case apiKey, apiKeyWhat, sessionCookie, sessionCookieWhat, firebaseToken, firebaseTokenWhat, oauthAssertion
    case oauthAssertionWhat, otherCredentialAdvice, misspeltClaim, misspeltClaimWhat
    case misspeltClaimAdvice, noKeyKnownWhat, tokenNames, rejectedTitle, rejectedUnused, rejectedByService, lastRejected
    case endpointAnswer, endpointBodyEmpty, requestTitle, keyCopy, helpCopy, copied, findingsNotFollowed
    case findingsNoAnswer, missingPosition, missingRoute, missingArrival

    // MARK: Trip events
    case expectedAt, answersAgain, arrivalLater, arrivalEarlier, anotherVehicle, positionFreshAgain, positionIsOld
    case followedNoMore, givenUpForGood, pausedNews, askingAgain, intervalRaised, intervalLowered, askingEvery
    case endComplete, endCanceled, endOther, endLeft

    // MARK: Token events
    case tokenRequested, tokenRefreshed, tokenReceived, goodUntil, afterFailure, tokenRefused, tokenRepeated
    case tokenTooLate, clocksAgree, tokenEvicted, tripSubject

    // MARK: Poll failures
    case asksOn, tryAgain, webPage, webPageWhat, webPageTitled, webPageAdvice, redirected, redirectedWhat
    case redirectedAdvice, unreadable, unreadableWhat, unreadableAdvice, unreadableAdviceFinal, otherTrip
    case otherTripWhat, otherTripAdvice, otherAnswererAdvice, otherAnswererAdviceFinal
    case badURL, badURLWhat, badURLAdvice, refused, refusedWhat, refusedAdvice
    case refusedAdviceFinal, unknownHost, unknownHostWhat, unknownHostAdvice, unknownHostAdviceFinal, tls, tlsWhat
    case tlsAdvice, timedOut, timedOutWhat, timedOutAdvice, timedOutAdviceFinal, lost, lostWhat, cutOff, cutOffWhat
    case tooLarge, tooLargeWhat, tooLargeAdvice, notHTTP, notHTTPWhat, notHTTPAdvice, cancelled, cancelledWhat
    case connectionFailed, connectionFailedWhat, badProxy, badProxyWhat, badProxyAdvice, noProxyWhat
    case proxyAnsweredWhat, proxyBetweenWhat, sourceProxyAnsweredWhat, sourceProxyBetweenWhat

    // MARK: Error responses
    case serviceShort, errorWord, saidDetail, becauseDetail, cachedDetail, cachedAdvice, badRequestWhat,
        badRequestAdvice, unauthorizedWhat
    case unauthorizedAdvice, forbiddenWhat, forbiddenScope, forbiddenAPI, forbiddenProject
    case forbiddenUnknownProject, forbiddenQuotaProject, forbiddenQuotaRole, foreignRefusalWhat, foreignRefusalAdvice,
        tripGoneWhat, tripGoneAdvice
    case forbiddenAdvice
    case searchRejectedWhat, searchForbiddenWhat, searchForbiddenAdvice, projectSubject, notFoundWhat
    case notFoundAdvice, quotaWhat, quotaWait, quotaAdvice, deadlineWhat, unavailableWhat, otherStatusWhat
    case otherStatusAdvice, notModifiedAdvice, notAURL, notAURLWhat, notAURLAdvice, notEncrypted, insecureWhat
    case insecureAdvice

    // MARK: Invalid IDs
    case nounTrip, nounVehicle, nounShipment, nounTask, nounDeliveryVehicle, nounServer, nounProvider, noID, noIDWhat,
        noIDAdvice, idEmpty, idTooLong, idForbidden, idSegment

    // MARK: Token failures
    case badHeader, badHeaderWhat, badHeaderAdvice, checkTokenSource, retriedAlone, checkTokenURL, runByHand
    case noContext, noContextWhat, noContextAdvice, noTokenFor, deniedToken, deniedTokenWhat, deniedTokenAdvice
    case unusableToken, newTokenRefused, newTokenRefusedWhat, newTokenRefusedAdvice, livesTooShort, livesTooShortWhat
    case livesTooShortAdvice, cacheFull, cacheFullWhat, cacheFullAdvice, manyWaiters, manyWaitersWhat, waitCancelled
    case providerClosed, notReachable, notReachableWhat, brokenAnswer, brokenAnswerWhat, notReachableAdvice,
        notReachableAdviceFinal
    case tokenNetworkAdvice, tokenNetworkAdviceFinal
    case sourceTimedOutWhat, httpStatus, refusedStatusWhat, refusedStatusWait, tokenRedirectedWhat
    case tokenRedirectedAdvice, html, htmlWhat, htmlAdvice, notJSON, notJSONWhat, noKey, noKeyWhat, noKeyAdvice
    case sourceChangedAdvice
    case encodedJSON, encodedJSONWhat, encodedKeyWhat, encodedJSONAdvice
    case wrongType, wrongTypeWhat, wrongTypeAdvice, emptyAnswer, emptyAnswerWhat, emptyAnswerAdvice, tokenTooLarge
    case tokenTooLargeWhat, badTokenURLWhat, insecureTokenWhat, wrongKind, unsupportedContextWhat
    case unsupportedContextAdvice, commandNotStarted, commandNotStartedWhat, commandNotStartedAdvice, commandFailed
    case commandFailedWhat, commandKilled, commandKilledWhat, unreadableFile, unreadableFileWhat, unreadableFileAdvice
    case noVariable, noVariableWhat, noVariableAdvice, badKey, badKeyWhat, badKeyAdvice, fetchCancelled, statusLogin
    case statusPath, statusQuota, statusQuotaFinal, statusServer, statusServerFinal, statusMethod

    // MARK: Credentials
    case credentialsUnusable, credentialsRefused, signingRefused, subjectUnusable, metadataFailed
    case credentialFileMissingWhat, credentialFileMissingAdvice, credentialVariableFormWhat
    case credentialVariableFormAdvice, credentialFormJSON, credentialFormQuoted, credentialFileUnreadableWhat
    case credentialFileUnreadableAdvice, credentialFileMalformedWhat, credentialFileAdvice, credentialReasonPage
    case credentialReasonBase64, credentialReasonEmpty, credentialReasonNoObject, credentialClientFileWhat
    case credentialClientFileAdvice, credentialUnknownTypeWhat, credentialUnknownTypeAdvice, credentialIncompleteWhat
    case credentialBadKeyWhat, credentialBadKeyAdvice, credentialReasonKeyID, credentialReasonNoRSA
    case credentialReasonNoPEM, credentialInsecureURLWhat, credentialInsecureURLAdvice, credentialsNotFoundWhat
    case credentialsNotFoundAdvice, grantSignatureWhat, grantSignatureAdvice, grantAccountWhat, grantAccountAdvice
    case grantClockWhat, grantClockAdvice, grantScopeWhat, grantScopeAdvice, grantSessionWhat, grantRevokedWhat
    case loginAgainAdvice, grantClientWhat, grantRefusedWhat, grantRefusedAdvice, noAccessTokenWhat
    case noAccessTokenAdvice, googleFailedWhat, iamDeniedWhat, iamDeniedAdvice, iamDelegationWhat, iamDelegationAdvice
    case iamDisabledWhat, iamDisabledAdvice, iamRefusedWhat, iamRefusedAdvice, signerUnnamedWhat, signerUnnamedAdvice
    case metadataDownWhat, metadataDownAdvice, metadataNoAccountWhat, metadataNoAccountAdvice, metadataForbiddenWhat
    case metadataForbiddenAdvice, metadataScopesWhat, metadataScopesAdvice, metadataForeignWhat, metadataForeignAdvice
    case metadataHostWhat, metadataHostAdvice, exchangeAudienceWhat, exchangeAudienceAdvice, exchangeConditionWhat
    case exchangeConditionAdvice, subjectStaleWhat, subjectStaleAdvice, exchangeRefusedWhat, exchangeRefusedAdvice
    case subjectUnreadableWhat, subjectUnreadableAdvice, executableForbiddenWhat, executableForbiddenAdvice
    case executableFailedWhat, awsMissingWhat, awsMissingAdvice

    // MARK: Token faults
    case noJWT, noJWTWhat, noJWTAdvice, tokenTooLong, tokenTooLongWhat, tokenTooLongAdvice, opaqueAdvice, notSigned
    case notSignedWhat, notSignedAdvice, noEnd, noEndWhat, noEndAdvice, expMilliseconds, expMillisecondsWhat,
        beginMilliseconds, beginMillisecondsWhat
    case expMillisecondsAdvice, expiredWhat, expiredAdvice, tooShort, tooShortWhat, tooShortAdvice, livesTooLong
    case endsTooFar, endsTooFarWhat, endsTooFarAdvice, nearlyOverWhat, nearlyOverAdvice, shortLivedWhat
    case shortLivedAdvice, wrongUnitIgnored, livesTooLongWhat, livesTooLongAdvice, issuedInFuture, issuedInFutureWhat
    case issuedInFutureAdvice, wrongAudience, wrongAudienceWhat, wrongAudienceAdvice, noAuthorization
    case noAuthorizationWhat, noAuthorizationAdvice
    case unusableAuthorizationWhat, unusableAuthorizationAdvice
    case boundToAnother, boundToAnotherWhat, boundToAnotherAdvice
    case driversToken, driversTokenAdvice, tooBroad, tooBroadWhat, tooBroadAdvice, sameAgain, sameAgainWhat
    case sameAgainAdvice, bearerPrefix, bearerPrefixWhat, bearerPrefixAdvice, wrappedToken, wrappedTokenWhat,
        wrappedTokenAdvice
    case formUTF16, formQuoted, formLabelled, formJSON, formList, formXML, formPercentEncoded, formBase64, formSpaced
    case wrongUnit, wrongUnitWhat
    case wrongUnitAdvice, mistypedTime, mistypedTimeWhat, mistypedTimeAdvice

    // MARK: Token warnings
    case twoEnds, twoEndsWhat, opaque, opaqueWhat, endAssumed, endAssumedWhat, clocksDiffer, clockBehind, clockAhead
    case setClock, notRS256, notRS256What, wildcard, wildcardWhat, fileOpen, fileOpenWhat, fileOpenAdvice
    case spaceAround, spaceAroundWhat, spaceAroundAdvice, noEndKey, noEndKeyWhat, noEndKeyAdvice
    case unreadTime, unreadTimeWhat, unreadTimeAdvice

    // MARK: Trips view
    case noTripHolds, tripsWith, columnStatus, columnNext, columnAge, columnPoll, columnToGo, columnFailed
    case columnFound, tripCount, tripsShown, orderedBy, orderedReversed, orderGiven, orderName, orderStatus
    case orderArrival, orderAge, orderErrors, atPickup, atDropoff, atStop, atWaypoint, shortPickup, shortDropoff
    case shortStop, askingShort, noneShort, endedShort

    // MARK: Token view
    case factIssued, factRefresh, factEnds, factNextTry, factNextTryByPoll, tokenNumberAlso, fingerprintAlso
    case clockAheadAlso, clockBehindAlso, noRuleBroken, refusedNevertheless, refusedNoRule, refusedByService, refusedKey
    case refusedProject, refusedUnknownProject, refusedRole, rulesBroken, claimsTitle, noTokenLookedAt, fetchesTitle
    case slowest, noneOverYet, columnOverAt, columnGoodUntil, columnWhy, columnTook, stored, whyNeeded, whyAhead
    case whyRejected, whyRequested, whyRetry
    case talkEndpoint, talkCommand, talkFile, talkVariable, talkKey, talkCredentials, talkApp, talkDriver, talkNothing,
        talkAgo, talkNow
    case keyTalk, helpTalk, storyAbsent, storyFetching, storyGood, storyGoodUntil, storyRefreshing
    case storyOverdue, storyExpired, storyFailing, storyFailingUntil, storyDenied, storyRejected, storyClosed,
        serverTokenTitle

    // MARK: Network view
    case latency, maximum, noCallYet, calls, callCount, callsWith, noCalls, callsShown, callsFailedOnly, callsBy
    case callsByReversed, orderTime, orderParty, orderSize, orderDuration, noCallFits, callsTime, callsParty, callsSize,
        callsCall
    case callsService, callsTokens, callsDriver, callPath, callHeaders, callToken, callTokenEnds, callSameToken
    case callReceived, callBody, callReportFailed
    case noLaterFailure, noEarlierFailure, callFromCache, callLeftOut, partRoute, partTraffic, partWaypointRoutes
    case callsGood, callsFailed, callsStatus, callsBytes, callsEach, callsLast
    case callsNext, callsEvery, raisedAllowed, loweredAllowed, failuresInARow, callsClock, clockAsOurs, clockFromOurs
    case errorsTitle, errorsIfTheyCome, codeNone, error400, error400Remedy, error401, error401Remedy
    case error403, error403Remedy, error404, error404Remedy, error429, error429Remedy, error503, error503Remedy
    case error504, error504Remedy, errorNone, errorNoneRemedy

    // MARK: Inspector view
    case changesTitle, lastAnswer, lastGoodAnswer, nothingChanged, changes, matchesWith, noAnswerYet, answerNotJSON
    case bodyCut, bodyCutUnreadable, pollChangedNothing, answerEmpty, wasBefore, items, itemsNotShown, members

    // MARK: Presenter mode
    case yourRide, bigConnecting, bigWaiting, bigToPickup, bigAtPickup, bigToStop, bigAtStop, bigToDropoff
    case bigComplete, bigCanceled, bigOpen, bigOnTour, bigSucceeded, bigFailed, bigClosed, bigUnknown, captionRejected,
        captionReplaced, captionOldToken, captionNoToken,
        captionTokenAgain, captionNewToken, captionSilent, captionReports, captionDetour, captionNewRoute, captionJam,
        captionJamOver, captionStill, captionMoves, closingPolls, closingTokens, closingFailures, closingCurve,
        arrivedAt, atClock, untilPickup,
        untilDropoff, untilStop, untilWaypoint
    case latePickup, lateDropoff, lateStop, lateWaypoint, noNews, presenterPaused, presenterLeft, positionOldSentence
    case promiseLater, promiseEarlier, promiseKept, tourKeys, tourEnd

    // MARK: Help overlay
    case helpTitle, helpInThisView, helpEverywhere, helpCloses, keyUnused, notInPast, signVehicle, signEstimate,
        signPickup, signDropoff
    case signStop, lineSolid, lineSolidMeaning, lineDashed, lineDashedMeaning, lineShort, lineShortMeaning, lineDotted
    case lineDottedMeaning, lineDim, lineDimMeaning, helpTimes, helpTimesFirst, helpTimesSecond

    // MARK: Expectations
    case unmetUnknown, unmetStatus, unmetReached, unmetFinding, unmetOrder, unmetCheck, verdictNotAlways
    case verdictCameFirst, verdictTooMany, evidenceValue, evidencePlace
    case unmetFailing, unmetNotFailing, verdictNotBegun, verdictWaiting, verdictHolding
    case verdictUnanswered, verdictMet, verdictLate, verdictNotInTime, verdictNoLonger, verdictHappened
    case verdictDidNotHappen, verdictTripEnded, verdictSessionEnded, verdictAnswered, labelled, outcomePending
    case outcomePassed, outcomeFailed, outcomeSkipped, outcomeUndecided, verdictNotMeasurable, verdictNeverAnswered,
        verdictNotCounted, verdictNoCalls,
        expectationDecided, expectationsTitle, expectationsCounts
    case expectationsKeys, stepQuestion, promptNote, keyExpectations, helpExpectations

    // MARK: Faults
    case faultExpired, faultOtherTrip, faultTokenDown, faultTokenSlow, fault401, fault403, fault429, fault503
    case faultLatency, faultDrop, faultCutOff, faultFrozen, faultClock, faultsTitle, faultsActive, faultsKeys, noFault
    case paletteFault, keyFaults, helpFaults, keyClearFaults, helpClearFaults, faultOn, faultOff, faultsRecorded

    // MARK: Notes and bug reports
    case promptRemark, noteTaken, markTaken, keyNote, helpNote, keyBugReport, helpBugReport

    // MARK: Receipt
    case receiptTitle, receiptLine, receiptDriverWait, receiptVehicleWait, receiptPickupWait, receiptStopWait
    case receiptRide, receiptWayToPickup, receiptWayToDropoff, receiptDriven, receiptReported, receiptPromise
    case receiptFirst, receiptActual
    case receiptErrors, receiptError, receiptClose, receiptSince, receiptNever, receiptPolls, receiptTokens
    case receiptTokenCounts, receiptNoFindings, keyReceipt, helpReceipt
    case failureTitle, failureWhat, failureSince, failureOver, failureSent, failureConnection
    case failureNotEncrypted, failureProxy, failureAnswer, failureBody, failureSuspects, failureNext, strengthProven
    case strengthLikely, strengthPossible, keyFailure, helpFailure

    // MARK: Command line and prompts
    case promptFilter, promptSearch, commandsTitle, tabCompletes, moreCommands, paletteView, paletteTrip, paletteWatch
    case paletteLeave, leaveQuestion, saveRecordingQuestion, saveBugReportQuestion, palettePicture, paletteInterval,
        paletteTheme, paletteGlyphs, paletteMouse
    case paletteBasemap, readingBasemap, unknownLayers, basemapElsewhere, basemapIncomplete, mapHint, demoTown,
        pictureSaved, paletteFind,
        noCommand,
        needsArgument
    case noView, noSuchTripFollowed, otherProject, intervalTakes, noTheme, noGlyphs, mouseTakes, mouseOurs
    case mouseTerminals, themeNow, pastedNoTrip

    // MARK: Global keys
    case keyQuit, helpQuit, keyHelp, helpHelp, keyViews, helpViews, keyCommand, helpCommand, keyNextView, helpNextView
    case keyPreviousView, helpPreviousView, keyBack, helpBack, keyPause, keyGoOn, helpPause, keyPollNow, helpPollNow
    case keySlower, helpSlower, keyFaster, helpFaster, keyNewToken, helpNewToken, keyMouse, helpMouse, keyPresenter
    case helpPresenter, keyTheme, helpTheme, keyNextTrip, helpNextTrip, keyPreviousTrip, helpPreviousTrip, keyLeave
    case helpLeave, keySaveRecording, keyExport, helpSaveRecording, helpExport, keyHoldRide, helpHoldRide
    case keyStepRide, helpStepRide
    case keyNextStage, helpNextStage, noNextStage, keyRideSlower, helpRideSlower, keyRideFaster, helpRideFaster
    case paletteScenario, paletteRestart, noScenario, paletteExport, noExportFormat

    // MARK: View keys
    case keyFollow, helpFollow, keyReports, helpReports, keyFit, helpFit, keyZoomIn, helpZoomIn, keyZoomOut,
        helpZoomOut, keyMoveMap
    case helpMoveMap, keyBigMap, helpBigMap, keyArrival, helpArrival, keyEvents, helpEvents, keyNewerEvents
    case helpNewerEvents, keyNewestEvents, helpNewestEvents, keyOpen, helpOpen, keyChoose, helpChoose, keyPage
    case helpPageTrips, keyOrder, helpOrder, keyReverse, helpReverse, keyFilter, helpFilter, keyScroll, helpScroll
    case keyMove, helpMove, helpPageAnswer, helpFold, keyChanges, helpChanges, keySearch, helpSearch, keyNextMatch
    case helpNextMatch, keyPreviousMatch, helpPreviousMatch, helpScrollLog, helpPageLog, keyNewest, helpNewest
    case helpOpenCall, helpChooseCall, helpPageCalls, keyNextFailure, helpNextFailure, keyPreviousFailure
    case helpPreviousFailure, keyFailuresOnly, helpFailuresOnly, helpOrderCalls, helpReverseCalls

    // MARK: Findings view
    case findingsNone, findingErrors, findingWarnings, findingNotes, findingTimes, shiftLater, shiftEarlier
    case reroutedWay, reroutedShift

    // MARK: Sides of a trip
    case viewSides, helpSides, sideDriver, sideServer, sideRider, sideCall, sideNavigation, sideReceived, sideMeasured
    case sideNothing, sideWaiting, sideLogEnded, sideNoDifference, sideNoRider, sideNoPolls, sideStatus
    case sideStatusNotFetched, sideVehicle, sidePositionOlder, sidePositionNotFetched, sidePositionApart
    case sideWaypoints, sideArrivalLater, sideArrivalEarlier, sideRefused, sideUnauthorized, sideForbiddenDriver
    case sideForbiddenServer, sideNoVehicle, sideNoTrip, sideExists, sideBadRequest, sideQuota

    // MARK: Presenter's console
    case consoleTitle, consoleJoining, consoleRestarting, consoleNow, consoleNext, consoleNoCaption, consoleNoNext
    case consoleThenChapter
    case consoleSinceStart, consoleSinceChapter, consoleSinceScenario, consoleRideTime, consoleNotes, consoleNotesHint
    case consoleNoNotes, consoleScenarios, consoleScenarioKeys, consoleNextChapter, consoleRestart, consoleScenario
    case consolePause, consoleSlower, consoleFaster, consoleFirstSpeed, consoleClearFaults, consoleLeave
    case consoleNoChapter

    // MARK: Replay
    case timeLine, timeLineLoop, timeLineReading, markStatus, markError, markFinding, markNote, markReached
    case travelPast, travelPresent, travelStatus, travelArrival, travelSame, travelNothing, helpPlay, keyNextPoll
    case helpNextPoll, keyPreviousPoll, helpPreviousPoll, keyNextEvent, helpNextEvent, keyPreviousEvent
    case helpPreviousEvent, keyNextMark, helpNextMark, keyPreviousMark, helpPreviousMark, keyReplaySlower
    case helpReplaySlower, keyReplayFaster, helpReplayFaster, keyReplayStart, helpReplayStart, keyReplayEnd
    case helpReplayEnd, helpLoop, keyTravel, keyTravelBack, helpTravel, keyCompare, helpCompare, paletteSeek
    case paletteSpeed, seekTakes, speedTakes
}
