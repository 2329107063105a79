import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { readSpans } from "./read-spans.ts";
import type { ReceivedSpan } from "./read-spans.ts";

/** A receiver of traces, by OTLP over HTTP with protobuf. */
export interface TraceReceiver {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`; traces go to `/v1/traces` below it. */
  readonly url: string;
  /** Everything received so far, in the order of arrival. */
  readonly spans: readonly ReceivedSpan[];
  /** Headers of each request so far. */
  readonly requests: readonly IncomingHttpHeaders[];
  /** Status of its responses; default 200. */
  status: number;
  close(): Promise<void>;
}

/** Starts a receiver on a free port. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: IncomingHttpHeaders[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    requests.push(request.headers);
    if (request.url !== "/v1/traces") response.writeHead(404);
    else if (receiver.status === 200) spans.push(...readSpans(body));
    else response.writeHead(receiver.status);
    response.end();
  };
  const server = createServer((request, response) => void receive(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const receiver: TraceReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    status: 200,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}
