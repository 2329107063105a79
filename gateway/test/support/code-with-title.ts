import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { createGateway } from "../../src/create-gateway.ts";

/** A gateway whose code shows offers differently. */
export interface OtherCode {
  createGateway: typeof createGateway;
  remove(): Promise<void>;
}

const repository = join(import.meta.dirname, "../../..");

/** A copy of the gateway's sources in which every offer has this title; the schemas are the same. */
export async function codeWithTitle(title: string): Promise<OtherCode> {
  const root = await mkdtemp(join(tmpdir(), "gateway-"));
  await mkdir(join(root, "gateway"));
  for (const part of ["src", "openapi.json"]) {
    await cp(join(repository, "gateway", part), join(root, "gateway", part), { recursive: true });
  }
  for (const part of ["docs", "packages", "pnpm-lock.yaml", "gateway/node_modules"]) {
    await symlink(join(repository, part), join(root, part));
  }
  const shaping = join(root, "gateway/src/records/offer.ts");
  const source = await readFile(shaping, "utf8");
  const changed = source.replace("title: record.title ?? null", `title: ${JSON.stringify(title)}`);
  if (changed === source) throw new Error(`${shaping} shows the title in another way`);
  await writeFile(shaping, changed);
  const { href } = pathToFileURL(join(root, "gateway/src/create-gateway.ts"));
  const module = (await import(href)) as Pick<OtherCode, "createGateway">;
  return {
    createGateway: module.createGateway,
    remove: () => rm(root, { recursive: true }),
  };
}
