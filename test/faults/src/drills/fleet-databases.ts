import { openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Services of the drills that have a database. */
export const storingServices = ["catalog", "pricing", "reviews", "changelog", "search"] as const;

/** A service of the drills that has a database. */
export type StoringService = (typeof storingServices)[number];

/** A database for each service, on one server. */
export class FleetDatabases {
  readonly #template: URL;
  readonly #existing: Partial<Record<StoringService, URL>>;
  readonly #suffix = randomUUID().replaceAll("-", "");

  private constructor(template: URL, existing: Partial<Record<StoringService, URL>>) {
    this.#template = template;
    this.#existing = existing;
  }

  /**
   * Copies a migrated database for each service.
   *
   * @param templateUrl a superuser's URL of a database without connections.
   * @param existing existing databases, which are used as they are and never dropped.
   */
  static async create(
    templateUrl: string,
    existing: Partial<Record<StoringService, URL>> = {},
  ): Promise<FleetDatabases> {
    const databases = new FleetDatabases(new URL(templateUrl), existing);
    const template = databases.#template.pathname.slice(1);
    await databases.#ask(
      databases
        .#own()
        .map((service) => `create database ${databases.#nameOf(service)} template ${template}`),
    );
    return databases;
  }

  url(service: StoringService): URL {
    const url = new URL(this.#existing[service] ?? this.#template);
    if (this.#existing[service] !== undefined) return url;
    url.pathname = `/${this.#nameOf(service)}`;
    return url;
  }

  async drop(): Promise<void> {
    await this.#ask(
      this.#own().map((service) => `drop database if exists ${this.#nameOf(service)} with (force)`),
    );
  }

  /** Dumps a database while it is written to. */
  async dump(service: StoringService, directory: string): Promise<string> {
    const file = join(directory, `${service}-${randomUUID()}.dump`);
    await run("pg_dump", ["--format=custom", `--file=${file}`, this.url(service).href]);
    return file;
  }

  /** Restores a database from a dump, and closes all connections to it. */
  async restore(service: StoringService, file: string): Promise<void> {
    const name = this.#nameOf(service);
    await this.#ask([`drop database ${name} with (force)`, `create database ${name}`]);
    await run("pg_restore", ["--exit-on-error", `--dbname=${this.url(service).href}`, file]);
  }

  /** Opens a database for some work, and closes it afterwards. */
  async using<Result>(
    service: StoringService,
    work: (database: Database) => Promise<Result>,
  ): Promise<Result> {
    return await using(this.url(service).href, work);
  }

  async #ask(statements: readonly string[]): Promise<void> {
    await using(this.#template.href, (database) => database.outsideTransaction(statements));
  }

  #own(): readonly StoringService[] {
    return storingServices.filter((service) => this.#existing[service] === undefined);
  }

  #nameOf(service: StoringService): string {
    return `drill_${service}_${this.#suffix}`;
  }
}

async function using<Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase({ url });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
