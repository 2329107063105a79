/** What the security headers depend on. */
export interface SecurityHeadersOptions {
  /** How long, in seconds, browsers must use TLS; 0 says nothing about it. */
  hstsMaxAgeSeconds: number;
  /** Whether pages of any origin may use the answers. */
  isOpen: boolean;
}

const policyName = "Content-Security-Policy";

// What a browser that shows an answer as a page may do: nothing.
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Headers of every answer, those of the parser's refusals included: names and values in turn. */
export function securityHeaders({ hstsMaxAgeSeconds, isOpen }: SecurityHeadersOptions): string[] {
  const headers = [
    "X-Content-Type-Options",
    "nosniff",
    "Referrer-Policy",
    "no-referrer",
    // Calls with CORS are not asked; this is for what is embedded without it.
    "Cross-Origin-Resource-Policy",
    isOpen ? "cross-origin" : "same-origin",
    policyName,
    dataPolicy,
  ];
  if (hstsMaxAgeSeconds > 0) {
    headers.push("Strict-Transport-Security", `max-age=${hstsMaxAgeSeconds}`);
  }
  return headers;
}

/**
 * The headers of an answer that is a page: its own policy in place of the one for data, and no ties
 * to the window that opened it.
 *
 * @param headers names and values in turn
 * @param contentSecurityPolicy what the page may load and do
 */
export function withPagePolicy(
  headers: readonly string[],
  contentSecurityPolicy: string,
): string[] {
  const others = headers.filter((_text, index) => headers[index - (index % 2)] !== policyName);
  const own = [policyName, contentSecurityPolicy, "Cross-Origin-Opener-Policy", "same-origin"];
  return [...others, ...own];
}
