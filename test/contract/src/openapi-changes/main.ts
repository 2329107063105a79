// Compares gateway/openapi.json with an earlier one from the standard input. Fails on what breaks clients,
// unless the version of the API says so.
import { readFileSync } from "node:fs";
import { announcesBreak } from "./api-version.ts";
import { breakingChanges } from "./breaking-changes.ts";
import { jsonOf } from "./json.ts";

const documentIn = (file: number | URL) => jsonOf(JSON.parse(readFileSync(file, "utf8")));
const versionOf = ({ info }: ReturnType<typeof documentIn>) => String(jsonOf(info)["version"]);

const before = documentIn(0);
const after = documentIn(new URL("../../../../gateway/openapi.json", import.meta.url));
const changes = breakingChanges(before, after);
for (const change of changes) process.stdout.write(`${change}\n`);
if (changes.length > 0 && !announcesBreak(versionOf(before), versionOf(after))) {
  process.stderr.write(
    "gateway/openapi.json breaks clients: take it back, or announce it by a version in package.json and gateway/package.json\n",
  );
  process.exitCode = 1;
}
