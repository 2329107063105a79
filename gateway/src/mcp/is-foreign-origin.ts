const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Whether a request comes from a web page that is not trusted. Agents are no pages and name no origin;
 * pages are let in that the operator has listed, and those of this machine when it is what they ask.
 * A page's name may lead here by the attacker's DNS, so that it equals the `Host` proves nothing.
 */
export function isForeignOrigin(
  origin: string | undefined,
  host: string | undefined,
  trusted: ReadonlySet<string>,
): boolean {
  if (origin === undefined || trusted.has(origin)) return false;
  return !(loopback.has(hostnameOf(origin)) && loopback.has(hostnameOf(`http://${host}`)));
}

function hostnameOf(url: string): string {
  return URL.parse(url)?.hostname ?? "";
}
