extension Catalogue {
    static let germanVerdicts: [String: String] = [
        "It is an OAuth access token (ya29.…), not a signed JWT.":
            "Er ist ein OAuth-Zugriffstoken (ya29.…), kein signierter JWT.",
        "It is an API key (AIza…), not a signed JWT.": "Er ist ein API-Schlüssel (AIza…), kein signierter JWT.",
        "It is a session cookie, not a signed JWT.": "Er ist ein Sitzungs-Cookie, kein signierter JWT.",
        "Sign a JWT with a service account's key.": "Einen JWT mit dem Schlüssel eines Dienstkontos signieren.",
        "It is an ID token or a session of {0}: it says who somebody is, and allows nothing.":
            "Er ist ein ID-Token oder eine Sitzung von {0}: er sagt, wer jemand ist, und erlaubt nichts.",
        "authorization has {0}, which Fleet Engine does not know: the claim is spelt {1}.":
            "authorization hat {0}, das Fleet Engine nicht kennt: der Claim heißt {1}.",
        "Write {0}, in lower case and in one word.": "{0} in Kleinbuchstaben und in einem Wort schreiben.",
        "It has {0} bytes; no token is that long.": "Er hat {0} Bytes; so lang ist kein Token.",
        "Look at what was copied.": "Ansehen, was kopiert wurde.",
        "It is not a JWT: that has three parts, and this has {0}.": "Er ist kein JWT: der hat drei Teile, dieser {0}.",
        "Take the whole token, from eyJ to the end of the signature; an OAuth access token won't do.":
            "Den ganzen Token nehmen, von eyJ bis zum Ende der Signatur; ein OAuth-Zugriffstoken taugt nicht.",
        "The {0} is padded with “=”.": "Der Teil {0} ist mit „=“ aufgefüllt.",
        "Encode with base64url without padding.": "Mit base64url ohne Auffüllung kodieren.",
        "The {0} is plain base64 with + or /.": "Der Teil {0} ist einfaches Base64 mit + oder /.",
        "Encode with base64url, which has - and _.": "Mit base64url kodieren, das - und _ hat.",
        "The {0} is not base64url.": "Der Teil {0} ist kein base64url.",
        "Look for characters lost or added by copying.":
            "Nach Zeichen suchen, die beim Kopieren verloren gingen oder dazukamen.",
        "It is a JWT of three parts.": "Er ist ein JWT aus drei Teilen.",
        "Header or payload is not a JSON object.": "Header oder Payload ist kein JSON-Objekt.",
        "alg is RS256.": "alg ist RS256.",
        "Sign with the service account's RSA key: alg RS256.":
            "Mit dem RSA-Schlüssel des Dienstkontos signieren: alg RS256.",
        "The header has no alg.": "Im Header fehlt alg.",
        "alg is {0}, not RS256.": "alg ist {0}, nicht RS256.",
        "kid is {0}.": "kid ist {0}.",
        "The header has no kid, so that the service does not know which key to check with.":
            "Im Header fehlt kid, sodass der Dienst nicht weiß, mit welchem Schlüssel er prüfen soll.",
        "Put the key's private_key_id into the header as kid.":
            "Die private_key_id des Schlüssels als kid in den Header schreiben.",
        "There is no signature.": "Es gibt keine Signatur.",
        "Sign the token; an unsigned one is refused.": "Den Token signieren; ein unsignierter wird abgelehnt.",
        "There is a signature; without a public key it can't be checked.":
            "Es gibt eine Signatur; ohne öffentlichen Schlüssel ist sie nicht prüfbar.",
        "iss or sub is not text.": "iss oder sub ist kein Text.",
        "iss or sub is missing.": "iss oder sub fehlt.",
        "Set both to the service account's e-mail address.": "Beide auf die E-Mail-Adresse des Dienstkontos setzen.",
        "iss is {0}, sub is {1}.": "iss ist {0}, sub ist {1}.",
        "iss is {0}, an account of another project than {1}.": "iss ist {0}, ein Konto eines anderen Projekts als {1}.",
        "iss and sub are {0}.": "iss und sub sind {0}.",
        "aud is {0}.": "aud ist {0}.",
        "aud is missing.": "aud fehlt.",
        "Set aud to {0}.": "aud auf {0} setzen.",
        "aud is a list, {0}.": "aud ist eine Liste, {0}.",
        "Write aud as one text, {0}.": "aud als einen Text schreiben, {0}.",
        "aud is {0}: the slash at its end is missing.": "aud ist {0}: Der Schrägstrich am Ende fehlt.",
        "Set aud to {0}, the slash included.": "aud auf {0} setzen, mit dem Schrägstrich.",
        "It is not yet valid: nbf lies {0} ahead.": "Er gilt noch nicht: nbf liegt {0} in der Zukunft.",
        "Leave nbf out, or set it to now; a token is used as soon as it is fetched.":
            "nbf weglassen oder auf jetzt setzen; ein Token wird verwendet, sobald er da ist.",
        "iat is missing.": "iat fehlt.",
        "Set iat to now, in seconds since 1970.": "iat auf jetzt setzen, in Sekunden seit 1970.",
        "It is not yet valid: iat lies {0} ahead.": "Er gilt noch nicht: iat liegt {0} in der Zukunft.",
        "Set the signer's clock (the service tolerates ten minutes), and write iat in seconds.":
            "Die Uhr des Signierers stellen (der Dienst duldet zehn Minuten), und iat in Sekunden schreiben.",
        "The signer's clock is {0} ahead of this one; the service tolerates ten minutes.":
            "Die Uhr des Signierers geht gegenüber dieser {0} vor; der Dienst duldet zehn Minuten.",
        "Set the signer's clock or this one.": "Die Uhr des Signierers oder diese stellen.",
        "It was issued {0} ago.": "Seine Ausstellung liegt {0} zurück.",
        "{0} is there, but it is no number.": "{0} ist da, aber keine Zahl.",
        "Write {0} as a number without quotes: seconds since 1970.":
            "{0} als Zahl ohne Anführungszeichen schreiben: Sekunden seit 1970.",
        "exp is missing.": "exp fehlt.",
        "Set exp to 55 minutes from now, in seconds.": "exp auf 55 Minuten ab jetzt setzen, in Sekunden.",
        "exp is in milliseconds.": "exp ist in Millisekunden.",
        "Write exp in seconds since 1970: divide by 1000.": "exp in Sekunden seit 1970 schreiben: durch 1000 teilen.",
        "It expired {0} ago.": "Sein Ablauf liegt {0} zurück.",
        "exp lies {0} ahead; the service takes no more than an hour.":
            "exp liegt {0} in der Zukunft; der Dienst nimmt höchstens eine Stunde.",
        "Let tokens live 55 minutes, so that a fast clock does no harm.":
            "Tokens 55 Minuten leben lassen, damit eine vorgehende Uhr nicht schadet.",
        "It is valid for another {0}.": "Er gilt noch {0}.",
        "Without iat and exp in seconds there is no lifetime to judge.":
            "Ohne iat und exp in Sekunden lässt sich keine Lebensdauer beurteilen.",
        "It lives {0}, more than an hour.": "Er lebt {0}, mehr als eine Stunde.",
        "Let tokens live 55 minutes.": "Tokens 55 Minuten leben lassen.",
        "exp is not after iat.": "exp liegt nicht nach iat.",
        "It lives {0} s: more than an hour, but iat may be dated back by a minute.":
            "Er lebt {0} s: mehr als eine Stunde, aber iat darf um eine Minute zurückdatiert sein.",
        "It lives {0}.": "Er lebt {0}.",
        "There is no authorization object: the service will find no scopes in it.":
            "Es gibt kein Objekt authorization: Der Dienst wird keine Berechtigungen darin finden.",
        "Add \"authorization\": {\"tripid\": \"…\"} for a consumer or {\"vehicleid\": \"…\"} for a driver.":
            "\"authorization\": {\"tripid\": \"…\"} für Fahrgäste oder {\"vehicleid\": \"…\"} für Fahrer hinzufügen.",
        "There is an authorization object.": "Es gibt ein Objekt authorization.",
        "authorization.taskids is not an array.": "authorization.taskids ist kein Array.",
        "Write an array even for one: [\"*\"].": "Auch für eine einzige ein Array schreiben: [\"*\"].",
        "It is good for every trip, vehicle or task: * in {0}.":
            "Er gilt für jede Fahrt, jedes Fahrzeug oder jede Aufgabe: * in {0}.",
        "Give a client a token for its one trip or vehicle; keep wildcards on the server.": """
        Einem Client nur den Token für seine eine Fahrt oder sein Fahrzeug geben; Platzhalter bleiben auf \
        dem Server.
        """,
        "It names no trip and no vehicle.": "Er nennt keine Fahrt und kein Fahrzeug.",
        "It is good for one trip and one vehicle.": "Er gilt für eine Fahrt und ein Fahrzeug.",
        "It is good for one ID only.": "Er gilt nur für eine ID.",
        "Set authorization.{0} to the ID that is asked for.":
            "authorization.{0} auf die ID setzen, nach der gefragt wird.",
        "{0} is {1}.": "{0} ist {1}.",
        "{0} is {1}, and {2} was asked for.": "{0} ist {1}, gefragt wurde nach {2}.",
        "Ask the endpoint for the token of this ID, or look at how it caches.":
            "Den Endpunkt nach dem Token dieser ID fragen, oder ansehen, was er zwischenspeichert.",
        "It is a vehicle's token, and a trip's was asked for.":
            "Er ist der Token eines Fahrzeugs, gefragt wurde nach dem einer Fahrt.",
        "authorization.{0} is not text.": "authorization.{0} ist kein Text.",
        "authorization has no {0}.": "In authorization fehlt {0}.",
        "The signature has {0} bytes; that of a service account's key has 256.":
            "Die Signatur hat {0} Bytes; die eines Dienstkontos hat 256.",
        "Take the whole token: its end is lost easily by copying.":
            "Den ganzen Token nehmen: Beim Kopieren geht sein Ende leicht verloren.",
        "iss is {0}, which is no e-mail address.": "iss ist {0}, und das ist keine E-Mail-Adresse.",
        "Set iss and sub to the service account's e-mail address.":
            "iss und sub auf die E-Mail-Adresse des Dienstkontos setzen.",
        "iss and sub are {0}: whether that account belongs to {1} it does not tell.":
            "iss und sub sind {0}: Ob dieses Konto zu {1} gehört, geht daraus nicht hervor.",
        "alg is there, but it is not text.": "alg ist da, aber kein Text.",
        "kid is there, but it is not text.": "kid ist da, aber kein Text.",
        "Write the key's private_key_id between quotes.":
            "Die private_key_id des Schlüssels in Anführungszeichen schreiben.",
        "aud is there, but it is not text.": "aud ist da, aber kein Text.",
        "It is signed by another key: the signature does not belong to this public key, or the token was changed after it was signed.":
            "Er ist mit einem anderen Schlüssel signiert: Die Signatur gehört nicht zu diesem öffentlichen Schlüssel, oder der Token wurde nach dem Signieren geändert.",
        "The signature was not checked: {0} gave no certificates ({1}).":
            "Die Signatur wurde nicht geprüft: {0} lieferte keine Zertifikate ({1}).",
        "The signature was not checked: {0} has no certificates of {1}.":
            "Die Signatur wurde nicht geprüft: {0} hat keine Zertifikate von {1}.",
        "Compare iss with the service account's e-mail address; the account may have been deleted.":
            "iss mit der E-Mail-Adresse des Dienstkontos vergleichen; das Konto ist vielleicht gelöscht.",
        "kid is {0}, and {1} has no such key; it has {2}.":
            "kid ist {0}, und {1} hat keinen solchen Schlüssel; vorhanden: {2}.",
        "Sign with one of these keys and write its ID as kid; a key that was deleted needs a successor.":
            "Mit einem dieser Schlüssel signieren und dessen ID als kid schreiben; für einen gelöschten braucht es einen neuen.",
        "It is signed by another key than {0} of {1}.": "Er ist mit einem anderen Schlüssel als {0} von {1} signiert.",
        "It is signed by another key than those of {0}.":
            "Er ist mit einem anderen Schlüssel als denen von {0} signiert.",
        "Sign with the private key that kid and iss name, and hand the token on as it was signed.":
            "Mit dem privaten Schlüssel signieren, den kid und iss nennen, und den Token unverändert weitergeben.",
        "The signature belongs to key {0} of {1}.": "Die Signatur gehört zum Schlüssel {0} von {1}.",
        "It is signed by another key than kid says: by {0} of {1}.":
            "Er ist mit einem anderen Schlüssel signiert, als kid sagt: mit {0} von {1}.",
        "It lives {0} only: a new one is needed every few seconds.":
            "Er lebt nur {0}: Alle paar Sekunden ist ein neuer nötig.",
        "The signature belongs to this public key.": "Die Signatur gehört zu diesem öffentlichen Schlüssel.",
        "Compare kid with the key's ID; sign with the key that belongs to it.":
            "kid mit der ID des Schlüssels vergleichen; mit dem Schlüssel signieren, der dazugehört.",
        "There is a signature; a misspelt one can't be checked.":
            "Es gibt eine Signatur; falsch geschrieben ist sie nicht prüfbar.",
        "Write the ID of the key that signs as kid.": "Die ID des Schlüssels, der signiert, als kid schreiben.",
        "Use a service account of the project that owns the trips, give this one a role there, or correct the provider ID.":
            "Ein Dienstkonto des Projekts nehmen, dem die Fahrten gehören, diesem dort eine Rolle geben oder die Anbieter-ID berichtigen.",
        "Use a newer token; where this one came just now, its endpoint hands out old ones or its clock is wrong.":
            "Einen neueren Token nehmen; kam dieser gerade erst, gibt sein Endpunkt alte aus oder dessen Uhr geht falsch.",
    ]

