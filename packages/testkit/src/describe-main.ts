import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { runMain } from "./run-main.ts";

/** A program that serves. */
export interface MainOptions {
  /** File URL of its main module. */
  readonly main: URL;
  /** A good environment, without ports. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables of its ports; the first is taken once. */
  readonly ports: readonly [string, ...string[]];
  /** Environments with which it cannot start, by what is wrong with them. */
  readonly wrong: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Checks that a program which cannot start ends with status 1 and one sentence for its operator. */
export function describeMain({ main, env, ports, wrong }: MainOptions): void {
  const refusal = { status: 1, lines: [expect.stringMatching(/\.$/), ""] };
  async function endOf(variables: Readonly<Record<string, string>>) {
    const { status, stderr } = await runMain(main, variables);
    return { status, lines: stderr.split("\n") };
  }

  describe("a process that cannot start ends with status 1 and one sentence", () => {
    it.each(Object.entries(wrong))("with %s", async (_, variables) => {
      expect(await endOf(variables)).toEqual(refusal);
    });

    it("with a port that is taken", async () => {
      await using other = createServer().listen(0);
      await once(other, "listening");
      const { port } = other.address() as AddressInfo;
      const free = Object.fromEntries(ports.map((name) => [name, "0"]));
      const end = await endOf({ ...env, ...free, [ports[0]]: String(port) });
      expect(end).toEqual(refusal);
    });
  });
}
