import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "./find-program.ts";
import { freePort } from "./free-port.ts";
import { startProcess } from "./server-process.ts";
import type { TestServer } from "./server-process.ts";
import { unprivilegedUser } from "./unprivileged-user.ts";

/** Directories of distributions, which are seldom in PATH. */
const places = ["/usr/sbin", "/opt/homebrew/bin"];

/** Why there is no PgBouncer, undefined when it is installed. */
export function missingPgbouncer(): string | undefined {
  return findProgram("pgbouncer", places) === undefined
    ? "no PgBouncer: install pgbouncer"
    : undefined;
}

/** Starts a PgBouncer in transaction mode in front of a database. The URL is the database's, through it. */
export async function startPgbouncer(databaseUrl: string): Promise<TestServer> {
  const program = findProgram("pgbouncer", places);
  if (program === undefined) throw new Error("PgBouncer is not installed.");
  const url = new URL(databaseUrl);
  const { hostname, port, username, password } = url;
  const user = unprivilegedUser();
  const directory = await mkdtemp(join(tmpdir(), "storefront-pgbouncer-"));
  const ownPort = await freePort();
  const users = join(directory, "users.txt");
  const settings = join(directory, "pgbouncer.ini");
  await writeFile(users, `"${username}" "${password}"\n`);
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
pool_mode = transaction
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
max_client_conn = 200
default_pool_size = 20
`,
  );
  if (user !== undefined) {
    for (const path of [directory, users, settings]) await chown(path, user.uid, user.gid);
  }
  const stop = await startProcess({
    program,
    parameters: [settings],
    options: { ...user, cwd: directory },
    readyText: "process up",
    stopSignal: "SIGTERM",
  });
  url.port = String(ownPort);
  return {
    url: url.href,
    async stop() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
