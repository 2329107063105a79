/** Whether the database is on Neon, which suspends a compute that nobody has used for five minutes. */
export function isNeonUrl(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname.endsWith(".neon.tech");
}

/** Whether Neon's pooler is asked: a PgBouncer in transaction mode that knows prepared statements. */
export function isNeonPoolerUrl(url: string): boolean {
  return directUrl(url) !== url;
}

/** The URL without Neon's pooler, whose host is that of the compute with `-pooler` after its first part. */
export function directUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const direct = new URL(url);
  const hostname = direct.hostname.replace(/^([^.]+)-pooler(?=\.|$)/, "$1");
  if (hostname === direct.hostname) return url;
  direct.hostname = hostname;
  return direct.href;
}
