// Compares gateway/openapi.json with an earlier one from the standard input. Fails on what breaks clients,
// unless the version of the next release says so.
import { readdirSync, readFileSync } from "node:fs";
import { announcesBreak } from "./api-version.ts";
import { breakingChanges } from "./breaking-changes.ts";
import { jsonOf } from "./json.ts";
import { nextVersion } from "./next-version.ts";

const documentIn = (file: number | URL) => jsonOf(JSON.parse(readFileSync(file, "utf8")));
const versionOf = ({ info }: ReturnType<typeof documentIn>) => String(jsonOf(info)["version"]);

const before = documentIn(0);
const after = documentIn(new URL("../../../../gateway/openapi.json", import.meta.url));
const changesetFolder = new URL("../../../../.changeset/", import.meta.url);
const changesets = readdirSync(changesetFolder)
  .filter((name) => name.endsWith(".md"))
  .map((name) => readFileSync(new URL(name, changesetFolder), "utf8"));
const changes = breakingChanges(before, after);
for (const change of changes) process.stdout.write(`${change}\n`);
const next = nextVersion(versionOf(after), changesets);
if (changes.length > 0 && !announcesBreak(versionOf(before), next)) {
  process.stderr.write(
    `gateway/openapi.json breaks clients, and the next release is ${next}: take it back, or announce it by a changeset\n`,
  );
  process.exitCode = 1;
}
