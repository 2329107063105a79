// The peer: node:http that repeats another server's responses byte for byte. Arguments: that server's
// URL, then the paths.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const [source = "", ...paths] = process.argv.slice(2);

// Headers of the connection, which node:http writes itself.
const ownHeaders = new Set(["connection", "keep-alive", "date", "transfer-encoding"]);

interface FixedResponse {
  headers: string[];
  body: Buffer;
}

async function responseOf(path: string): Promise<FixedResponse> {
  const response = await fetch(`${source}${path}`, { headers: { "accept-encoding": "identity" } });
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  const headers = [...response.headers].filter(([name]) => !ownHeaders.has(name)).flat();
  return { headers, body: Buffer.from(await response.arrayBuffer()) };
}

const responses = new Map<string, FixedResponse>();
for (const path of paths) responses.set(path, await responseOf(path));

const server = createServer((request, response) => {
  const fixed = responses.get(request.url ?? "");
  if (fixed === undefined) response.writeHead(404).end();
  else response.writeHead(200, fixed.headers).end(fixed.body);
});
server.listen({ port: 0, host: "127.0.0.1" }, () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
