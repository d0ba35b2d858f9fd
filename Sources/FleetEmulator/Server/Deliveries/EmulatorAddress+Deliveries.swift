package import FleetTokens

/// The URLs of the token endpoint for deliveries; ``TokenEndpoint`` lists its paths.
extension EmulatorAddress {
    /// The URL template of the recipients' token endpoint; `{trackingId}` is replaced by the ID.
    package var trackingTokenURL: String { tokenURL("delivery_consumer/{trackingId}") }
    /// The URL template of the token endpoint of delivery drivers; `{deliveryVehicleId}` is replaced by the ID.
    package var deliveryVehicleTokenURL: String { tokenURL("delivery_driver/{deliveryVehicleId}") }
    /// The URL template of the token endpoint of drivers who also change the stops; `{deliveryVehicleId}` is replaced.
    package var trustedDeliveryVehicleTokenURL: String { tokenURL("trusted_delivery_driver/{deliveryVehicleId}") }
    /// The URL of the token endpoint for tokens that cover all tasks and delivery vehicles.
    package var deliveryServerTokenURL: String { tokenURL("delivery_server") }

    private func tokenURL(_ path: String) -> String { serverTokenURL.dropLast("server".count) + path }

    /// How a client reads the token endpoint's answers about deliveries.
    package var deliveryTokenFormat: TokenAnswerFormat {
        tokenFormat == TokenEndpointFormat().answerFormat ? TokenEndpointFormat.snakeCase.answerFormat : tokenFormat
    }
}
