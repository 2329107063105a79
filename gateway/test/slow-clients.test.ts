import { ChangeType } from "@storefront/contracts/type/v1/change";
import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { entry, value } from "./support/records.ts";
import { useStack } from "./support/start-stack.ts";

const hasty = useStack({ headersTimeoutMs: 300, arrivalTimeoutMs: 600, responseTimeoutMs: 1000 });

// The limits, the second between two checks of them, and a busy machine.
const patienceMs = 8000;

interface Conversation {
  socket: Socket;
  /** Everything received, once the server has closed the connection. */
  received: Promise<string>;
}

async function open(): Promise<Conversation> {
  const { hostname, port } = new URL(hasty().url);
  const socket = connect({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  // Bytes that are still being sent fail on the closed connection, but the response has arrived.
  socket.on("error", () => undefined);
  const received = new Promise<string>((resolve) => {
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });
  await once(socket, "connect");
  return { socket, received };
}

/** Sends a text, then another one byte by byte until the server closes the connection. */
function drip(socket: Socket, first: string, rest: string): void {
  socket.write(first);
  let index = 0;
  const timer = setInterval(() => {
    if (socket.writable) socket.write(rest[index++ % rest.length] ?? "");
  }, 50);
  socket.on("close", () => clearInterval(timer));
}

function expectRefusal(received: string): void {
  const [head = "", body = ""] = received.split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect(head).toMatch(/x-content-type-options: nosniff/i);
  expect(head).toMatch(/connection: close/i);
  expect(JSON.parse(body)).toEqual({
    message: expect.stringContaining("in time"),
    error: "INVALID_ARGUMENT",
  });
}

test.for([
  ["request line", "GET /regi", "o"],
  ["headers", "GET /regions HTTP/1.1\r\nHost: x\r\nX-Slow: ", "o"],
  [
    "body",
    "POST /offers/exists HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n",
    " ",
  ],
  [
    "body in chunks",
    "POST /offers/exists HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    "1\r\n \r\n",
  ],
])(
  "a client whose %s arrives a byte at a time is refused in time",
  async ([, first = "", rest = ""]) => {
    const startedAt = performance.now();
    const { socket, received } = await open();
    drip(socket, first, rest);
    expectRefusal(await received);
    expect(performance.now() - startedAt).toBeLessThan(patienceMs);
  },
);

test("a client that sends nothing is disconnected without a response", async () => {
  const { received } = await open();
  expect(await received).toBe("");
});

/** Requests more than a connection's buffers hold, reads it bit by bit, and waits for the end. */
async function takeSlowly(requestId: string): Promise<Record<string, unknown> | undefined> {
  const change = {
    changeType: ChangeType.INSERT,
    type: "string",
    field: "title",
    newValue: value("x".repeat(500_000)),
  } as const;
  const entries = Array.from({ length: 50 }, (_none, index) =>
    entry(`large-${index}`, "other", "x", [change]),
  );
  hasty().services.log.append(...entries);
  const { hostname, port } = new URL(hasty().url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => undefined);
  socket.pause();
  socket.write(
    `GET /changelist?limit=50 HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${requestId}\r\n\r\n`,
  );
  const timer = setInterval(() => socket.read(65_536), 100);
  await expect.poll(() => hasty().linesOf(requestId), { timeout: patienceMs }).toHaveLength(1);
  clearInterval(timer);
  socket.destroy();
  return hasty().linesOf(requestId)[0];
}

test("a client that reads a little of its response now and then is cut off in the end", async () => {
  expect(await takeSlowly("trickle")).toMatchObject({ status: 200, aborted: true });
});

test.for([
  ["without a body", ""],
  ["with a body that never arrives", "Content-Length: 10\r\n"],
])(
  "a stream of events may last longer than any response, requested %s",
  async ([, header = ""]) => {
    const { socket, received } = await open();
    const requestId = `stream-${header.length}`;
    socket.write(
      `GET /changelist/stream HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${requestId}\r\n${header}\r\n`,
    );
    await once(socket, "data");
    // A response that has begun later is cut off by then.
    await takeSlowly(`beside-${requestId}`);
    expect(hasty().linesOf(requestId)).toEqual([]);
    socket.destroy();
    expect(await received).toContain("text/event-stream");
  },
);

test("a connection may be idle between two requests", async () => {
  const { socket } = await open();
  const ask = async () => {
    socket.write("HEAD /regions HTTP/1.1\r\nHost: x\r\n\r\n");
    const [chunk] = (await once(socket, "data")) as [Buffer];
    return chunk.toString().slice(0, 12);
  };
  expect(await ask()).toBe("HTTP/1.1 200");
  // A connection without a request is closed by then.
  const { received: silent } = await open();
  await silent;
  expect(await ask()).toBe("HTTP/1.1 200");
  socket.destroy();
});
