extension StringKey {
    /// The placeholders of the text, in the order of the values; a translation may omit some of them.
    package var parameters: [String] {
        switch self {
        case .sentenceAndAdvice: ["sentence", "advice"]
        case .seconds: ["seconds"]
        case .minutes: ["minutes"]
        case .minutesSeconds: ["minutes", "seconds"]
        case .hours: ["hours"]
        case .hoursMinutes: ["hours", "minutes"]
        case .days, .statusServesOtherFirst, .statusDetour, .waypoints, .times, .fetches, .eventCount, .polls,
            .answersAgain, .tripCount, .rulesBroken, .failuresInARow, .changes, .items, .itemsNotShown, .members,
            .findingErrors, .findingWarnings, .findingNotes:
            ["count"]
        case .countdownAhead, .countdownOverdue, .hereFor, .connectionNoAnswer, .forSoFar, .timeLeft, .nextTryIn,
            .refreshIn, .lastTook, .tookTime, .askingFor, .leftAlso, .quotaWait, .refusedStatusWait, .expiredWhat,
            .endsTooFarWhat, .issuedInFutureWhat, .slowest, .promiseLater, .promiseEarlier, .shiftLater,
            .shiftEarlier:
            ["duration"]
        case .kilometers, .meters, .miles, .feet, .kilometersPerHour, .milesPerHour, .stepToStopNumber,
            .stepAtStopNumber, .stopNumber, .waypointsForeign, .failedAlso, .newerBelow, .linesAbove, .linesBelow,
            .inARow, .failed, .inARowAlso, .tokenRefreshed, .idTooLong, .tokenNumberAlso, .findingTimes:
            ["number"]
        case .statusToStopOf, .statusAtStopOf, .tripOf, .eventsShown, .tripsShown: ["number", "total"]
        case .connectionsLive: ["live", "total"]
        case .statusUnrecognized, .endOther, .tokenRefused, .httpStatus, .commandFailed, .commandFailedWhat,
            .tokenRedirectedWhat, .htmlWhat:
            ["status"]
        case .distanceToGo, .within: ["distance"]
        case .positionOld, .positionAlsoMeasured, .positionMeasured: ["age"]
        case .wasAt, .since, .promised, .cameAt, .frozenAt, .endsAt, .endedAt, .expectedAt, .goodUntil, .arrivedAt,
            .atClock:
            ["time"]
        case .givenUp, .becauseDetail: ["cause"]
        case .tooSmall, .needsSize, .callsEach, .bodyCut: ["size"]
        case .logWith, .tripsWith: ["filter"]
        case .sideNothing: ["call"]
        case .sideStatus, .sideStatusNotFetched, .sideVehicle, .sideWaypoints: ["rider", "server"]
        case .sidePositionOlder, .sidePositionNotFetched, .sideArrivalLater, .sideArrivalEarlier: ["duration"]
        case .sidePositionApart: ["distance"]
        case .sideRefused: ["side", "call", "status", "detail"]
        case .moreLines: ["number", "key"]
        case .moreCommands: ["number", "note"]
        case .presenterLeft, .helpCloses, .wrongType, .wrongTypeWhat, .noEndKey, .noEndKeyWhat: ["key"]
        case .endpointAloneBehind, .endpointAloneAhead, .serviceAloneBehind, .serviceAloneAhead, .clockHereBehind,
            .clockHereAhead, .clockBehind, .clockAhead, .clockAheadAlso, .clockBehindAlso, .clockFromOurs:
            ["difference"]
        case .atFault: ["party"]
        case .tokenNumber: ["number", "fingerprint"]
        case .fingerprintAlso: ["fingerprint"]
        case .every, .raisedFrom, .loweredFrom, .askingEvery, .raisedAllowed, .loweredAllowed: ["interval"]
        case .latencies: ["median", "maximum", "separator"]
        case .nextPoll: ["countdown"]
        case .causeAndSymptom: ["cause", "symptom"]
        case .refusalSaid: ["status", "host", "trip", "message"]
        case .omittedNews: ["number", "outcomes"]
        case .omittedPolls: ["polls"]
        case .misspeltClaim, .misspeltClaimWhat, .misspeltClaimAdvice: ["name", "meant"]
        case .noKey, .noKeyWhat, .noKeyKnownWhat: ["key", "known"]
        case .encodedKeyWhat: ["key"]
        case .tokenNames: ["claim", "id"]
        case .rejectedUnused: ["time", "reason"]
        case .rejectedByService: ["time", "status"]
        case .copied: ["text"]
        case .findingsNotFollowed: ["cause", "rules"]
        case .findingsNoAnswer, .findingsNone: ["rules"]
        case .arrivalLater, .arrivalEarlier: ["place", "time", "difference"]
        case .anotherVehicle: ["vehicle"]
        case .positionIsOld: ["age", "reason"]
        case .intervalRaised, .intervalLowered, .reroutedWay: ["from", "to"]
        case .tokenRepeated: ["source", "time"]
        case .tripSubject, .leaveQuestion, .noSuchTripFollowed: ["trip"]
        case .webPage, .webPageWhat: ["status", "host", "title"]
        case .webPageTitled: ["title"]
        case .redirected, .redirectedWhat: ["status", "host"]
        case .unreadableWhat, .tlsWhat, .notHTTPWhat, .connectionFailedWhat, .noProxyWhat: ["host", "reason"]
        case .otherTripWhat: ["host", "answered", "asked"]
        case .refusedWhat, .unknownHostWhat, .timedOutWhat, .lostWhat, .cutOffWhat, .cancelledWhat, .insecureWhat:
            ["host"]
        case .tooLargeWhat: ["host", "limit"]
        case .badProxyWhat, .notReachableWhat, .commandNotStartedWhat, .unreadableFileWhat, .badKeyWhat: ["reason"]
        case .serviceShort, .badRequestWhat, .unauthorizedWhat, .forbiddenWhat, .notFoundWhat, .quotaWhat,
            .deadlineWhat, .unavailableWhat, .otherStatusWhat:
            ["status", "host", "trip", "detail", "wait", "answer"]
        case .searchRejectedWhat, .searchForbiddenWhat: ["status", "host", "project", "detail"]
        case .foreignRefusalWhat: ["status", "host", "detail"]
        case .tripGoneWhat: ["status", "host", "trip", "detail"]
        case .projectSubject: ["project"]
        case .saidDetail: ["message"]
        case .notAURLWhat, .notAURLAdvice: ["url", "example"]
        case .noID, .noIDWhat: ["noun", "id", "reason"]
        case .idForbidden: ["character"]
        case .badHeaderWhat: ["header", "reason"]
        case .noTokenFor, .unusableToken: ["subject", "cause"]
        case .deniedToken, .deniedTokenWhat, .newTokenRefused, .newTokenRefusedWhat: ["status", "subject"]
        case .livesTooShortWhat: ["subject", "left", "wanted"]
        case .cacheFullWhat, .tokenTooLargeWhat: ["limit"]
        case .manyWaitersWhat: ["limit", "subject"]
        case .waitCancelled: ["subject"]
        case .refusedStatusWhat: ["status", "wait"]
        case .commandKilledWhat: ["signal"]
        case .noVariable, .noVariableWhat: ["variable"]
        case .tokenTooLongWhat: ["bytes"]
        case .tooShortWhat: ["left"]
        case .nearlyOverWhat: ["left", "lifetime"]
        case .shortLivedWhat, .livesTooLongWhat, .endAssumedWhat: ["lifetime"]
        case .mistypedTime, .mistypedTimeWhat, .mistypedTimeAdvice: ["claim"]
        case .orderedBy, .orderedReversed: ["trips", "order"]
        case .matchesWith: ["number", "search"]
        case .wasBefore: ["value"]
        case .latePickup, .lateDropoff, .lateStop, .lateWaypoint: ["duration", "time"]
        case .helpTitle, .noView: ["view"]
        case .pictureSaved: ["file"]
        case .noCommand: ["command"]
        case .needsArgument: ["command", "argument"]
        case .otherProject: ["asked", "followed"]
        case .noTheme, .themeNow: ["theme"]
        case .noGlyphs: ["glyphs"]
        case .helpViews: ["views"]
        case .noScenario: ["scenario"]
        case .noExportFormat: ["name", "names"]
        case .reroutedShift: ["shift"]
        case .unmetStatus, .unmetReached:
            ["status", "expected"]
        case .unmetOverdue, .unmetPositionAge:
            ["actual", "expected"]
        case .unmetDelay:
            ["actual", "from", "to"]
        case .unmetFinding:
            ["name"]
        case .unmetOthers:
            ["number", "expected"]
        case .verdictNotBegun:
            ["status"]
        case .verdictWaiting, .verdictNoLonger, .verdictTripEnded, .verdictSessionEnded:
            ["unmet"]
        case .verdictLate:
            ["limit"]
        case .verdictNotInTime:
            ["limit", "unmet"]
        case .verdictNote:
            ["verdict", "note"]
        case .expectationDecided:
            ["outcome", "name", "verdict"]
        case .expectationsCounts:
            ["passed", "failed", "skipped", "pending"]
        case .stepQuestion:
            ["question", "key"]
        case .promptNote:
            ["answer"]
        case .faultsActive:
            ["names", "key"]
        case .noFault, .faultOn, .faultOff:
            ["name"]
        case .faultsRecorded:
            ["names"]
        case .noteTaken:
            ["text"]
        case .receiptTitle:
            ["trip"]
        case .receiptLine:
            ["trip", "label", "value"]
        case .receiptDistances:
            ["driven", "reported"]
        case .receiptPromise, .receiptErrors:
            ["place"]
        case .receiptPromised:
            ["promised", "actual"]
        case .receiptError:
            ["minutes", "difference"]
        case .receiptClose:
            ["place", "duration"]
        case .receiptSince:
            ["time"]
        case .receiptPolls:
            ["polls", "failed"]
        case .receiptTokenCounts:
            ["tokens", "refreshes", "failures", "refused"]
        case .timeLineReading:
            ["percent"]
        case .markReached:
            ["kind", "time", "detail"]
        case .travelPast:
            ["time", "age", "leave", "compare"]
        case .travelPresent:
            ["time", "leave", "compare"]
        case .travelStatus:
            ["past", "present"]
        case .travelArrival:
            ["difference"]
        default: []
        }
    }
}
