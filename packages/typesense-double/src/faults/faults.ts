import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "../json.ts";
import { TypesenseError } from "../typesense-error.ts";

/** Which requests a fault concerns. */
export interface FaultScope {
  /** How many of them; all of them when left out. */
  times?: number;
  /** Only requests whose method and path, as in `POST /multi_search`, match; else all of them. */
  matching?: RegExp;
}

/** An answer in place of the real one. */
export interface Failure extends FaultScope {
  /** HTTP status. */
  status: number;
  /** Default: what the server says with this status, as far as it is known. */
  message?: string;
}

/** Why a line of an import is refused; true stands for a plain 400. */
export type LineRefusal = boolean | { status: number; message: string };

const messages: Readonly<Record<number, string>> = {
  408: "Request Timeout",
  422: "Rejecting write: running out of resource type: OUT_OF_DISK",
  429: "Rate limit exceeded or blocked",
  503: "Not Ready or Lagging",
};

/** The faults that a test has asked for. */
export class Faults {
  #failures: Failure[] = [];
  #delays: (FaultScope & { ms: number })[] = [];
  #refusals: ((document: JsonObject) => LineRefusal)[] = [];
  #stopWaiting = new AbortController();

  fail(failure: Failure): void {
    this.#failures.push({ ...failure });
  }

  delay(ms: number, scope: FaultScope): void {
    this.#delays.push({ ...scope, ms });
  }

  rejectImportLines(predicate: (document: JsonObject) => LineRefusal): void {
    this.#refusals.push(predicate);
  }

  /** Forgets every fault; requests that are held back go on. */
  clear(): void {
    this.#failures = [];
    this.#delays = [];
    this.#refusals = [];
    this.#stopWaiting.abort();
    this.#stopWaiting = new AbortController();
  }

  /** Waits as long as a test wants this request held back. */
  async hold(target: string): Promise<void> {
    const delay = take(this.#delays, target);
    if (delay === undefined) return;
    await wait(delay.ms, undefined, { signal: this.#stopWaiting.signal }).catch(() => undefined);
  }

  /** The answer that a test wants for this request; undefined for the real one. */
  failure(target: string): TypesenseError | undefined {
    const failure = take(this.#failures, target);
    if (failure === undefined) return undefined;
    const { status, message = messages[status] ?? "Failed on request." } = failure;
    return new TypesenseError(message, status);
  }

  /** @throws TypesenseError when a test wants the line refused. */
  refuseLine(document: JsonObject): void {
    for (const predicate of this.#refusals) {
      const refusal = predicate(document);
      if (refusal === true) throw new TypesenseError("Refused by the test.");
      if (refusal !== false) throw new TypesenseError(refusal.message, refusal.status);
    }
  }
}

/** The first fault that concerns a request, used up by one. */
function take<Fault extends FaultScope>(faults: Fault[], target: string): Fault | undefined {
  const index = faults.findIndex((fault) => fault.matching?.test(target) ?? true);
  const fault = faults[index];
  if (fault?.times === undefined) return fault;
  fault.times--;
  if (fault.times <= 0) faults.splice(index, 1);
  return fault;
}
