import { describe, expect, it } from "vitest";
import { createAddressGuard } from "./address-guard.ts";

describe("addresses of webhooks", () => {
  it.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.31.255.255",
    "192.168.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "fc00::1",
    "fd12::1",
    "fe80::1",
    "ff02::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
  ])("are not %s", (address) => {
    expect(createAddressGuard([]).permits(address, "https:")).toBe(false);
  });

  it.each(["1.1.1.1", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1"])(
    "may be %s, by https only",
    (address) => {
      const guard = createAddressGuard([]);
      expect(guard.permits(address, "https:")).toBe(true);
      expect(guard.permits(address, "http:")).toBe(false);
    },
  );

  it("may be in an allowed network, by http too", () => {
    const guard = createAddressGuard(["10.1.0.0/16", "fd00::/8"]);
    expect(guard.permits("10.1.2.3", "http:")).toBe(true);
    expect(guard.permits("::ffff:10.1.2.3", "http:")).toBe(true);
    expect(guard.permits("fd00::1", "http:")).toBe(true);
    expect(guard.permits("10.2.0.1", "https:")).toBe(false);
  });

  it.each(["10.0.0.0/33", "10.0.0.0/8/8", "example.com", "10.0.0.0/"])(
    "are not allowed by %s",
    (network) => {
      expect(() => createAddressGuard([network])).toThrow(network);
    },
  );
});
