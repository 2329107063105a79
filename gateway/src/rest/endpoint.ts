import type { IncomingMessage } from "node:http";
import type { Question } from "../cache/question.ts";
import type { RouteEndpoint } from "../http/route-table.ts";
import type { ListedBody } from "../http/representations.ts";
import type { EventStream, FileResponse } from "../http/send-stream.ts";
import type { Deprecation } from "../operations/operation.ts";
import type { RequestContext } from "../upstream/request-context.ts";

export interface EndpointRequest {
  /** Percent-decoded values of the path parameters, in the path's order. */
  pathValues: readonly string[];
  query: string;
  message: IncomingMessage;
  clientAddress: string;
}

export type EndpointResponse =
  | { status: number; body: string | Buffer }
  | EventStream
  | FileResponse;

/** A request, read and checked, whose response is not stored. */
export interface UncachedQuestion {
  respond: (ctx: RequestContext) => EndpointResponse | Promise<EndpointResponse>;
}

type Asked = Question | UncachedQuestion;

/** One method of one path. Failures are thrown. */
export interface Endpoint extends RouteEndpoint {
  /** The operation's id. */
  operation: string;
  /** Of the bodies; default: JSON. Failures are JSON. */
  contentType?: string;
  /** Default: bodies are no parts of a list. */
  listed?: ListedBody | undefined;
  /** Whether clients and proxies may store responses; default false. */
  storable?: boolean;
  /** Named by headers of every response, failures included; default: not deprecated. */
  deprecated?: Deprecation | undefined;
  /** Whether responses depend on the country, and so on its cookie; default false. */
  takesCountry?: boolean;
  /** Reads and checks a request. The response cache, if there is one, responds to a `Question`. */
  ask(request: EndpointRequest): Asked | Promise<Asked>;
}
