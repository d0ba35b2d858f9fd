package import SwiftProtobuf

extension FieldMask {
    /// The mask as a message: its names are in snake_case.
    fileprivate var message: Google_Protobuf_FieldMask {
        Google_Protobuf_FieldMask(
            protoPaths: paths.map { path in
                path.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
            }
        )
    }
}

extension Message where Self: Equatable, Self: _ProtoNameProviding {
    /// Replaces the fields that a mask names by the fields of another message.
    ///
    /// A field that is not set there is cleared. A merge by SwiftProtobuf alone retains a message that is not set in the source,
    /// so the result is merged from both sides.
    package mutating func replace(_ mask: FieldMask, by source: Self) {
        guard !mask.paths.isEmpty else { return }
        let replaced = mask.message
        var options = Google_Protobuf_FieldMask.MergeOptions()
        options.replaceRepeatedFields = true
        var result = Self()
        do {
            // A new resource has nothing to retain.
            if self != result {
                let retained = Google_Protobuf_FieldMask(allFieldsOf: Self.self).subtract(replaced)
                try result.merge(from: self, fieldMask: retained, mergeOption: options)
            }
            try result.merge(from: source, fieldMask: replaced, mergeOption: options)
        } catch {
            preconditionFailure("the fields of a \(Self.protoMessageName) could not be merged: \(error)")
        }
        self = result
    }
}
