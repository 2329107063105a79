import { startChild } from "../child-process.ts";
import type { Child } from "../child-process.ts";
import { measureInTurn } from "../measure-in-turn.ts";
import type { RoundResult, Side } from "../measure-in-turn.ts";
import type { Row } from "../row.ts";

const concurrency = 50;

/** Row 7: what our transport and Connect port save over connect-node's gRPC. */
export const directGet: Row = {
  number: 7,
  case: "direct unary get of a 3 kB record, Connect port, our transport; peer: connect-node gRPC client and server",
  goal: 3,
  async measure(report, { roundSeconds, rounds }) {
    const children: Child[] = [];
    async function start(server: string, transport: string): Promise<Side> {
      const { child: serving, first } = await startChild(server);
      children.push(serving);
      const { port } = first as { port: number };
      const args = [transport, `http://127.0.0.1:${port}`, `${concurrency}`, `${roundSeconds}`];
      const { child: loading } = await startChild("./processes/unary-load.ts", args);
      children.push(loading);
      return async () => (await loading.ask("round")) as RoundResult;
    }
    try {
      const ours = await start("./processes/our-server.ts", "ours");
      const peer = await start("../peers/connect-node-server.ts", "connect-node-grpc");
      return await measureInTurn(ours, peer, rounds, report);
    } finally {
      await Promise.all(children.map((child) => child.stop()));
    }
  },
};
