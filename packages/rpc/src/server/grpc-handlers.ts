import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { MethodImplSpec } from "@connectrpc/connect";
import type {
  handleBidiStreamingCall,
  handleClientStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  ServerDuplexStream,
  ServerWritableStream,
} from "@grpc/grpc-js";
import { runForCall } from "@storefront/call-scope";
import { runForSpan } from "@storefront/telemetry";
import type { Readable, Writable } from "node:stream";
import { drained } from "../drained.ts";
import { GrpcCallScope } from "./grpc-call-scope.ts";
import type { GrpcCallDependencies } from "./grpc-call-scope.ts";

type Spec<Kind extends MethodImplSpec["kind"]> = Extract<MethodImplSpec, { kind: Kind }>;

export function unaryHandler(
  spec: Spec<"unary">,
  dependencies: GrpcCallDependencies,
): handleUnaryCall<Buffer, Buffer> {
  const { input, output } = spec.method;
  return (call, callback) => {
    const scope = new GrpcCallScope(call, spec, dependencies);
    const succeed = (message: MessageInitShape<DescMessage>): void => {
      if (scope.hasEnded) return;
      const bytes = scope.encode(output, message);
      callback(null, bytes, scope.succeed());
    };
    const fail = (error: unknown): void => {
      if (!scope.hasEnded) callback(scope.fail(error));
    };
    try {
      scope.authorize();
      const message = scope.decode(input, call.request);
      const { span, context } = scope;
      const handle = () => spec.impl(message, context);
      const result = runForCall(
        context,
        span === undefined ? handle : () => runForSpan(span, handle),
      );
      // Most reads wait for a database, some answer from memory; these need no promise.
      if (result instanceof Promise) {
        scope.failAtDeadline(fail);
        result.then(succeed).catch(fail);
      } else succeed(result);
    } catch (error) {
      fail(error);
    }
  };
}

export function clientStreamingHandler(
  spec: Spec<"client_streaming">,
  dependencies: GrpcCallDependencies,
): handleClientStreamingCall<Buffer, Buffer> {
  const { input, output } = spec.method;
  return (call, callback) => {
    const scope = new GrpcCallScope(call, spec, dependencies);
    const answer = async (): Promise<void> => {
      try {
        scope.authorize();
        const message = await spec.impl(readAll(call, input, scope), scope.context);
        const bytes = scope.encode(output, message);
        callback(null, bytes, scope.succeed());
      } catch (error) {
        callback(scope.fail(error));
      }
    };
    void runForCall(scope.context, answer);
  };
}

export function serverStreamingHandler(
  spec: Spec<"server_streaming">,
  dependencies: GrpcCallDependencies,
): handleServerStreamingCall<Buffer, Buffer> {
  const { input, output } = spec.method;
  return (call) => {
    const scope = new GrpcCallScope(call, spec, dependencies);
    answerStream(call, output, scope, () =>
      spec.impl(scope.decode(input, call.request), scope.context),
    );
  };
}

export function bidiStreamingHandler(
  spec: Spec<"bidi_streaming">,
  dependencies: GrpcCallDependencies,
): handleBidiStreamingCall<Buffer, Buffer> {
  const { input, output } = spec.method;
  return (call) => {
    const scope = new GrpcCallScope(call, spec, dependencies);
    answerStream(call, output, scope, () => spec.impl(readAll(call, input, scope), scope.context));
  };
}

/** Answers with the messages that a handler yields, or with its failure. */
function answerStream(
  call: ServerWritableStream<Buffer, Buffer> | ServerDuplexStream<Buffer, Buffer>,
  output: DescMessage,
  scope: GrpcCallScope,
  handle: () => AsyncIterable<MessageInitShape<DescMessage>>,
): void {
  const answer = async (): Promise<void> => {
    scope.authorize();
    await writeAll(call, output, handle(), scope);
    call.end(scope.succeed());
  };
  runForCall(scope.context, answer).catch((error: unknown) =>
    call.emit("error", scope.fail(error)),
  );
}

async function* readAll<I extends DescMessage>(
  call: Readable,
  input: I,
  scope: GrpcCallScope,
): AsyncGenerator<MessageShape<I>> {
  // A handler that stops reading can still answer, so the stream stays whole.
  const pieces: AsyncIterable<Buffer> = call.iterator({ destroyOnReturn: false });
  for await (const bytes of pieces) yield scope.decode(input, bytes);
}

async function writeAll<O extends DescMessage>(
  call: Writable,
  output: O,
  messages: AsyncIterable<MessageInitShape<O>>,
  scope: GrpcCallScope,
): Promise<void> {
  for await (const message of messages) {
    if (scope.context.abortReason !== undefined) throw scope.context.abortReason;
    if (!call.write(scope.encode(output, message))) await drained(call, "cancelled");
  }
  if (scope.context.abortReason !== undefined) throw scope.context.abortReason;
  scope.sendHeaders();
}
