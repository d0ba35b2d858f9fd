extension Catalogue {
    static let germanEvidence: [Phrase: String] = [
        // How failures follow from one another
        .causeAndSymptom: "{0}; seitdem: {1}",
        .refusalSaid: "{0} {1}: {4} ({2}, Fahrt {3})",
        // What a slow reader is told by its number
        .omittedNews: "{0} Ergebnisse davor werden nicht einzeln gemeldet: {1}",
        .omittedPolls: "{0} nur gezählt",
        // Credentials of another kind
        .oauthToken: "OAuth-Zugriffstoken",
        .oauthTokenWhat: "er ist ein OAuth-Zugriffstoken (ya29.…), kein signierter JWT",
        .idToken: "ID-Token",
        .idTokenWhat: "er ist ein ID-Token: er sagt, wer jemand ist, und erlaubt nichts",
        .apiKey: "API-Schlüssel",
        .apiKeyWhat: "er ist ein API-Schlüssel (AIza…), kein signierter JWT",
        .sessionCookie: "Sitzungs-Cookie",
        .sessionCookieWhat: "er ist das Cookie einer Web-Sitzung, kein signierter JWT",
        .otherCredentialAdvice: """
        Fleet Engine nimmt einen JWT, den ein Dienstkonto für diese Fahrt signiert hat: den Endpunkt einen \
        signieren lassen.
        """,
        .misspeltClaim: "‚{0}‘ falsch geschrieben",
        .misspeltClaimWhat: "seine `authorization` hat ‚{0}‘, wo Fleet Engine ‚{1}‘ sucht",
        .misspeltClaimAdvice: "{1} in Kleinbuchstaben und in einem Wort schreiben.",
        .noKeyKnownWhat: "die Antwort hat keinen Schlüssel ‚{0}‘; sie hat {1}",
        .tokenNames: " (sein {0} ist ‚{1}‘)",
        // The last rejected token and the last answer of its endpoint
        .rejectedTitle: "Abgelehnter Token",
        .rejectedUnused: "Nicht benutzt, {0}: {1}",
        .rejectedByService: "Von Fleet Engine mit HTTP {1} abgelehnt, {0}",
        .lastRejected: "Der letzte abgelehnte Token",
        .endpointAnswer: "Letzte Antwort des Token-Endpunkts",
        .endpointBodyEmpty: "ohne Inhalt",
        // The request, to be copied
        .requestTitle: "Anfrage",
        .keyCopy: "kopieren",
        .helpCopy: "Die ID der Fahrt kopieren, in Netzwerk die Anfrage als curl-Befehl.",
        .copied: "Kopiert: {0}",
        // Findings about tokens, refusals and what is missing
        .findingsNotFollowed: """
        Die Fahrt ist zurzeit nicht zu verfolgen: {0}. Die {1} Regeln werden auf Antworten angewandt.
        """,
        .findingsNoAnswer: "Noch ist keine Antwort da: die {0} Regeln werden auf Antworten angewandt.",
        .tokenUnusable: "Token nicht brauchbar",
        .tokenUnusableWhat: "Der Token, der kam, verletzt eine Regel ({0})",
        .serviceRefuses: "vom Dienst abgelehnt",
        .serviceRefusesWhat: "Der Dienst verweigert die Fahrt: {0} {1}{2}",
        .adviceTokenView: "Die Ansicht Token zeigt, was der Token sagt und welche Regel er verletzt.",
        .statusMissing: "kein Status",
        .statusMissingWhat: "Die Antwort hat keinen tripStatus",
        .trackingMissing: "nichts zu verfolgen",
        .trackingMissingWhat: "Die Fahrt läuft, und seit {0} fehlen: {1}",
        .missingPosition: "die Position",
        .missingRoute: "die Route",
        .missingArrival: "die Ankunft",
    ]
}
