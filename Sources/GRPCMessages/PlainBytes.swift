package import GRPCCore

/// Messages without interpretation, so that their size is known and one handler serves all types.
package struct PlainBytes: MessageSerializer, MessageDeserializer {
    package init() {}

    package func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Bytes { Bytes(message) }

    package func deserialize<Bytes: GRPCContiguousBytes>(_ serialized: Bytes) throws -> [UInt8] {
        unsafe serialized.withUnsafeBytes { unsafe Array($0) }
    }
}
