import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The files of a process's own code, as patterns below a directory. */
interface CodeFiles {
  directory: string;
  patterns: string[];
}

/**
 * A digest of the code that this process runs, with third-party packages: the files of its bundle, or the repository's
 * sources with its lockfile. Not the number of the release, which is the same for all that is deployed between releases.
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
