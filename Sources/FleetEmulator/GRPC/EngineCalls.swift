import Failures
import FleetWire
import GRPCCore
import GRPCMessages
import SwiftProtobuf
import Synchronization

/// The gRPC services, which perform each call as the REST request with the same meaning.
///
/// The service behind REST decodes and encodes JSON, so messages are converted with ProtoJSON in both directions. Rules,
/// authorization and faults are therefore the same for both protocols. The routing header `x-goog-request-params` is ignored,
/// because Google's clients send it for some calls only.
final class EngineCalls: RegistrableRPCService {
    /// The service of this process.
    private let engine: HTTPTransport
    private let isShuttingDown = Mutex(false)

    init(engine: HTTPTransport) {
        self.engine = engine
    }

    /// From now on, a cancelled call is UNAVAILABLE, which clients may repeat elsewhere.
    func shutDown() {
        isShuttingDown.withLock { $0 = true }
    }

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        for method in RESTMethod.all {
            router.registerHandler(
                forMethod: MethodDescriptor(method),
                deserializer: PlainBytes(),
                serializer: PlainBytes()
            ) { request, context in
                let request = try await ServerRequest(stream: request)
                return StreamingServerResponse(single: try await self.perform(method, request, context))
            }
        }
    }

    /// Performs a call.
    ///
    /// - Parameters:
    ///   - method: The method that is called.
    ///   - request: The call with its serialized message.
    ///   - context: The context, whose cancellation ends the call.
    /// - Returns: The answer of the service as a serialized message.
    /// - Throws: The call's `RPCError`.
    func perform(
        _ method: RESTMethod,
        _ request: ServerRequest<[UInt8]>,
        _ context: ServerContext
    ) async throws(RPCError) -> ServerResponse<[UInt8]> {
        let message: any Message
        do {
            message = try method.request.init(serializedBytes: request.message)
        } catch {
            let text = "Can't deserialize to message of type \(method.request)."
            throw RPCError(code: .invalidArgument, message: text, cause: error)
        }
        let rest: RESTRequest
        do throws(RPCError) {
            rest = try RESTRequest(method, message)
        } catch {
            // The service checks the token first, also of a request that it does not understand.
            let answer = try await send(.ofNoMethod, request.metadata, context, refusal: error)
            throw answer.status == 404 ? error : RPCError(answer)
        }
        let answer = try await send(rest, request.metadata, context)
        guard answer.status == 200 else { throw RPCError(answer) }
        var options = JSONDecodingOptions()
        // A recording may contain enum names that the schema does not have.
        options.ignoreUnknownFields = true
        do {
            let message = try method.answer.init(jsonUTF8Bytes: answer.body, options: options)
            return ServerResponse(message: try message.serializedBytes(), metadata: Metadata(dateOf: answer))
        } catch {
            throw RPCError(
                code: .internalError,
                message: "The answer is not a \(method.answer.protoMessageName).",
                metadata: Metadata(dateOf: answer),
                cause: error
            )
        }
    }

    /// Sends a request, and cancels it with the call.
    private func send(
        _ rest: RESTRequest,
        _ metadata: Metadata,
        _ context: ServerContext,
        refusal: RPCError? = nil
    ) async throws(RPCError) -> HTTPTransportResponse {
        // Several values are one list by the rules of HTTP; a list of tokens is not a token.
        let headers = ["authorization", "user-agent", "x-goog-fieldmask", "x-goog-user-project"].compactMap { name in
            let values = Array(metadata[stringValues: name])
            return values.isEmpty ? nil : (name, values.joined(separator: ", "))
        }
        let request = HTTPTransportRequest(
            method: rest.method,
            url: RequestRouter.engineOrigin + rest.target,
            headers: headers + PlainRequest.Remote.headers(of: context.descriptor, refusal: refusal),
            body: rest.body,
            // The client's deadline cancels the call.
            timeout: .seconds(3600)
        )
        let engine = engine
        let answer = await withTaskGroup(of: Result<HTTPTransportResponse, Failure>?.self) { group in
            group.addTask {
                do throws(Failure) {
                    return .success(try await engine.send(request))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                // It throws if the answer came first and this task is cancelled.
                try? await context.cancellation.cancelled
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        switch answer {
        case .success(let answer): return answer
        case .failure(let error): throw RPCError(error)
        case nil:
            if isShuttingDown.withLock(\.self) {
                throw RPCError(code: .unavailable, message: "The emulator is shutting down.")
            }
            throw metadata["grpc-timeout"].contains { _ in true }
                ? RPCError(code: .deadlineExceeded, message: "The deadline has passed.")
                : RPCError(code: .cancelled, message: "The call was cancelled.")
        }
    }
}

extension MethodDescriptor {
    /// Creates the name of a method over gRPC.
    init(_ method: RESTMethod) {
        self.init(fullyQualifiedService: method.service, method: method.name, type: .unary)
    }
}

extension Metadata {
    /// Creates the metadata with the time of the service, which Google's servers send with every answer, and with the mark of
    /// injected faults.
    init(dateOf answer: HTTPTransportResponse) {
        self = answer.header("date").map { ["date": .string($0)] } ?? [:]
        if let mark = answer.header(InjectedFault.header) { addString(mark, forKey: InjectedFault.header) }
    }
}
