import type { CatalogFetch } from "./catalog-fetch.ts";

/** Address of the gateway, and options of calls. */
export interface CatalogClientOptions {
  /** The gateway's address, such as `https://catalog.example.com`; it may have a path. */
  url: string | URL;
  /**
   * Headers of every request, or a function that returns them. Without any, a request to another origin
   * needs no preflight.
   */
  headers?: HeaderSource | undefined;
  /** Default: the global one. */
  fetch?: CatalogFetch | undefined;
  /** Timeout of a request, in milliseconds; default 10 s. The gateway's own is 5 s. */
  timeoutMs?: number | undefined;
  /**
   * Maximum number of retries of a read after temporary failures; default 2. Each attempt may take `timeoutMs`;
   * the call's own signal ends them all.
   */
  retries?: number | undefined;
  /**
   * Whether concurrent calls are batched into one request; default true. Otherwise each call is a separate
   * GET, which HTTP caches can serve.
   */
  batch?: boolean | undefined;
}

/** Header names and values, or a function that returns them for each request. */
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
