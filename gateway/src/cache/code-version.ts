import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where a process's own code is, by a module of it: its files, as patterns below a directory. */
interface CodeFiles {
  directory: string;
  patterns: string[];
}

/**
 * A digest of the code that this process runs, third-party packages included: the files of the bundle
 * that it is, or the repository's sources with its lockfile. A release's number would not do, because
 * what is deployed between releases has the same one.
 *
 * @param moduleFile a file of the code; default: this one
 */
export function codeVersion(moduleFile: string = import.meta.filename): string {
  const { directory, patterns } = filesBy(moduleFile);
  const digest = createHash("sha256");
  for (const name of globSync(patterns, { cwd: directory }).toSorted()) {
    const content = readFileSync(join(directory, name));
    digest.update(`${name}\n${content.length}\n`).update(content);
  }
  return digest.digest("base64url").slice(0, 16);
}

function filesBy(moduleFile: string): CodeFiles {
  if (!moduleFile.endsWith(".ts")) {
    return { directory: join(moduleFile, ".."), patterns: ["*.js"] };
  }
  return {
    directory: join(moduleFile, "../../../.."),
    patterns: ["pnpm-lock.yaml", "gateway/src/**/*.ts", "packages/*/src/**/*.ts"],
  };
}
