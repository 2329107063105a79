import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";

// More than the sockets of both ends hold.
const sizeBytes = 64 * 2 ** 20;

/** Begins a request of this process to the system that goes on until what is returned is called. */
export async function beginEndlessWrite(): Promise<() => void> {
  const server = createServer({ pauseOnConnect: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const accepted = once(server, "connection");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const writing = connect({ host: "127.0.0.1", port });
  const [taking] = (await accepted) as [Socket];
  writing.write(Buffer.alloc(sizeBytes));
  // Both ends are cut in the middle of it.
  for (const socket of [writing, taking]) socket.on("error", () => undefined);
  return () => {
    writing.destroy();
    taking.destroy();
    server.close();
  };
}
