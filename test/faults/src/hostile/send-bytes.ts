import { connect } from "node:net";
import type { Answer } from "@storefront/test-contract/documented-answer";

/** The client closes its side after this time without data from the server, in milliseconds. */
const quietMs = 250;

/** The data received over a connection. */
export interface Reply {
  responses: Answer[];
  /** Whether the server closed the connection in time. */
  isClosed: boolean;
  /** Data that is not a complete response. */
  rest: string;
}

/** Sends bytes, waits for responses, closes its side, and waits for the server to close its own. */
export async function sendBytes(
  gatewayUrl: string,
  bytes: Buffer,
  timeoutMs: number,
): Promise<Reply> {
  const { hostname, port } = new URL(gatewayUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  const closed = Promise.withResolvers<boolean>();
  let quiet: NodeJS.Timeout | undefined;
  const waitForMore = () => {
    clearTimeout(quiet);
    quiet = setTimeout(() => socket.end(), quietMs);
  };
  socket.on("connect", () => {
    socket.write(bytes);
    waitForMore();
  });
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    waitForMore();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => closed.resolve(true));
  const limit = setTimeout(() => closed.resolve(false), timeoutMs);
  const isClosed = await closed.promise;
  clearTimeout(limit);
  clearTimeout(quiet);
  socket.destroy();
  return { isClosed, ...responsesIn(Buffer.concat(chunks).toString("latin1")) };
}

/** Splits text into responses that have a length. */
function responsesIn(text: string): Pick<Reply, "responses" | "rest"> {
  const responses: Answer[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    const match = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n/.exec(rest);
    if (end === -1 || match === null) return { responses, rest };
    const lines = rest.slice(match[0].length, end).split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const status = Number(match[1]);
    const after = rest.slice(end + 4);
    // A response to HEAD has a length but no body: the next response follows, or nothing.
    const hasBody = status >= 200 && status !== 204 && status !== 304 && !/^(?:HTTP|$)/.test(after);
    const length = hasBody ? Number(headers["content-length"] ?? 0) : 0;
    const body = Buffer.from(after.slice(0, length), "latin1").toString();
    if (status >= 200) responses.push({ status, headers, body });
    rest = after.slice(length);
  }
}
