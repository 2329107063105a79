// The peer: node:http that sends what another server has answered, byte for byte. Arguments: that
// server's URL, then the paths.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const [source = "", ...paths] = process.argv.slice(2);

// Of each connection, which node:http writes by itself.
const ownHeaders = new Set(["connection", "keep-alive", "date", "transfer-encoding"]);

interface FixedAnswer {
  headers: string[];
  body: Buffer;
}

async function answerOf(path: string): Promise<FixedAnswer> {
  const response = await fetch(`${source}${path}`, { headers: { "accept-encoding": "identity" } });
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  const headers = [...response.headers].filter(([name]) => !ownHeaders.has(name)).flat();
  return { headers, body: Buffer.from(await response.arrayBuffer()) };
}

const answers = new Map<string, FixedAnswer>();
for (const path of paths) answers.set(path, await answerOf(path));

const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? "");
  if (answer === undefined) response.writeHead(404).end();
  else response.writeHead(200, answer.headers).end(answer.body);
});
server.listen({ port: 0, host: "127.0.0.1" }, () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
