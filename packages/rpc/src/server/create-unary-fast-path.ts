import { Code, ConnectError } from "@connectrpc/connect";
import { codeToHttpStatus, errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tooLarge, requestLimitBytes } from "../limits.ts";
import { toHeaders } from "../to-headers.ts";
import { canceled } from "./call-context.ts";
import { discardRest } from "./create-http-server.ts";
import type { Procedure, ProvidedService } from "./provide.ts";
import { ServerCall } from "./server-call.ts";
import type { CallDependencies, UnaryResponder } from "./server-call.ts";

const contentTypeProto = "application/proto";

/**
 * Serves unary calls of the Connect protocol with binary messages directly over node:http. Returns false,
 * without an effect, for every other request.
 *
 * Protocol: https://connectrpc.com/docs/protocol#unary-rpcs
 */
export function createUnaryFastPath(
  services: readonly ProvidedService[],
  dependencies: CallDependencies,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const procedures = new Map<string, [Procedure<"unary">, ProvidedService["authorize"]]>();
  for (const { service, methods, authorize } of services) {
    for (const procedure of methods) {
      if (procedure.kind !== "unary") continue;
      procedures.set(`/${service.typeName}/${procedure.method.name}`, [procedure, authorize]);
    }
  }

  return (request, response) => {
    const found = procedures.get(request.url ?? "");
    if (found === undefined || request.method !== "POST") return false;
    const { headers } = request;
    if (headers["content-type"] !== contentTypeProto) return false;
    if ((headers["content-encoding"] ?? "identity") !== "identity") return false;
    const [procedure, authorize] = found;
    new UnaryExchange(procedure, request, response, dependencies).start(authorize);
    return true;
  };
}

/** The HTTP exchange of one call. */
class UnaryExchange implements UnaryResponder {
  readonly #procedure: Procedure<"unary">;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #call: ServerCall;

  constructor(
    procedure: Procedure<"unary">,
    request: IncomingMessage,
    response: ServerResponse,
    dependencies: CallDependencies,
  ) {
    this.#procedure = procedure;
    this.#request = request;
    this.#response = response;
    const { headers } = request;
    const timeout = headers["connect-timeout-ms"];
    this.#call = new ServerCall(
      procedure,
      {
        method: procedure.method,
        protocolName: "connect",
        url: request.url ?? "",
        deadlineMs: timeout === undefined ? undefined : Date.now() + Number(timeout),
        traceparent: headers["traceparent"]?.toString(),
        tracestate: headers["tracestate"]?.toString(),
        readHeaders: () => toHeaders(headers),
      },
      dependencies,
    );
  }

  start(authorize: ProvidedService["authorize"]): void {
    try {
      const { headers } = this.#request;
      authorize(headers.authorization);
      checkTimeout(headers["connect-timeout-ms"]);
      if (Number(headers["content-length"] ?? 0) > requestLimitBytes)
        throw tooLarge("message", requestLimitBytes);
    } catch (error) {
      this.#refuseUnread(error);
      return;
    }
    this.#response.on("close", this.#onClose);
    this.#readBody();
  }

  #readBody(): void {
    // Nearly every body arrives in one chunk.
    let body: Buffer | undefined;
    let pieces: Buffer[] | undefined;
    let sizeBytes = 0;
    this.#request.on("data", (piece: Buffer) => {
      sizeBytes += piece.length;
      if (sizeBytes > requestLimitBytes) {
        this.#refuseUnread(tooLarge("message", requestLimitBytes));
      } else if (body === undefined) body = piece;
      else if (pieces === undefined) pieces = [body, piece];
      else pieces.push(piece);
    });
    this.#request.on("end", () => {
      if (this.#call.hasEnded) return;
      const whole = pieces === undefined ? (body ?? new Uint8Array()) : Buffer.concat(pieces);
      this.#call.respond(this.#procedure, whole, this);
    });
  }

  #refuseUnread(error: unknown): void {
    if (!this.#call.hasEnded) this.refuse(this.#call.fail(error));
    discardRest(this.#request);
  }

  readonly #onClose = (): void => {
    if (this.#call.hasEnded) return;
    const reason = canceled();
    this.#call.abort(reason);
    this.#call.end(this.#call.abortReason);
  };

  send(bytes: Uint8Array): void {
    this.#write(200, contentTypeProto, bytes, this.#metadata());
  }

  refuse(error: ConnectError): void {
    if (!error.isWireError) {
      for (const [name, value] of error.metadata) this.#call.responseHeader.append(name, value);
    }
    const body = errorToJsonBytes(error, undefined);
    const status = codeToHttpStatus(error.code);
    try {
      this.#write(status, "application/json", body, this.#metadata());
    } catch {
      // The handler has set an invalid HTTP header.
      this.#write(status, "application/json", body, []);
    }
  }

  /** The headers and trailers that the handler has set: name, value, name, value. */
  #metadata(): string[] {
    const { setHeader, setTrailer } = this.#call;
    const metadata: string[] = [];
    if (setHeader !== undefined) for (const [name, value] of setHeader) metadata.push(name, value);
    if (setTrailer !== undefined) {
      for (const [name, value] of setTrailer) metadata.push(`trailer-${name}`, value);
    }
    return metadata;
  }

  /** @throws before anything is sent, if a header is invalid. */
  #write(status: number, contentType: string, body: Uint8Array, metadata: string[]): void {
    const headers = ["content-type", contentType, "content-length", String(body.length)];
    this.#response.writeHead(status, metadata.length === 0 ? headers : headers.concat(metadata));
    this.#response.end(body);
  }
}

function checkTimeout(value: string | string[] | undefined): void {
  if (value === undefined || (typeof value === "string" && /^\d{1,10}$/.test(value))) return;
  throw new ConnectError("connect-timeout-ms must be up to 10 digits", Code.InvalidArgument);
}
