import { vi } from "vitest";

/**
 * How long what a test waits for may take, in milliseconds: a second, as vitest has it, is over before
 * anything happens on a machine that has much else to do. Waiting ends as soon as it can.
 */
const patienceMs = 20_000;

/** Options of a wait: its limit, or it with other ones. */
type WaitOptions = number | { readonly timeout?: number; readonly interval?: number };

/** On `vi` once it is patient: this file is run for each test file, also where these share `vi`. */
const mark = Symbol.for("storefront.patience");

function patient(options: WaitOptions | undefined): WaitOptions {
  return typeof options === "number" ? options : { timeout: patienceMs, ...options };
}

// vitest's configuration has a limit for `expect.poll` alone.
if (!(mark in vi)) {
  const { waitFor, waitUntil } = vi;
  vi.waitFor = (callback, options) => waitFor(callback, patient(options));
  vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));
  Object.assign(vi, { [mark]: true });
}
