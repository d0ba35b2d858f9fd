import Runtime
import SwiftProtobuf

/// The path of a value in a message, such as `remainingWaypoints[2].eta`.
struct MessagePath {
    /// The path; empty for the message itself.
    private(set) var text = ""

    /// Returns the path of a member.
    func member(_ name: String) -> MessagePath { MessagePath(text: text.isEmpty ? name : "\(text).\(name)") }

    /// Returns the path of an element.
    func element(_ index: Int) -> MessagePath { MessagePath(text: "\(text)[\(index)]") }
}

/// The text around a value, so that the value is in its place within an otherwise empty message.
struct Frame {
    private(set) var start: [UInt8] = []
    private(set) var end: [UInt8] = []

    /// Returns the frame of a member of an object in this frame; the key has its quotation marks.
    func member(_ key: some Sequence<UInt8>) -> Frame {
        Frame(start: start + Array("{".utf8) + key + Array(":".utf8), end: Array("}".utf8) + end)
    }

    /// The frame of an element of a list in this frame.
    var list: Frame { Frame(start: start + Array("[".utf8), end: Array("]".utf8) + end) }

    /// Returns why SwiftProtobuf refuses a value in this frame; `nil` if it accepts it.
    func refusal(of value: some Sequence<UInt8>, in message: (some Message).Type) -> JSONDecodingError? {
        do {
            _ = try message.init(jsonUTF8Bytes: start + Array(value) + end)
            return nil
        } catch {
            return error as? JSONDecodingError ?? .failure
        }
    }
}

/// The kind of value that a field has.
enum ExpectedValue {
    case text, enumeration, timestamp, duration, flag, number, integer, object, list

    /// The kind in the words of JSON.
    var inAnswers: String {
        switch self {
        case .text, .enumeration, .timestamp, .duration: "a string"
        case .flag: "a boolean"
        case .number, .integer: "a number"
        case .object: "an object"
        case .list: "a list"
        }
    }

    /// The kind for the caller of a service.
    var inRequests: String {
        switch self {
        case .integer: "a whole number of 32 bits"
        case .timestamp: "a timestamp of RFC 3339"
        case .duration: "a duration such as \"3.5s\""
        case .enumeration: "the name of a value"
        case .text, .flag, .number, .object, .list: inAnswers
        }
    }
}

extension JSONValue {
    /// The type for messages, with the beginning of a text.
    var shortText: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number(let number): "\(number)"
        case .string(let text): "\"\(text.prefix(40))\""
        case .array: "a list"
        case .object: "an object"
        }
    }
}
