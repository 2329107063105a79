import type { IncomingMessage } from "node:http";
import { IncomingMessage as Request } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { addressBlockOf, addressList, createClientAddressReader } from "./client-address.ts";

const trusted = addressList(["10.0.0.0/8", "192.0.2.1", "2001:db8::/32"]);
const read = createClientAddressReader(trusted);

function requestFrom(address: string, forwarded?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: address });
  const request = new Request(socket);
  if (forwarded !== undefined) request.headers["x-forwarded-for"] = forwarded;
  return request;
}

test.for<[why: string, peer: string, forwarded: string | undefined, client: string]>([
  ["the peer is the client", "203.0.113.5", undefined, "203.0.113.5"],
  ["IPv4 in IPv6 form is IPv4", "::ffff:203.0.113.5", undefined, "203.0.113.5"],
  ["the header of an untrusted peer is ignored", "203.0.113.5", "198.51.100.1", "203.0.113.5"],
  ["a proxy is trusted", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["a proxy over IPv6 is trusted", "2001:db8::9", "198.51.100.1", "198.51.100.1"],
  ["a mapped proxy is trusted", "::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["the last entry was added by the proxy", "10.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"],
  [
    "chained proxies are skipped",
    "10.0.0.1",
    "1.1.1.1, 198.51.100.1, 10.2.3.4,192.0.2.1",
    "198.51.100.1",
  ],
  ["only proxies", "10.0.0.1", "10.0.0.9, 10.0.0.2", "10.0.0.9"],
  ["an invalid address ends the chain", "10.0.0.1", "198.51.100.1, unknown, 10.0.0.2", "10.0.0.2"],
  ["an empty header", "10.0.0.1", "", "10.0.0.1"],
  ["a port is ignored", "10.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
  ["IPv6 in brackets", "10.0.0.1", "[2001:dead::1]:4711", "2001:dead::1"],
  ["IPv6 without brackets", "10.0.0.1", "2001:dead::1", "2001:dead::1"],
  ["a closed connection", "", "198.51.100.1", "0.0.0.0"],
])("%s", ([, peer, forwarded, client]) => {
  expect(read(requestFrom(peer, forwarded))).toBe(client);
});

test.for(["10.0.0", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "::/129", "proxy.example", "/8"])(
  "%s is neither an address nor a network",
  (entry) => {
    expect(() => addressList([entry])).toThrow(RangeError);
  },
);

test.for([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:c000:207", "192.0.2.7"],
  ["0:0:0:0:0:ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:0db8:0000:0000:ffff:ffff:ffff:ffff", "2001:db8:0:0::/64"],
  ["2001:db8:0:1::1", "2001:db8:0:1::/64"],
  ["2001:db8:1:2:3:4:192.0.2.7", "2001:db8:1:2::/64"],
  ["1::", "1:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("%s belongs to the client %s", ([address = "", block]) => {
  expect(addressBlockOf(address)).toBe(block);
});
