import Foundation
package import TripModel

extension TokenInspection {
    /// Returns why a provider would reject the token for a trip or vehicle; `nil` if it would accept it.
    ///
    /// Without a context, the trip or vehicle in the token is used.
    package func fault(for context: AuthorizationContext?, at now: Moment) -> TokenFault? {
        // A claim that is not a valid ID names no trip or vehicle that a token could be for.
        let own =
            claims?.tripID.flatMap { try? AuthorizationContext.trip(TripID($0)) }
            ?? claims?.vehicleID.flatMap { try? AuthorizationContext.vehicle(VehicleID($0)) }
        let admission = TokenAdmission(expectations: TokenExpectations(), policy: .standard)
        // A token without either claim is rejected for that reason, whatever the context is. "x" is a valid ID.
        guard let context = context ?? own ?? (try? AuthorizationContext.trip(TripID("x"))) else { return nil }
        do throws(TokenFault) {
            _ = try admission.admit(IssuedToken(text.text), for: context, sentAt: now, receivedAt: now)
            return nil
        } catch {
            return error
        }
    }
}
