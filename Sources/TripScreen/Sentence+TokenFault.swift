package import FleetTokens

extension Sentence {
    /// Why a token may not be used.
    package init(_ fault: TokenFault, say: Wording = .english) {
        switch fault {
        case .malformed: self.init("no JWT", "it is not a JWT", "Look at what the token source hands out.")
        case .tooLong(let bytes): self.init("too long", "it has \(bytes) bytes", "Look at what the source hands out.")
        case .opaque: self.init("no JWT", "it is not a JWT", "Fleet Engine takes signed JWTs only.")
        case .unsigned:
            self.init("not signed", "it has no signature", "Sign it with RS256 and a service account's key.")
        case .missingExpiry:
            self.init("no end", "neither it nor the endpoint says when it ends", "Put `exp` into it.")
        case .expiryInMilliseconds:
            self.init("exp in ms", "its `exp` is in milliseconds", "JWTs count in seconds: divide by 1000.")
        case .expired(let ago):
            self.init(
                "expired",
                "it was over \(say.span(ago)) before it came",
                "Compare the clocks; the endpoint may hand out an old token from a cache."
            )
        case .tooShort(let left):
            self.init("too short", "it has only \(say.span(left)) left", "Let the endpoint make longer-lived ones.")
        case .tooLongLived(let life):
            self.init(
                "lives too long",
                "it lives \(say.span(life)), and Fleet Engine takes one hour at most",
                "Set `exp` to `iat` plus 3600 or less."
            )
        case .issuedInFuture(let lead):
            self.init(
                "issued in future",
                "it says that it was issued \(say.span(lead)) from now",
                "Compare the clocks of the endpoint and of this machine."
            )
        case .wrongAudience:
            self.init(
                "wrong audience",
                "its `aud` is not the service's address",
                "It has to be https://fleetengine.googleapis.com/ with the slash at the end."
            )
        case .authorizationMissing:
            self.init(
                "no authorization",
                "it has no `authorization` claim, so that it allows nothing",
                "Sign it with {\"tripid\": …} in `authorization`."
            )
        case .boundToAnother:
            self.init(
                "for another trip",
                "it is for another trip or vehicle",
                "Check that --token-url has {tripId} in the right place and that the endpoint uses it."
            )
        case .wrongKind:
            self.init(
                "wrong kind",
                "it is a driver's token where a rider's is needed",
                "Ask the endpoint for the other kind."
            )
        case .overBroad:
            self.init("too broad", "it is good for every trip", "A client must hold tokens for single trips only.")
        case .sameTokenAgain:
            self.init(
                "same again",
                "it is the one that the service has just refused",
                "The endpoint answers from a cache: let it make a new one."
            )
        }
    }

    /// What is odd about a token that is used all the same.
    package init(_ warning: TokenWarning, say: Wording = .english) {
        switch warning {
        case .expiryDisagreement:
            self.init("two ends", "Token and endpoint name different ends of the token; the earlier one counts")
        case .opaque: self.init("opaque", "The token is not a JWT: nothing about it could be checked")
        case .assumedLifetime(let life):
            self.init("end assumed", "Nobody says when the token ends; \(say.span(life)) are assumed")
        case .clockDiffers(let offset):
            let side = offset < .zero ? "behind" : "ahead of"
            self.init(
                "clocks differ",
                "The service's clock is \(say.span(offset)) \(side) ours",
                "Set this machine's clock."
            )
        case .unusualAlgorithm:
            self.init("not RS256", "The token is not signed with RS256, which Fleet Engine asks for")
        case .wildcard: self.init("wildcard", "The token is good for every trip or vehicle")
        case .readableByOthers:
            self.init("file open", "Others can read the token's file", "Take their right to read it: chmod 600.")
        }
    }
}
