import { isIP } from "node:net";
import type { AddressGuard } from "./address-guard.ts";

/** The host of a URL: its address without brackets, or its name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/**
 * The fault of the URL of a webhook, as the rest of a sentence; undefined without one. The addresses of a name are
 * checked when connecting.
 *
 * @param isHttpAllowed whether there are networks to which webhooks are sent by http
 */
export function urlFault(
  text: string,
  guard: AddressGuard,
  isHttpAllowed: boolean,
): string | undefined {
  const url = URL.parse(text);
  const isHttps = url?.protocol === "https:";
  if (url === null || !(isHttps || (isHttpAllowed && url.protocol === "http:"))) {
    return `must be an ${isHttpAllowed ? "http:// or https://" : "https://"} address`;
  }
  if (url.username !== "" || url.password !== "") return "must have no user and no password";
  if (text.includes("#")) return "must have no fragment";
  const host = hostOf(url);
  if (isIP(host) === 0 || guard.permits(host, url.protocol)) return undefined;
  return isHttps
    ? `must be at a public address, which ${host} is not, or in WEBHOOK_ALLOWED_NETWORKS`
    : `must begin with https:// unless ${host} is in WEBHOOK_ALLOWED_NETWORKS`;
}