    static let germanCaptions: [String: String] = [
        "A rider has asked for a taxi.": "Ein Fahrgast hat ein Taxi bestellt.",
        "Another rider gets in on the way.": "Unterwegs steigt noch jemand ein.",
        "Answers break off or make no sense; nothing of them is shown.":
            "Antworten brechen ab oder ergeben keinen Sinn; nichts davon wird gezeigt.",
        "Answers take eight seconds.": "Antworten brauchen acht Sekunden.",
        "Fewer questions are asked for.": "Um weniger Anfragen wird gebeten.",
        "First to the hotel, then to the office.": "Erst zum Hotel, dann zum Büro.",
        "For a minute nothing will be heard of the taxi; watch how its position gets old.":
            "Eine Minute lang hört man nichts vom Taxi; die Position altert sichtbar.",
        "In the tunnel its position is a guess; the circle shows how good a one.":
            "Im Tunnel ist die Position geschätzt; der Kreis zeigt, wie gut.",
        "No answers for a while; what was known stays and gets old.":
            "Eine Weile keine Antworten; was bekannt war, bleibt und altert.",
        "No new token for a minute; the old one serves as long as it lives.":
            "Eine Minute lang kein neuer Token; der alte dient, solange er lebt.",
        "Now it comes to you.": "Jetzt kommt es zu Ihnen.",
        "Now it is your turn.": "Jetzt sind Sie an der Reihe.",
        "One answer is refused; a new token is fetched at once.":
            "Eine Anfrage wird abgelehnt; sofort wird ein neuer Token geholt.",
        "Soon nothing moves for three minutes, and the time of arrival slides with every report.":
            "Bald steht drei Minuten alles still, und die Ankunft verschiebt sich mit jeder Meldung.",
        "Soon the road crosses the date line, and the map does not jump.":
            "Bald kreuzt die Straße die Datumsgrenze, und die Karte springt nicht.",
        "The boat comes.": "Das Boot kommt.",
        "The car comes; it will be shared.": "Der Wagen kommt; er wird geteilt.",
        "The clock behind the tokens will be three minutes off for once.":
            "Die Uhr hinter den Tokens wird einmal drei Minuten falsch gehen.",
        "The coach comes, ten minutes before midnight.": "Der Bus kommt, zehn Minuten vor Mitternacht.",
        "The driver has given up.": "Der Fahrer hat aufgegeben.",
        "The driver waits for a rider who is nowhere to be seen.":
            "Der Fahrer wartet auf einen Fahrgast, der nirgends zu sehen ist.",
        "The driver will leave the way that is shown, until the map shows a new one.":
            "Der Fahrer wird vom gezeigten Weg abweichen, bis die Karte einen neuen zeigt.",
        "The last part of the way.": "Das letzte Stück des Weges.",
        "The next token is for another trip; it is not used.":
            "Der nächste Token ist für eine andere Fahrt; er wird nicht verwendet.",
        "The other rider gets out first.": "Der andere Fahrgast steigt zuerst aus.",
        "The rider gets in.": "Der Fahrgast steigt ein.",
        "The rider has canceled; the taxi is free again.": "Der Fahrgast hat storniert; das Taxi ist wieder frei.",
        "The rider is there, later than was promised.": "Der Fahrgast ist da, später als versprochen.",
        "The rider is there.": "Der Fahrgast ist da.",
        "The rider will be there tomorrow.": "Der Fahrgast wird morgen da sein.",
        "The taxi brings another rider home first.": "Das Taxi bringt erst einen anderen Fahrgast nach Hause.",
        "The taxi comes, but the rider will not wait for it.": "Das Taxi kommt, aber der Fahrgast wartet nicht darauf.",
        "The taxi comes.": "Das Taxi kommt.",
        "The taxi drives the wrong way, and its time of arrival will pass before it comes.":
            "Das Taxi fährt in die falsche Richtung, und die Ankunftszeit verstreicht, bevor es kommt.",
        "There it is at last.": "Da ist es endlich.",
        "Two riders come out of the airport.": "Zwei Fahrgäste kommen aus dem Flughafen.",
        "Where the equator meets the prime meridian the rider gets in.":
            "Wo der Äquator den Nullmeridian trifft, steigt der Fahrgast ein.",
    ]
}
