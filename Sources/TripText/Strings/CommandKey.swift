/// The key of a command line text in `Assets/Strings`: error messages, and the reports of `doctor` and `token`.
///
/// ``StringKey`` has the keys of the screen texts.
package enum CommandKey: String, Sendable, CaseIterable {
    // MARK: Doctor: steps
    case checkConfiguration, checkName, checkConnection, checkTLS, checkService, checkClock, checkCredentials,
        checkAccess, checkServer, checkSigning, checkToken, checkClaims
    case checkProvider, checkTrip, checkVehicle, checkPosition, checkFindings

    // MARK: Doctor: results
    case doctorPassed, doctorWarned, doctorStopped, doctorConfiguration, doctorProxy, doctorAddress, doctorRoots
    case doctorHostKnown, doctorAnswered, doctorListens, doctorSecure
    case doctorPlainHTTP, doctorPlaintext, doctorNoTokenNeeded, doctorEmulatorName, doctorEmulatorNameAdvice,
        doctorFleetEngine
    case doctorNotFleetEngine, doctorOtherAnswer, doctorNotFleetEngineAdvice, doctorNoDate, doctorCached
    case doctorClocksAgree, doctorCredentials, doctorProject, doctorQuotaProject, doctorPassedOver, doctorPassedUnset,
        doctorPassedNoFile, doctorMetadata, doctorAccess, doctorServer, doctorSigningKey, doctorSigningIAM
    case doctorTokenReceived, doctorTokenGone, doctorRulesKept, doctorAccount, doctorStatus, doctorTripEnded
    case doctorNoFindings
    case doctorVehicle, doctorNoVehicle, doctorNoVehicleAdvice, doctorPositionAge, doctorPositionAgeUnknown
    case doctorPositionNone, doctorPositionAdvice, doctorPositionLate, doctorPositionLateAdvice, doctorPositionAhead

    // MARK: Token report
    case reportHeader, reportClaims, reportFetch, reportRules, reportValid, reportUnchecked, reportRefused, reportUnused
    case reportSource, reportTook, reportClock, reportClockDiffers, reportNotUsed, reportEnds, reportUsedUntil
    case reportRefreshedAt, reportNote, reportAgo, ruleShape, ruleAlgorithm, ruleKeyID, ruleSignature, ruleIssuer
    case ruleAudience, ruleIssuedAt, ruleExpiry, ruleLifetime, ruleAuthorization, ruleIdentity, ruleScope, ruleTaskIDs
    case sourceEndpoint, sourceCommand, sourceFile, sourceEnvironment, sourceKey, sourceCredentials

    // MARK: Token commands
    case tokenPrompt, failureWhoseToken, failureTokenLost, failureTerminalUnreadable, failureInputTooLong
    case failureInputEmpty, failureNoTokenInInput, failureBearer, failureCannotSign, failurePublicKey, advicePublicKey

    // MARK: Files
    case nounTripsFile, nounBasemap, nounKeyFile, nounRoute, nounCertificates, nounScenario, nounRecording
    case nounReadyFile, nounScript
    case failureFileMissing, failureFileIsFolder, failureFileSilent, failureFileKind, warningKeyFileOpen
    case warningHeaderFileOpen, adviceTripsFile, adviceBasemap, adviceKeyFile, adviceRoute, adviceRecordedRoute
    case adviceCertificates, adviceScenario
    case adviceRecording, adviceReadyFile, adviceScript, failureBasemap, basemapNotGeoJSON, basemapUnknownType
    case basemapNotDegrees, basemapEmpty, basemapTooManyPoints, basemapDamaged, basemapVersion, basemapTiles
    case basemapCompression, settingBasemaps

    // MARK: Trips file
    case failureTooManyTrips, warningTripsNotWatched, failureTripsLimit, failureTripsRemoval, failureTripsProject
    case failureTripsName, failureTripsEmpty

    // MARK: Logs
    case failureLogEmpty, failureLogNoTrips, failureLogTrip, failureLogUnreadable
    case warningLogLine, warningLogLines, warningLogLate, warningLogTrips

    // MARK: Configuration
    case configurationNamedMissing, configurationUnreadable, configurationNoObject, adviceConfiguration
    case configurationUnknownKey, configurationKeysNoObject, configurationThresholdsNoObject, configurationThreshold
    case configurationQuotaNoNumber, configurationIntervalQuoted, configurationIntervalNoNumber
    case configurationNoFlag, configurationNoText, configurationNoKey, configurationUnknownAction
    case configurationFixedKeys, configurationUnknownKeyName, configurationKeyTaken, adviceNearest, adviceKnown
    case settingUnknown, nounExpiryUnit, nounTheme, nounTransport, nounLanguage, nounUnits, nounValue,
        settingIntervalRange
    case settingIntervalNoNumber, settingQuota, settingThresholds, warningUnknownVariable, thresholdUnknown
    case thresholdRange, thresholdForm, failureOpenFiles, failureFileTooManyOpen, failureAddressSpace

    // MARK: Service, trips and token source
    case failureCertificatesInsecure, failureCertificatesURL, failureRoots, failureRootsVariable, failureNoGRPC,
        failureNoTrips, failureNoShipments, failureNoProject, failureOtherProject
    case failureCreationKey, failureTokenHeader, quotedName, warningFixedTokenURL, failureNoTokenSource, failureIAMURL,
        failureLoginWrite, failureLoginFile, nounLoginFile, adviceLoginFile, warningLoginFileOpen,
        warningTokensListening
    case failureTokenBody, failureCommandEmpty, failureCommandQuote, failureCommandBackslash, failureTokenURLInsecure
    case failureTokenURL, failureServiceAccount, failureWildcard, failureUnknownCommand, nearestCommand

    // MARK: Output
    case failureOutput, fileIsFolder, fileUnsupportedKind, filePipeWithoutReader, filePipeFull, fileNotRegular

    // MARK: Export and comparison
    case adviceSession, failureSession, sessionDamaged, sessionNewer, sessionSkipped, exportNoPolls, exportNoPlaces
    case exportNoTrips, exportExists, exportTaken, exportOverItself, exportNotWritten, compareEqual, callsNone
    case compareOnlyTrip, compareStatus, compareOnlyStatus, compareOrder, compareArrival, compareOnlyArrival
    case compareValues, compareMeasure, compareOnlyValue, compareDistance, comparePolls, compareErrors, compareFindings,
        usageTolerance
    case verifyEqual, verifyUntraced, verifyFirst, verifyOutcome, verifyFindings, verifyEnd, verifyScreen
    case verifyRecorded, verifyNow, verifyCounts, verifyNoRecording, verifyNothing, adviceVerify

    // MARK: Emulator and ready file
    case failureRecording, recordingEmpty, recordingNotJSON, recordingByte, recordingTruncated, recordingOtherKind
    case recordingOwn
    case recordingGzip, recordingZIP, recordingTar, recordingToken, recordingOtherJSON, recordingNoTrips,
        recordingTooLarge
    case recordingHeaderTooLarge
    case recordingTooMuch, failureScenarioBroken, failureScenarioFile, failureNoScenario, failurePlainRide
    case failureExpectation, moreViolations, failureNotReadyFile, failureEmulatorEnded, failureReadyFile
    case warningReadyFileLeft, warningReadyFileUsed, failureReadyFileKept, warningClockNotFollowed
    case failureCredentialsFolder, failureCredentialsKept
    case failureAccountRoleTwice
    case failureAccountForm, failureAccountFile, failureAccountSecret,
        failureAccountCredentials, failureCredentialsUnused, warningListening, warningMetricsListening,
        metricsServed
    case failureCannotListen, listenPorts, portOr, failureCertificateNames, failureRootCertificate
    case failureCertificateKept, failureNoSigningKeys, failureDriverStart
    case warningDriverStopped, warningScreenOnly, warningAskOnScreen
    case driverInterrupted, driverRestored, driverUnsent, driverNotOffline
    case driverRefused, driverUnreachable, driverNoToken,
        driverCancelled

    // MARK: Driving
    case failureRoute, routeUnknownFormat, routeTooShort, routeTooLong, routeNoTimes, routeNoTime, routeTimeBack
    case failureStopOffTrack, failureNothingToDrive, failureNoStops, failureNoTask, failureNoPlace
    case failureNotInTown, failureDriving
    case adviceLookAtTrip, adviceLookAtVehicle, adviceLookAtDeliveryVehicle, adviceTrustedDriver, adviceOperatorKey
    case adviceFetchVehicleToken, adviceFetchDeliveryVehicleToken, failureNoOperatorKey

    // MARK: Recording and replay
    case failureRecordExists, warningNotRecorded, failureLogExists, warningNotLogged, recordingNotSaved
    case bugReportNotSaved, recordingNewer, recordingBadHeader, warningSkippedLine, warningSkippedLines, adviceReplay

    // MARK: Watching
    case failureRestart, failureUntilMissed, failureTimeout, failureLasted, failureNeedsChange, forcedByTimeout,
        forcedBySignal
    case adviceOutput
    case terminalNone, terminalUnnamed, terminalUnknown, terminalTooSimple, terminalInBackground
    case terminalRefused, failureScript, scriptTimeout, screenNotSaved, failureUnfinished, rideRefused, rideUnreachable
    case historyNotWritten, scriptNeedsWord, scriptPause, scriptSize, scriptNoKey, scriptNoStep

    // MARK: Trips of a project
    case warningTokenRenewed
    case tripsNone, tripsMore, failureNoServerToken, sweepFailed, usagePages, usageMinimumStaleness, usageAll
    case usageOneServerToken

    // MARK: Expectations
    case nounExpectations, adviceExpectations, failureExpectationFile, failureExpectations, failureUndecided,
        failureExpectationsBoth,
        failureReport, usageReport
    case noticeUnknown, noticeNeedsMinutes, noticeTakesNone, noticeForm, noticeURL, noticeFailed, noticeDropped
    case noticeTimeout, noticeExit, noticeSignal, usageWebhookEvents, usageOnEnv, usageOnEnvName
    case usageReportAlone, usageExpect, usageAccessible

    // MARK: Faults
    case faultRefused, faultUnreachable

    // MARK: Presenter's console
    case nounNotes, adviceNotes, adviceConsole, adviceConsoleTerminal, failureNoConsole, failureNotConsole
    case failureConsoleFolder, consoleRefused, consoleUnreachable, consoleNotPossible, consoleEnded, consoleDemoGoesOn,
        usageConsole

    // MARK: Flag values
    case usageNoTrip, usageNoShipment, usageTrackingTokenURL, usageInterval, usageTimeout, usageCellAspect,
        usageOnceScreen, usageScript, usageBell
    case usageOnceUntil, usageSpeed, usageOneTokenSource, usageEndpointFlags, usageCredentialFlags, usageDelegate,
        usageTokenBody,
        usageAssumedLifetime
    case usageTripOrVehicle, usageServerToken, usageMintSubject, usageMintLifetime, usageMintSigner, usageTokensSigner,
        usageTokensLimit, usageStaleAfter,
        usageStandardInput
    case usageQuota, usageCallQuota, usageWait, usageScenarioOrRecording, usageTokenLifetime, usageTokenLatency
    case usageTokenFailure
    case usageMissingToken, usagePort, usageAnswerKeys, usageGRPCPlaintext, usageReportIntervals, usagePace
    case usageProxy, usageProxyLogin, usageResolve, usageMetricsHost
    case usageRouteOrPlace, usageAsRecorded, usageDelivery, usageTour
    case usageTripAndOperator, usageExpectTrip, usageLog, usageLogTerminal, usageFrom, usageFromEnd, usageLoop
    case usageFollow, usageRecorded, usageMetricsAtOnce
}
