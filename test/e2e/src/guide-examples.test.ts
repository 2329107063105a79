import {
  describeUnlessMissing,
  findProgram,
  makeTemporaryDirectory,
  startStack,
} from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

const run = promisify(execFile);
const guides = new URL("../../../docs/api/", import.meta.url);
/** Directory of `buf`. */
const programs = fileURLToPath(new URL("../../../node_modules/.bin", import.meta.url));

const adminToken = "a token of the guides alone";

interface Example {
  guide: string;
  command: string;
  /** The comment lines that follow: the output of the command. */
  comment: string;
}

const fencedBlock = /^```(\w*)\n(.*?)^```$/gms;
/** A command with its continuation lines, then its comment. */
const commandAndComment = /^((?:[^#\n].*\\\n)*[^#\n].*)\n((?:#.*\n)*)/gm;

const blocks = readdirSync(guides).flatMap((guide) =>
  [...readFileSync(new URL(guide, guides), "utf8").matchAll(fencedBlock)].map(
    ([, language = "", code = ""]) => ({ guide, language, code }),
  ),
);
const examples: Example[] = blocks
  .filter(({ language }) => language === "sh")
  .flatMap(({ guide, code }) =>
    [...code.matchAll(commandAndComment)].map(([, command = "", comment = ""]) => ({
      guide,
      command,
      comment: comment.replaceAll(/^# ?/gm, "").trim(),
    })),
  );

const price = "/offers/5d0f86b967760f22338c450c2a0a89e0/price?country=jp";
/** Responses that the guides show in part. */
const shown = [
  { guide: "README.md", path: price },
  { guide: "prices.md", path: `${price}&lows=true` },
  { guide: "sync.md", path: "/price-changes?limit=500" },
];

/** Paths of all members; the elements of a list share theirs. */
function membersOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((element) => membersOf(element, path));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    `${path}/${name}`,
    ...membersOf(member, `${path}/${name}`),
  ]);
}

/** The status in an example, else a successful one; nothing for programs other than `curl`. */
function stderrOf(command: string, comment: string): RegExp {
  if (!command.startsWith("curl ")) return /^$/;
  const status = /(?:^|# )(\d{3})\b/.exec(comment === "" ? command : comment)?.[1];
  return new RegExp(`\n${status ?? "2\\d\\d"}$`);
}

const needed = ["bash", "curl"];
const missing = needed.filter((program) => findProgram(program) === undefined).join(", ");

it("all code of the guides is run or compared", () => {
  const others = blocks.filter(({ language }) => language !== "sh");
  expect(others.map(({ guide, language }) => `${language} in ${guide}`).toSorted()).toEqual(
    shown.map(({ guide }) => `json in ${guide}`).toSorted(),
  );
});

describeUnlessMissing("commands", missing === "" ? undefined : `no ${missing}`, () => {
  let stack: TestStack;
  let directory: string;
  /** Values of the guides that the stack chooses itself, with their replacements. */
  let chosen: [RegExp, string][];
  const cleanUps: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const temporary = await makeTemporaryDirectory();
    cleanUps.push(() => temporary.remove());
    directory = temporary.path;
    const env = { ADMIN_TOKEN: adminToken, WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" };
    stack = await startStack({ parameters: ["--offers", "60"], env });
    cleanUps.push(() => stack.stop());

    const { catalog, pricing } = stack.services;
    const ask = (path: string, init?: RequestInit) => fetch(stack.gatewayUrl + path, init);
    const headers = { "content-type": "application/json" };
    await ask("/queries", { method: "POST", headers, body: '{"offerType":"DLC","onSale":true}' });
    const regions = await ask("/regions", { headers: { "accept-encoding": "identity" } });
    const snapshot = await vi.waitUntil(async () => {
      const response = await ask("/snapshot", { method: "HEAD" });
      return response.ok && response;
    });
    chosen = [
      [/localhost:4000/g, new URL(stack.gatewayUrl).host],
      [/localhost:4102/g, new URL(pricing?.url ?? "").host],
      [/localhost:4201/g, catalog?.grpcAddress ?? ""],
      [/localhost:4202/g, pricing?.grpcAddress ?? ""],
      [/(?<=If-None-Match: )"[^"]+"/g, regions.headers.get("etag") ?? ""],
      [/(?<=snapshot\/changes\?after=)[\w.-]+/g, snapshot.headers.get("catalog-cursor") ?? ""],
    ];
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });

  it.each(examples)("$guide: $command", async ({ command, comment }) => {
    const replaced = chosen.reduce((text, [from, to]) => text.replace(from, () => to), command);
    // A stream has no end: its first line is enough, after which `curl` cannot write another.
    const endless = command.startsWith("curl -N") ? " | head -n 1" : "";
    const script = replaced.replace(/^curl /, "curl -sS -w '%{stderr}\\n%{http_code}' ") + endless;
    const env = {
      ...process.env,
      ADMIN_TOKEN: adminToken,
      PATH: `${programs}:${process.env["PATH"]}`,
    };
    const { stdout, stderr } = await run("bash", ["-c", script], { cwd: directory, env });

    expect(stderr).toMatch(stderrOf(command, comment));
    const body = comment.replace(/^\d{3} /, "");
    const isWhole = body.startsWith("{") && !body.includes("…");
    expect(isWhole ? JSON.parse(stdout) : undefined).toEqual(
      isWhole ? JSON.parse(body) : undefined,
    );
  });

  it.each(shown)("$guide shows members of $path", async ({ guide, path }) => {
    const documents = blocks.filter((block) => block.guide === guide && block.language === "json");
    const code = documents[0]?.code ?? "";
    const response = await fetch(stack.gatewayUrl + path);
    const members = membersOf(await response.json());
    // An excerpt of a response is a member with its name.
    const documented = membersOf(JSON.parse(code.startsWith("{") ? code : `{${code}}`));
    expect(documented.filter((member) => !members.includes(member))).toEqual([]);
  });
});
