const policyName = "Content-Security-Policy";

/**
 * Headers of every response, those of the parser's refusals included: names and values in turn.
 *
 * @param hstsMaxAgeSeconds how long browsers must use TLS; 0 sends no such header
 * @param isOpen whether pages of any origin may use the responses
 */
export function securityHeaders(hstsMaxAgeSeconds: number, isOpen: boolean): string[] {
  const headers = [
    "X-Content-Type-Options",
    "nosniff",
    "Referrer-Policy",
    "no-referrer",
    // For what is embedded without CORS.
    "Cross-Origin-Resource-Policy",
    isOpen ? "cross-origin" : "same-origin",
    policyName,
    // A browser that shows a response as a page may do nothing.
    "default-src 'none'; frame-ancestors 'none'",
  ];
  if (hstsMaxAgeSeconds > 0) {
    headers.push("Strict-Transport-Security", `max-age=${hstsMaxAgeSeconds}`);
  }
  return headers;
}

/**
 * The headers of a page: its own policy instead of the one for data, and no link to the window that opened it.
 *
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
