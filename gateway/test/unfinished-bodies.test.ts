import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { askRaw } from "./support/http-client.ts";
import { useStack } from "./support/start-stack.ts";

const stack = useStack({ headersTimeoutMs: 300, arrivalTimeoutMs: 600 });
const patient = useStack();

const statusesIn = (text: string) =>
  Array.from(text.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));

async function open({ url }: { url: string } = stack()): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  return socket;
}

const json = "Content-Type: application/json\r\n";

test.for<[what: string, head: string, status: number]>([
  ["an unknown path", `POST /nowhere HTTP/1.1\r\n${json}`, 404],
  ["an unknown path of tRPC", `POST /trpc/nowhere HTTP/1.1\r\n`, 415],
  ["a body of another type", "POST /offers/exists HTTP/1.1\r\nContent-Type: text/plain\r\n", 415],
  ["a GET", "GET /regions HTTP/1.1\r\n", 200],
  ["a HEAD", "HEAD /regions HTTP/1.1\r\n", 200],
  ["an unsupported method", `DELETE /regions HTTP/1.1\r\n${json}`, 405],
])(
  "a request whose body never arrives gets one response, and no other on its connection: %s",
  async ([, head, status]) => {
    for (const body of [
      "Content-Length: 10\r\n\r\n12345",
      "Transfer-Encoding: chunked\r\n\r\n5\r\n",
    ]) {
      const text = await askRaw(stack().url, `${head}Host: x\r\n${body}`);
      expect(statusesIn(text)).toEqual([status]);
      expect(text).toMatch(/^connection: close\r$/im);
    }
  },
);

test("a body that is not read leaves the connection to the next request once it has arrived", async () => {
  const socket = await open();
  const chunks: string[] = [];
  socket.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  const statuses = () => statusesIn(chunks.join(""));
  for (const count of [1, 2, 3]) {
    socket.write("POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n1234567890");
    await expect.poll(statuses).toHaveLength(count);
  }
  expect(statuses()).toEqual([404, 404, 404]);
  socket.destroy();
});

test("a client that sends its whole body before it reads gets the refusal", async () => {
  const socket = await open(patient());
  const sizeBytes = 20_000_000;
  socket.write(
    `POST /offers/exists HTTP/1.1\r\nHost: x\r\n${json}Content-Length: ${sizeBytes}\r\n\r\n`,
  );
  await new Promise((sent) => socket.write(Buffer.alloc(sizeBytes, " "), sent));
  const chunks: string[] = [];
  socket.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  await once(socket, "close");
  expect(statusesIn(chunks.join(""))).toEqual([413]);
});

test("bytes after an unfinished body are not taken for a request", async () => {
  const socket = await open();
  const chunks: string[] = [];
  socket.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  socket.write("POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345");
  await once(socket, "data");
  socket.write("67890GET /regions HTTP/1.1\r\nHost: x\r\nX-Request-Id: smuggled\r\n\r\n");
  await once(socket, "close");
  expect(statusesIn(chunks.join(""))).toEqual([404]);
  expect(stack().linesOf("smuggled")).toEqual([]);
});
