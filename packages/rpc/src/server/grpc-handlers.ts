import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import type {
  Metadata,
  sendUnaryData,
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
  UntypedHandleCall,
} from "@grpc/grpc-js";
import type { EventEmitter } from "node:events";
import type { Readable } from "node:stream";
import { drained, toGrpcStatus, toHeaders, toMetadata } from "../grpc-js.ts";
import type { GrpcStatus } from "../grpc-js.ts";
import { canceled, deadlineExceeded } from "./call-context.ts";
import type { Procedure, ProvidedService } from "./provide.ts";
import { ServerCall } from "./server-call.ts";
import type { CallDependencies } from "./server-call.ts";

/** Dependencies of the gRPC handlers of a service. */
export interface GrpcCallDependencies extends CallDependencies {
  authorize: ProvidedService["authorize"];
}

/** The handler of a procedure for grpc-js, which transports bytes. */
export function grpcHandler(
  procedure: Procedure,
  dependencies: GrpcCallDependencies,
): UntypedHandleCall {
  const begin = (surface: SurfaceCall) => new GrpcCall(surface, procedure, dependencies);
  switch (procedure.kind) {
    case "unary":
      return (surface: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>) => {
        const call = begin(surface);
        const refuse = (error: ConnectError): void => callback(call.statusOf(error));
        try {
          call.authorize();
        } catch (error) {
          refuse(call.fail(error));
          return;
        }
        call.respond(procedure, surface.request, {
          send: (bytes) => callback(null, call.toBuffer(bytes), call.trailer()),
          refuse,
        });
      };
    case "client_streaming":
      return (surface: ServerReadableStream<Buffer, Buffer>, callback: sendUnaryData<Buffer>) => {
        const call = begin(surface);
        const respond = async (): Promise<void> => {
          try {
            call.authorize();
            const message = await procedure.impl(readAll(surface, call), call);
            callback(null, call.toBuffer(call.encode(message)), call.trailer());
            call.end();
          } catch (error) {
            callback(call.statusOf(call.fail(error)));
          }
        };
        void call.run(respond);
      };
    case "server_streaming":
      return (surface: ServerWritableStream<Buffer, Buffer>) => {
        const call = begin(surface);
        respondWithAll(surface, call, () => procedure.impl(call.decode(surface.request), call));
      };
    case "bidi_streaming":
    default:
      return (surface: ServerDuplexStream<Buffer, Buffer>) => {
        const call = begin(surface);
        respondWithAll(surface, call, () => procedure.impl(readAll(surface, call), call));
      };
  }
}

type SurfaceCall = EventEmitter &
  Pick<ServerUnaryCall<Buffer, Buffer>, "metadata" | "getDeadline" | "getPath" | "sendMetadata">;

class GrpcCall extends ServerCall {
  readonly #call: SurfaceCall;
  readonly #authorize: ProvidedService["authorize"];
  #headersSent = false;

  constructor(call: SurfaceCall, procedure: Procedure, dependencies: GrpcCallDependencies) {
    const { metadata } = call;
    const deadlineMs = Number(call.getDeadline());
    super(
      procedure,
      {
        method: procedure.method,
        protocolName: "grpc",
        url: call.getPath(),
        deadlineMs: deadlineMs === Infinity ? undefined : deadlineMs,
        traceparent: metadata.get("traceparent").join(",") || undefined,
        tracestate: metadata.get("tracestate").join(",") || undefined,
        readHeaders: () => toHeaders(metadata),
      },
      dependencies,
    );
    this.#call = call;
    this.#authorize = dependencies.authorize;
    call.on("cancelled", () => {
      this.abort(Date.now() >= this.deadlineMs ? deadlineExceeded() : canceled());
    });
  }

  /** Throws unless the call may be made. */
  authorize(): void {
    this.#authorize(this.#call.metadata.get("authorization")[0]?.toString());
  }

  /** A message for grpc-js; before the first, the headers that the handler has set are sent. */
  toBuffer(bytes: Uint8Array): Buffer {
    this.sendHeaders();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  sendHeaders(): void {
    const { setHeader } = this;
    if (setHeader === undefined || this.#headersSent) return;
    this.#headersSent = true;
    this.#call.sendMetadata(toMetadata(setHeader));
  }

  /** Trailers after the last message. */
  trailer(): Metadata | undefined {
    return this.setTrailer === undefined ? undefined : toMetadata(this.setTrailer);
  }

  statusOf(error: ConnectError): GrpcStatus {
    this.sendHeaders();
    return toGrpcStatus(error, this.setTrailer);
  }
}

/** Sends the messages that a handler yields, or its error. */
function respondWithAll(
  surface: ServerWritableStream<Buffer, Buffer> | ServerDuplexStream<Buffer, Buffer>,
  call: GrpcCall,
  handle: () => AsyncIterable<MessageInitShape<DescMessage>>,
): void {
  const respond = async (): Promise<void> => {
    call.authorize();
    for await (const message of handle()) {
      if (call.abortReason !== undefined) throw call.abortReason;
      if (!surface.write(call.toBuffer(call.encode(message)))) await drained(surface, "cancelled");
    }
    if (call.abortReason !== undefined) throw call.abortReason;
    call.sendHeaders();
    surface.end(call.trailer());
    call.end();
  };
  call
    .run(respond)
    .catch((error: unknown) => surface.emit("error", call.statusOf(call.fail(error))));
}

async function* readAll(
  surface: Readable,
  call: GrpcCall,
): AsyncGenerator<MessageShape<DescMessage>> {
  // A handler that stops reading can still respond, so the stream is not destroyed.
  const pieces: AsyncIterable<Buffer> = surface.iterator({ destroyOnReturn: false });
  for await (const bytes of pieces) yield call.decode(bytes);
}
