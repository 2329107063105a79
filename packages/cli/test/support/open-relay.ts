import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A way to a service over TCP that loses answers. */
export interface Relay {
  /** `host:port` to connect to. */
  readonly address: string;
  /** From now on requests arrive and answers do not. */
  holdAnswers(): void;
  /** Breaks every connection; the next ones are whole. */
  cut(): void;
  close(): Promise<void>;
}

/** Opens a way to a port of this machine. */
export async function openRelay(port: number): Promise<Relay> {
  const near = new Set<Socket>();
  const far = new Set<Socket>();
  const server = createServer((caller) => {
    const service = connect(port, "127.0.0.1");
    near.add(caller);
    far.add(service);
    caller.pipe(service);
    service.pipe(caller);
    for (const [socket, other] of [
      [caller, service],
      [service, caller],
    ] as const) {
      // A break is what the relay is for; the other half ends with it.
      socket.on("error", () => other.destroy());
      socket.on("close", () => other.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  const cut = () => {
    for (const socket of [...near, ...far]) socket.destroy();
    near.clear();
    far.clear();
  };
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    holdAnswers() {
      for (const socket of far) socket.unpipe();
    },
    cut,
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
