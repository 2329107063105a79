import { expect, test } from "vitest";
import { z } from "zod";
import { ConfigError, parseEnvironment, serverTlsRules, serverTlsShape } from "../index.ts";

const cert = { TLS_CERT_FILE: "/run/tls/tls.crt", TLS_KEY_FILE: "/run/tls/tls.key" };
const ca = { TLS_CA_FILE: "/run/tls/ca.crt" };

function wrongVariablesOf(env: Record<string, string>): readonly string[] {
  try {
    parseEnvironment([z.object(serverTlsShape)], env, serverTlsRules);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.variables;
    throw error;
  }
}

test.each([
  {},
  ca,
  cert,
  { ...cert, ...ca, TLS_CLIENT_AUTH: "require" },
  { ...cert, ...ca, TLS_CLIENT_AUTH: "request" },
  { TLS_CLIENT_AUTH: "none" },
])("accepts %o", (env) => {
  expect(wrongVariablesOf(env)).toEqual([]);
});

test.each([
  [{ TLS_CERT_FILE: "/run/tls/tls.crt" }, ["TLS_KEY_FILE"]],
  [{ TLS_KEY_FILE: "/run/tls/tls.key" }, ["TLS_CERT_FILE"]],
  [{ ...cert, TLS_CLIENT_AUTH: "always" }, ["TLS_CLIENT_AUTH", "TLS_CA_FILE"]],
  [{ ...cert, TLS_CLIENT_AUTH: "require" }, ["TLS_CA_FILE"]],
  [{ ...ca, TLS_CLIENT_AUTH: "request" }, ["TLS_CLIENT_AUTH"]],
  [{ TLS_CLIENT_AUTH: "require" }, ["TLS_CLIENT_AUTH", "TLS_CA_FILE"]],
])("rejects %o, naming all wrong variables", (env, wrong) => {
  expect(wrongVariablesOf(env)).toEqual(wrong);
});
