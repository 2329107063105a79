import { isSecret, serviceNames } from "@storefront/process";
import { gatewaySettingsOf } from "@storefront/gateway";
import { makeTemporaryDirectory } from "@storefront/testkit";
import type { TemporaryDirectory } from "@storefront/testkit";
import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processes } from "../kubernetes/processes.ts";
import { composeDirectory, readCompose } from "./read-compose.ts";
import type { ComposeService } from "./read-compose.ts";

const compose = readCompose();
const services = Object.entries(compose.services);
const serviceOf = (name: string): ComposeService => {
  const service = compose.services[name];
  if (service === undefined) throw new Error(`compose.yaml has no ${name}`);
  return service;
};

const secretsPath = "/run/secrets/";

describe("deploy/docker/compose.yaml", () => {
  let directory: TemporaryDirectory;

  beforeAll(async () => {
    directory = await makeTemporaryDirectory();
    copyFileSync(
      join(composeDirectory, "make-secrets.sh"),
      join(directory.path, "make-secrets.sh"),
    );
    execFileSync("bash", [join(directory.path, "make-secrets.sh")]);
  });
  afterAll(() => directory.remove());

  it("has the six processes, their migration, ingest over HTTP, webhooks and their stores", () => {
    expect(Object.keys(compose.services).toSorted()).toEqual(
      [
        "gateway",
        ...serviceNames,
        "cli",
        "ingest",
        "migrate",
        "postgres",
        "redis",
        "typesense",
        "webhooks",
      ].toSorted(),
    );
  });

  it.each(processes)(
    "gives the $name variables that it knows and can start with, and checks health on its own port",
    ({ name, variables, settingsOf }) => {
      const { environment, healthcheck } = serviceOf(name);
      const known = new Set(
        variables.flatMap((variable) =>
          isSecret(variable) ? [variable, `${variable}_FILE`] : [variable],
        ),
      );
      expect(Object.keys(environment).filter((variable) => !known.has(variable))).toEqual([]);
      const secrets = join(directory.path, "secrets/");
      const env = Object.fromEntries(
        Object.entries(environment).map(([variable, value]) => [
          variable,
          value.replace(secretsPath, secrets),
        ]),
      );
      expect(healthcheck?.test.join(" ")).toContain(
        `http://127.0.0.1:${settingsOf(env).ports["http"]}/readyz`,
      );
    },
  );

  it("passes every secret as a file, only to services that need it", () => {
    const given = services.flatMap(([name, { environment, secrets, entrypoint = [] }]) => {
      const text = [...Object.values(environment), ...entrypoint].join(" ");
      const read = [...text.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, secret = ""]) => secret);
      return [{ name, granted: secrets.toSorted(), read: [...new Set(read)].toSorted() }];
    });
    expect(given.filter(({ granted, read }) => granted.join() !== read.join())).toEqual([]);
    const used = new Set(services.flatMap(([, { secrets }]) => secrets));
    expect([...used].toSorted()).toEqual(Object.keys(compose.secrets).toSorted());
    // A URL without a user and a password is no secret.
    const plain = services.flatMap(([name, { environment }]) =>
      Object.entries(environment)
        .filter(([variable, value]) => isSecret(variable) && !/^redis:\/\/[a-z]+:\d+$/.test(value))
        .map(([variable]) => `${name}: ${variable}`),
    );
    expect(plain).toEqual([]);
  });

  it("generates every secret at random, once, unreadable to other users of the machine", () => {
    const path = (name: string) => join(directory.path, "secrets", name);
    const names = readdirSync(path("")).toSorted();
    expect(names).toEqual(Object.keys(compose.secrets).toSorted());
    expect(statSync(path("")).mode & 0o777).toBe(0o700);
    const texts = () => names.map((name) => readFileSync(path(name), "utf8"));
    const first = texts();
    execFileSync("bash", [join(directory.path, "make-secrets.sh")]);
    expect(texts()).toEqual(first);
    expect(new Set(first).size).toBe(names.length);
    expect(first.every((text) => /[0-9a-f]{48}/.test(text))).toBe(true);
  });

  it("waits only for services with a health check, and for the migration", () => {
    const wrong = services.flatMap(([name, { depends_on }]) =>
      Object.entries(depends_on)
        .filter(([other, { condition }]) => {
          const { healthcheck, command } = serviceOf(other);
          return condition === "service_healthy"
            ? healthcheck === undefined
            : command?.[0] !== "migrate";
        })
        .map(([other]) => `${name}: ${other}`),
    );
    expect(wrong).toEqual([]);
    for (const name of serviceNames) expect(serviceOf(name).depends_on).toHaveProperty("migrate");
  });

  it("puts each service on a network with those that it calls, and the gateway on none with the data", () => {
    const hosts = (value: string) =>
      [...value.matchAll(/(?:^|:\/\/)([a-z]+):\d+/g)].map(([, host]) => host ?? "");
    const unreachable = services.flatMap(([name, { environment, networks }]) =>
      Object.values(environment)
        .flatMap(hosts)
        .filter((host) => !serviceOf(host).networks.some((network) => networks.includes(network)))
        .map((host) => `${name}: ${host}`),
    );
    expect(unreachable).toEqual([]);
    expect(serviceOf("gateway").networks).not.toContain("data");
    const outside = Object.entries(compose.networks).filter(
      ([, network]) => network?.internal !== true,
    );
    expect(outside.map(([name]) => name)).toEqual(["public"]);
    const withPorts = services.filter(([, { ports }]) => ports !== undefined);
    expect(withPorts.map(([name]) => name).toSorted()).toEqual(["gateway", "ingest"]);
  });

  it("lets no container change its root file system or gain privileges", () => {
    const soft = services.filter(
      ([, service]) =>
        !service.read_only ||
        service.cap_drop.join() !== "ALL" ||
        service.security_opt.join() !== "no-new-privileges:true",
    );
    expect(soft.map(([name]) => name)).toEqual([]);
    const ours = services.filter(([, { image }]) => image.startsWith("storefront/"));
    expect(ours.filter(([, { user }]) => user !== "1000:1000")).toEqual([]);
  });

  it("gives a process more time to stop than its shutdown takes", () => {
    const { shutdownDelayMs, shutdownTimeoutMs } = gatewaySettingsOf({}).gateway;
    const graces = processes.map(({ name }) =>
      Number.parseInt(serviceOf(name).stop_grace_period ?? "0", 10),
    );
    expect(Math.min(...graces) * 1000).toBeGreaterThan(shutdownDelayMs + shutdownTimeoutMs);
  });

  it("pins every third-party image by its digest, and builds its own with the one Dockerfile", () => {
    const isOurs = ([, { image }]: (typeof services)[number]) => image.startsWith("storefront/");
    const built = services
      .filter(isOurs)
      .map(([name, { image, build }]) => [name, image, build?.args["PROCESS"]]);
    expect(built).toEqual(
      built.map(([name]) => {
        const process = name === "migrate" || name === "ingest" ? "cli" : name;
        const isBuilt = name !== "cli" && name !== "ingest";
        return [name, `storefront/${process}:\${TAG:-dev}`, isBuilt ? process : undefined];
      }),
    );
    const others = services.filter((service) => !isOurs(service)).map(([, { image }]) => image);
    const pinned = /^[\w./]+:[\w.-]+@sha256:[0-9a-f]{64}$/;
    expect(others.filter((image) => !pinned.test(image))).toEqual([]);
  });
});
