import { ChangeType } from "@storefront/contracts/type/v1/change";
import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { entry, value } from "./support/records.ts";
import { useStack } from "./support/start-stack.ts";

const hasty = useStack({ headersTimeoutMs: 300, arrivalTimeoutMs: 600, responseTimeoutMs: 1000 });

// The limits and the second between two looks at them, and a busy machine.
const patienceMs = 8000;

interface Conversation {
  socket: Socket;
  /** Everything that came, once the server has closed. */
  answer: Promise<string>;
}

async function open(): Promise<Conversation> {
  const { hostname, port } = new URL(hasty().url);
  const socket = connect({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  // What is still being sent meets a closed connection, which takes nothing from the response.
  socket.on("error", () => undefined);
  const answer = new Promise<string>((resolve) => {
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });
  await once(socket, "connect");
  return { socket, answer };
}

/** Sends a text, then a byte of another at a time, for as long as anybody listens. */
function drip(socket: Socket, first: string, rest: string): void {
  socket.write(first);
  let place = 0;
  const timer = setInterval(() => {
    if (socket.writable) socket.write(rest[place++ % rest.length] ?? "");
  }, 50);
  socket.on("close", () => clearInterval(timer));
}

function expectRefusal(answer: string): void {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
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
  "a client whose %s comes a byte at a time is refused in time",
  async ([, first = "", rest = ""]) => {
    const startedAt = performance.now();
    const { socket, answer } = await open();
    drip(socket, first, rest);
    expectRefusal(await answer);
    expect(performance.now() - startedAt).toBeLessThan(patienceMs);
  },
);

test("a client that says nothing is left without a word", async () => {
  const { answer } = await open();
  expect(await answer).toBe("");
});

/** Asks for more than a connection's buffers hold, takes it bit by bit, and waits for the end. */
async function takeSlowly(requestId: string): Promise<Record<string, unknown> | undefined> {
  const change = {
    changeType: ChangeType.INSERT,
    type: "string",
    field: "title",
    newValue: value("x".repeat(500_000)),
  } as const;
  const entries = Array.from({ length: 50 }, (_none, place) =>
    entry(`large-${place}`, "other", "x", [change]),
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

test("a client that takes a little of its response now and then is cut off in the end", async () => {
  expect(await takeSlowly("trickle")).toMatchObject({ status: 200, aborted: true });
});

test.for([
  ["without a body", ""],
  ["with a body that never comes", "Content-Length: 10\r\n"],
])(
  "a stream of events may last longer than any response, asked for %s",
  async ([, header = ""]) => {
    const { socket, answer } = await open();
    const requestId = `stream-${header.length}`;
    socket.write(
      `GET /changelist/stream HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${requestId}\r\n${header}\r\n`,
    );
    await once(socket, "data");
    // A response that has begun later is cut off by then.
    await takeSlowly(`beside-${requestId}`);
    expect(hasty().linesOf(requestId)).toEqual([]);
    socket.destroy();
    expect(await answer).toContain("text/event-stream");
  },
);

test("a connection may be quiet between two requests", async () => {
  const { socket } = await open();
  const ask = async () => {
    socket.write("HEAD /regions HTTP/1.1\r\nHost: x\r\n\r\n");
    const [chunk] = (await once(socket, "data")) as [Buffer];
    return chunk.toString().slice(0, 12);
  };
  expect(await ask()).toBe("HTTP/1.1 200");
  // A connection on which nothing has begun is closed by then.
  const { answer: silent } = await open();
  await silent;
  expect(await ask()).toBe("HTTP/1.1 200");
  socket.destroy();
});
