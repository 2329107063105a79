import { once } from "node:events";
import { createServer } from "node:net";

/** This port, or a free one where it is 0. */
export async function fixedPort(port: number): Promise<number> {
  if (port !== 0) return port;
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}
