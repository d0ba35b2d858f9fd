extension TokenProvider {
    /// Returns a token for a trip; see ``token(for:validFor:)``.
    ///
    /// - Throws: ``TokenError/noAuthorizationContext`` if the ID breaks the rules of Fleet Engine.
    public func token(forTrip id: String) async throws(TokenError) -> BearerToken {
        try await token(for: AuthorizationContext(trip: id))
    }

    /// Returns a token for a vehicle; see ``token(for:validFor:)``.
    ///
    /// - Throws: ``TokenError/noAuthorizationContext`` if the ID breaks the rules of Fleet Engine.
    public func token(forVehicle id: String) async throws(TokenError) -> BearerToken {
        try await token(for: AuthorizationContext(vehicle: id))
    }

    /// Sends a request with a token; if the service refuses the token with 401 or 403, once more with a new one.
    ///
    /// - Parameters:
    ///   - context: The trip or vehicle.
    ///   - send: Receives the value of the `Authorization` header, and returns the HTTP status.
    /// - Returns: The last status.
    /// - Throws: ``TokenError`` if there is no token, and the errors of `send`.
    public func request(
        for context: AuthorizationContext,
        send: (_ authorization: String) async throws -> Int
    ) async throws -> Int {
        let token = try await token(for: context)
        let status = try await send(token.authorizationHeaderValue)
        guard status == 401 || status == 403 else { return status }
        reject(token, for: context, status: .http(status))
        return try await send(self.token(for: context).authorizationHeaderValue)
    }
}

extension AuthorizationContext {
    /// Creates the subject of a token that can read one trip.
    ///
    /// - Throws: ``TokenError/noAuthorizationContext`` if the ID breaks the rules of Fleet Engine.
    public init(trip id: String) throws(TokenError) { try self.init(valid: .trip, id) }

    /// Creates the subject of a token that can report one vehicle.
    ///
    /// - Throws: ``TokenError/noAuthorizationContext`` if the ID breaks the rules of Fleet Engine.
    public init(vehicle id: String) throws(TokenError) { try self.init(valid: .vehicle, id) }

    private init(valid kind: Kind, _ id: String) throws(TokenError) {
        do { self = try AuthorizationContext(kind, id) } catch { throw .noAuthorizationContext }
    }
}
