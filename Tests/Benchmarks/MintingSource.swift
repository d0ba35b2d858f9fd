import Failures
import FleetTokens
import Foundation
import Runtime
import TripModel

/// Creates tokens on the spot, with the length of real ones and a signature that is not checked.
struct MintingSource: TokenSource {
    let name = "benchmark"
    let clock: any TripClock

    func fetch(_ context: AuthorizationContext, reason: FetchReason) async throws(Failure) -> IssuedToken {
        IssuedToken(Self.token(context, at: Int(clock.now().wall.timeIntervalSince1970)))
    }

    static func token(_ context: AuthorizationContext, at now: Int) -> String {
        let claims =
            #"{"iss":"server@project.iam.gserviceaccount.com","sub":"server@project.iam.gserviceaccount.com","#
            + #""aud":"https://fleetengine.googleapis.com/","iat":\#(now - 30),"exp":\#(now + 3300),"#
            + #""authorization":{"tripid":"\#(context.id)"}}"#
        let header = Base64URL.encode(Array(#"{"alg":"RS256","typ":"JWT","kid":"0123456789abcdef0123456789"}"#.utf8))
        let signature = Base64URL.encode([UInt8](repeating: 7, count: 256))
        return "\(header).\(Base64URL.encode(Array(claims.utf8))).\(signature)"
    }

    /// A key with an ID of 47 bytes, the length of a UUID with a prefix.
    static func context(_ index: Int) throws -> AuthorizationContext {
        let digits = String(index)
        let padded = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        return .trip(try TripID("trip-\(padded)-abcdefghijklmnopqrstuvwxyz0123456789"))
    }
}
