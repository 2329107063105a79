import { makeTemporaryDirectory, startPostgres, startStack } from "@storefront/testkit";
import { chmod } from "node:fs/promises";
import { copyLines } from "../../peers/copy-lines.ts";
import { sampleMemory } from "../history/sample-memory.ts";
import { writeHistory } from "../history/write-history.ts";
import { median } from "../median.ts";
import type { Row } from "../row.ts";

// Each round imports a year anew.
const rounds = 3;

/** Row 9: lines per second of an import, and of bare storing. */
export const historyImport: Row = {
  number: 9,
  goal: 0.1,
  case: "import of a year of history, lines/s; peer: COPY of the same lines into one table",
  async measure(report) {
    const directory = await makeTemporaryDirectory();
    try {
      const file = directory.file("history.ndjson");
      const { lines, isReal } = await writeHistory(file);
      report(`${lines} ${isReal ? "real" : "generated"} lines`);
      // The server reads the file as its own user.
      await chmod(directory.path, 0o755);
      const ours: number[] = [];
      const peer: number[] = [];
      for (let round = 1; round <= rounds; round++) {
        const { importSeconds, copySeconds, memory } = await measureRound(file);
        ours.push(lines / importSeconds);
        peer.push(lines / copySeconds);
        report(
          `round ${round}/${rounds}: ours ${ours.at(-1)?.toFixed(0)}/s, peer ${peer.at(-1)?.toFixed(0)}/s; ${memory}`,
        );
      }
      const [ourRate, peerRate] = [median(ours), median(peer)];
      const ratio = Math.round((ourRate / peerRate) * 1000) / 1000;
      return { ours: Math.round(ourRate), peer: Math.round(peerRate), ratio };
    } finally {
      await directory.remove();
    }
  },
};

async function measureRound(file: string) {
  const postgres = await startPostgres();
  try {
    const copySeconds = await copyLines(postgres.url, file);
    const stack = await startStack({ env: { DATABASE_URL: postgres.url } });
    try {
      const servicesPid = await stack.servicesPid();
      const startedAtMs = performance.now();
      const importing = stack.startCli(["import", file]);
      const [services, command, { status }] = await Promise.all([
        sampleMemory(servicesPid, importing.ended),
        sampleMemory(importing.process.pid ?? 0, importing.ended),
        importing.ended,
      ]);
      const importSeconds = (performance.now() - startedAtMs) / 1000;
      if (status !== 0) throw new Error(`The import ended with status ${status}.`);
      const memory = `MiB early and late: services ${services.earlyMib}, ${services.lateMib}; command ${command.earlyMib}, ${command.lateMib}`;
      return { importSeconds, copySeconds, memory };
    } finally {
      await stack.stop();
    }
  } finally {
    await postgres.stop();
  }
}
