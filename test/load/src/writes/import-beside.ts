import type { TestStack } from "@storefront/testkit";
import { once } from "node:events";

/** An import that runs during a measurement. */
export interface ImportBeside {
  /** Stops it; resolves with the number of its lines. */
  stop(): Promise<number>;
}

/** Imports new offers by `storefront import`, as fast as the stack takes them, until it is stopped. */
export function startImport(stack: TestStack): ImportBeside {
  const importing = stack.startCli(["import", "-", "--json"], { holdStdin: true });
  const { stdin } = importing.process;
  if (stdin === null) throw new TypeError("the command reads from standard input");
  const ending = new AbortController();
  const { signal } = ending;
  async function feed(lines: NodeJS.WritableStream): Promise<void> {
    for (let number = 0; !signal.aborted; number++) {
      if (lines.write(lineOf(number))) continue;
      // Rejects only when aborted, which the loop checks.
      await once(lines, "drain", { signal }).catch(() => undefined);
    }
    lines.end();
  }
  const feeding = feed(stdin);
  return {
    async stop() {
      ending.abort();
      await feeding;
      const { status, stdout, stderr } = await importing.ended;
      if (status !== 0) throw new Error(`The import ended with status ${status}: ${stderr}`);
      const { kinds } = JSON.parse(stdout) as { kinds: { offer?: { read: number } } };
      return kinds.offer?.read ?? 0;
    },
  };
}

function lineOf(number: number): string {
  const record = { id: `imported-${number}`, namespace: "imported", title: `Imported ${number}` };
  const observedAt = new Date().toISOString();
  return `${JSON.stringify({ kind: "offer", op: "upsert", observedAt, record })}\n`;
}
