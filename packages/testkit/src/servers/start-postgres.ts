import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "./find-program.ts";
import { freePort } from "./free-port.ts";
import { startProcess } from "./server-process.ts";
import type { TestServer } from "./server-process.ts";
import { unprivilegedUser } from "./unprivileged-user.ts";

/** Directories of distributions, which are seldom in PATH. */
const places = [
  "/usr/lib/postgresql/*/bin",
  "/usr/pgsql-*/bin",
  "/opt/homebrew/opt/postgresql@*/bin",
];

/** Settings of a server whose data may be lost. */
const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "200",
};

/** Whether a PostgreSQL server is installed on this machine. */
export function isPostgresInstalled(): boolean {
  return findProgram("initdb", places) !== undefined;
}

/** Data directory and settings of a server. */
export interface PostgresOptions {
  /** Created if it is missing, reused if it exists, and not removed; default a temporary one. */
  directory?: string;
  /** Added to those of every server here. */
  settings?: Readonly<Record<string, string>>;
}

/**
 * Starts a PostgreSQL server of its own on a free port, with passwords checked by SCRAM as in
 * production. The URL is the superuser's.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<TestServer> {
  const initdb = findProgram("initdb", places);
  const postgres = findProgram("postgres", places);
  if (initdb === undefined || postgres === undefined) {
    throw new Error("PostgreSQL is not installed.");
  }
  const user = unprivilegedUser();
  const givenDirectory = options.directory;
  const directory = givenDirectory ?? (await mkdtemp(join(tmpdir(), "storefront-postgres-")));
  await mkdir(directory, { recursive: true });
  const processOptions = { ...user, cwd: directory, env: { PATH: process.env["PATH"] } };
  const data = join(directory, "data");
  if (!existsSync(join(data, "PG_VERSION"))) {
    const passwordFile = join(directory, "password");
    await writeFile(passwordFile, "postgres\n");
    if (user !== undefined) {
      await chown(directory, user.uid, user.gid);
      await chown(passwordFile, user.uid, user.gid);
    }
    await promisify(execFile)(
      initdb,
      [
        `--pgdata=${data}`,
        "--username=postgres",
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--no-locale",
        "--no-sync",
      ],
      processOptions,
    );
  }
  const port = await freePort();
  const stop = await startProcess({
    program: postgres,
    parameters: [
      "-D",
      data,
      "-p",
      String(port),
      ...Object.entries({ ...settings, ...options.settings }).flatMap(([name, value]) => [
        "-c",
        `${name}=${value}`,
      ]),
    ],
    options: processOptions,
    readyText: "database system is ready to accept connections",
    stopSignal: "SIGINT",
  });
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await stop();
      if (givenDirectory === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}
