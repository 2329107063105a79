import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";

// More than the buffers of both sockets.
const sizeBytes = 64 * 2 ** 20;

/** Starts a system request of this process that continues until the returned function is called. */
export async function beginEndlessWrite(): Promise<() => void> {
  const server = createServer({ pauseOnConnect: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const accepted = once(server, "connection");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const writing = connect({ host: "127.0.0.1", port });
  const [taking] = (await accepted) as [Socket];
  writing.write(Buffer.alloc(sizeBytes));
  // Both ends are closed in the middle of it.
  for (const socket of [writing, taking]) socket.on("error", () => undefined);
  return () => {
    writing.destroy();
    taking.destroy();
    server.close();
  };
}
