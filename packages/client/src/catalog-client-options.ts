import type { CatalogFetch } from "./catalog-fetch.ts";

/** Where the gateway is and how to call it. */
export interface CatalogClientOptions {
  /** The gateway's address, such as `https://catalog.example.com`; it may have a path. */
  url: string | URL;
  /**
   * Headers of every request, or what gives them. Without any, a request to another origin needs no
   * preflight.
   */
  headers?: HeaderSource | undefined;
  /** Default: the global one. */
  fetch?: CatalogFetch | undefined;
  /** How long a request may take, in milliseconds; default 10 s. The gateway itself gives up after 5. */
  timeoutMs?: number | undefined;
  /**
   * How often a call that only reads is tried again when its failure may pass; default 2. Each time may
   * take `timeoutMs`; the call's own signal ends them all.
   */
  retries?: number | undefined;
  /**
   * Whether concurrent calls are batched into one request; default true. Without, each call is a GET of
   * its own, which HTTP caches can serve.
   */
  batch?: boolean | undefined;
}

/** Header names and values, or a function that gives them for each request. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** The gateway's address without a slash at its end. */
export function addressOf(url: string | URL): string {
  return String(url).replace(/\/+$/, "");
}

/** Headers of one request. */
export async function headersOf(source: HeaderSource = {}): Promise<Record<string, string>> {
  return { ...(typeof source === "function" ? await source() : source) };
}
