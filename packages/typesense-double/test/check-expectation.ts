import { isDeepStrictEqual } from "node:util";
import { checkHits } from "./check-hits.ts";
import { at, contains, isObject } from "./json-matching.ts";
import type { Json } from "./vector.ts";

/** What came back: the status, the text, and the text as JSON where it is some. */
export interface Answer {
  status: number;
  text: string;
  body: unknown;
}

/** The expectations that an answer fails, one line each; empty when all hold. */
export function checkAnswer(expect: Json, answer: Answer): string[] {
  const problems: string[] = [];
  const { status, lineResults, lineHas, lineLacks, lineKeys, lineErrorContains, ...rest } = expect;
  if (status !== undefined && status !== answer.status) {
    problems.push(`status: ${answer.status} ${answer.text.slice(0, 200)}`);
  }
  const lineChecks = { lineResults, lineHas, lineLacks, lineKeys, lineErrorContains };
  if (Object.values(lineChecks).some((check) => check !== undefined)) {
    problems.push(...checkLines(lineChecks, answer.text));
  }
  problems.push(...checkBody(rest, answer.body, "message"));
  return problems;
}

/** The same for a body alone; `errorKey` is where an error's text stands. */
function checkBody(expect: Json, body: unknown, errorKey: "message" | "error"): string[] {
  return Object.entries(expect).flatMap(([key, wanted]) => {
    if (key === "results") return checkResults(wanted as Json[], at(body, "/results"));
    const holds = checkKey(key, wanted, body, errorKey) ?? checkHits(key, wanted, body);
    if (holds === undefined) return [`unknown expectation ${key}`];
    return holds
      ? []
      : [`${key}: ${JSON.stringify(wanted)} in ${JSON.stringify(body).slice(0, 700)}`];
  });
}

function checkResults(wanted: readonly Json[], results: unknown): string[] {
  if (!Array.isArray(results) || results.length !== wanted.length) return ["results: their number"];
  return wanted.flatMap(({ code, ...expect }, index) => {
    const body: unknown = results[index];
    const problems = checkBody(expect, body, "error");
    if (code !== undefined && at(body, "/code") !== code) problems.push(`code of result ${index}`);
    return problems;
  });
}

function checkKey(
  key: string,
  wanted: unknown,
  body: unknown,
  errorKey: string,
): boolean | undefined {
  const error = String(at(body, `/${errorKey}`)).toLowerCase();
  switch (key) {
    case "error":
      return error === String(wanted).toLowerCase();
    case "errorContains":
      return error.includes(String(wanted).toLowerCase());
    case "json":
      return contains(wanted, body);
    case "found":
      return at(body, "/found") === wanted;
    case "keys":
      return hasKeys(body, wanted);
    case "keysAt":
      return entries(wanted).every(([pointer, keys]) => hasKeys(at(body, pointer), keys));
    case "present":
      return (wanted as string[]).every((pointer) => at(body, pointer) !== undefined);
    case "absent":
      return (wanted as string[]).every((pointer) => at(body, pointer) === undefined);
    case "jsonContains":
      return entries(wanted).every(([pointer, elements]) =>
        (elements as unknown[]).every((element) =>
          (at(body, pointer) as unknown[]).some((held) => contains(element, held)),
        ),
      );
    case "jsonLength":
      return entries(wanted).every(
        ([pointer, length]) => (at(body, pointer) as unknown[]).length === length,
      );
    default:
      return undefined;
  }
}

function checkLines(expect: Json, text: string): string[] {
  const lines = text.split("\n").map((line) => JSON.parse(line) as Json);
  const problem = (what: string, index: number | string) =>
    `${what} of line ${index}: ${JSON.stringify(lines[Number(index)])}`;
  const results = expect["lineResults"] as Json[] | undefined;
  const problems: string[] = [];
  if (results !== undefined && results.length !== lines.length) problems.push("number of lines");
  for (const [index, wanted] of (results ?? []).entries()) {
    if (!contains(wanted, lines[index])) problems.push(problem(JSON.stringify(wanted), index));
  }
  for (const [check, holds] of Object.entries(lineChecks)) {
    for (const [index, wanted] of entries(expect[check] ?? {})) {
      if (!holds(lines[Number(index)] ?? {}, wanted)) problems.push(problem(check, index));
    }
  }
  return problems;
}

const lineChecks: Record<string, (line: Json, wanted: unknown) => boolean> = {
  lineHas: (line, wanted) => (wanted as string[]).every((key) => key in line),
  lineLacks: (line, wanted) => (wanted as string[]).every((key) => !(key in line)),
  lineKeys: hasKeys,
  lineErrorContains: (line, wanted) =>
    String(line["error"]).toLowerCase().includes(String(wanted).toLowerCase()),
};

function hasKeys(value: unknown, keys: unknown): boolean {
  return (
    isObject(value) &&
    isDeepStrictEqual(Object.keys(value).toSorted(), (keys as string[]).toSorted())
  );
}

function entries(value: unknown): [string, unknown][] {
  return Object.entries(value as Json);
}
