import Foundation
package import TripModel

extension TokenInspection {
    /// Why a provider would not use the token for a trip or vehicle, or for the one that it names itself; `nil` where it would.
    package func fault(for context: AuthorizationContext?, at now: Moment) -> TokenFault? {
        let own =
            claims?.tripID.flatMap { try? AuthorizationContext.trip(TripID($0)) }
            ?? claims?.vehicleID.flatMap { try? AuthorizationContext.vehicle(VehicleID($0)) }
        let admission = TokenAdmission(expectations: TokenExpectations(), policy: .standard)
        // A token that names neither is refused for that, whatever it is asked for.
        guard let context = context ?? own ?? (try? AuthorizationContext.trip(TripID("x"))) else { return nil }
        do throws(TokenFault) {
            _ = try admission.admit(IssuedToken(text.text), for: context, sentAt: now, receivedAt: now)
            return nil
        } catch {
            return error
        }
    }
}
