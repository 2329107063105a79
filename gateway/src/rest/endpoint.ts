import type { IncomingMessage } from "node:http";
import type { Question } from "../cache/question.ts";
import type { RouteEndpoint } from "../http/route-table.ts";
import type { EventStream, FileResponse } from "../http/send-stream.ts";
import type { RequestContext } from "../upstream/request-context.ts";

/** What an endpoint learns of a request. */
export interface EndpointRequest {
  /** Percent-decoded values of the path parameters, in the path's order. */
  pathValues: string[];
  query: string;
  message: IncomingMessage;
}

/** A whole answer. */
export interface WholeResponse {
  status: number;
  body: string | Buffer;
}

/** What an endpoint answers. */
export type EndpointResponse = WholeResponse | EventStream | FileResponse;

/** One method of one path. Failures are thrown. */
export interface Endpoint extends RouteEndpoint {
  /** What metrics call it: the operation's id. */
  operation: string;
  /** Of the bodies; default: JSON. Failures are JSON. */
  contentType?: string;
  /** Whether answers may be kept by clients and proxies. */
  storable: boolean;
  /** What every answer says of the operation's end, failures included: names and values in turn; default nothing. */
  deprecationHeaders?: readonly string[];
  /** Whether answers depend on the country, and so on its cookie. */
  takesCountry: boolean;
  /** Reads and checks a request; what comes back answers it. */
  ask(request: EndpointRequest): Promise<(ctx: RequestContext) => Promise<EndpointResponse>>;
  /** What a request asks; absent where answers are never kept. Fails as `ask` does. */
  question?(request: EndpointRequest): Promise<Question>;
}
