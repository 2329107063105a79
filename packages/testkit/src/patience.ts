import { vi } from "vitest";

/**
 * Longest wait of a test, in milliseconds: vitest's default of a second is too short on a busy machine. A
 * wait ends as soon as it succeeds.
 */
const patienceMs = 20_000;

/** Options of a wait; a number is its limit. */
type WaitOptions = number | { readonly timeout?: number; readonly interval?: number };

/** Marks a patched `vi`: this file is run for each test file, also where these share `vi`. */
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
