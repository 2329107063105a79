import { describe, expect, it } from "vitest";
import { createAddressGuard } from "./address-guard.ts";
import { urlFault } from "./webhook-url.ts";

const guard = createAddressGuard(["10.1.0.0/16"]);
const fault = (url: string, isHttpAllowed = false) => urlFault(url, guard, isHttpAllowed);

describe("the URL of a webhook", () => {
  it.each([
    "https://shop.example.com/hook?a=b",
    "https://shop.example.com:8443",
    "https://1.1.1.1/",
    "https://[2606:4700::1111]/",
    "https://10.1.2.3/",
  ])("may be %s", (url) => {
    expect(fault(url)).toBeUndefined();
  });

  it("may have http once there are networks for it, in these alone if it has an address", () => {
    expect(fault("http://hooks.internal/", true)).toBeUndefined();
    expect(fault("http://10.1.2.3/", true)).toBeUndefined();
    expect(fault("http://1.1.1.1/", true)).toBe(
      "must begin with https:// unless 1.1.1.1 is in WEBHOOK_ALLOWED_NETWORKS",
    );
  });

  it.each([
    ["", "must be an https:// address"],
    ["shop.example.com", "must be an https:// address"],
    ["http://shop.example.com", "must be an https:// address"],
    ["file:///etc/passwd", "must be an https:// address"],
    ["https://user@shop.example.com", "must have no user and no password"],
    ["https://:secret@shop.example.com", "must have no user and no password"],
    ["https://shop.example.com/#", "must have no fragment"],
    [
      "https://10.2.0.1/",
      "must be at a public address, which 10.2.0.1 is not, or in WEBHOOK_ALLOWED_NETWORKS",
    ],
  ])("is not %s, which %s", (url, rule) => {
    expect(fault(url)).toBe(rule);
  });

  it.each([
    "https://2130706433/",
    "https://0x7f.1/",
    "https://[::1]/",
    "https://[::ffff:a9fe:a9fe]/",
    "https://169.254.169.254/latest/meta-data",
  ])("is no private address in another notation, such as %s", (url) => {
    expect(fault(url)).toContain("must be at a public address");
  });
});
