import NIOHTTP2

extension HTTP2ErrorCode {
    /// The name of the code in RFC 9113, section 7, or its number.
    ///
    /// `nil` for a code that says nothing about the call: the server ended or refused it without a fault.
    var faultName: String? {
        switch self {
        case .noError, .cancel, .refusedStream: nil
        case .protocolError: "PROTOCOL_ERROR"
        case .internalError: "INTERNAL_ERROR"
        case .flowControlError: "FLOW_CONTROL_ERROR"
        case .settingsTimeout: "SETTINGS_TIMEOUT"
        case .streamClosed: "STREAM_CLOSED"
        case .frameSizeError: "FRAME_SIZE_ERROR"
        case .compressionError: "COMPRESSION_ERROR"
        case .connectError: "CONNECT_ERROR"
        case .enhanceYourCalm: "ENHANCE_YOUR_CALM"
        case .inadequateSecurity: "INADEQUATE_SECURITY"
        case .http11Required: "HTTP_1_1_REQUIRED"
        default: "\(networkCode)"
        }
    }
}
