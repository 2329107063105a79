import { readFileSync } from "node:fs";

/**
 * User for a server that refuses to run as root: undefined when this process is not root, otherwise the
 * user `postgres`, else `nobody`, by numeric ids.
 */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("PostgreSQL refuses root, and there is no user postgres or nobody to run it as.");
}
