import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { openChanges } from "../../src/mirror/changes.ts";

/** The changes of a stream that `listener` sends. */
async function changesIn(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const { signal } = new AbortController();
    const changes = await openChanges(`http://127.0.0.1:${port}`, "0-.0-.0-.0-", signal);
    return changes === "pruned" ? changes : (await Array.fromAsync(changes)).flat();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

it.each([1, 2, 3, 7, 1000])("reads complete events from chunks of %i bytes", async (size) => {
  const text =
    'retry: 1000\n\nid: a\n\n:\n\nid: b\ndata: {"title":"Ähre\u{1F33E}"}\n\n:\n\nid: c\ndata: {"n":2}\n\n';
  const bytes = Buffer.from(text);
  const changes = await changesIn((_, response) => {
    response.writeHead(200);
    for (let start = 0; start < bytes.length; start += size) {
      response.write(bytes.subarray(start, start + size));
    }
    response.end();
  });
  expect(changes).toEqual([
    { cursor: "b", line: '{"title":"Ähre\u{1F33E}"}' },
    { cursor: "c", line: '{"n":2}' },
  ]);
});

it("distinguishes a cursor that was pruned from one that never existed", async () => {
  expect(await changesIn((_, response) => void response.writeHead(410).end())).toBe("pruned");
  const lost = changesIn((_, response) => {
    response.writeHead(404).end('{"message":"Cursor not found","error":"NOT_FOUND"}');
  });
  await expect(lost).rejects.toThrow("Cursor not found");
});
