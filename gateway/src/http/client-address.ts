import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

export type ReadClientAddress = (request: IncomingMessage) => string;

/**
 * Addresses and networks such as `10.0.0.0/8`.
 *
 * @throws RangeError for one that is neither
 */
export function addressList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", prefix, ...rest] = entry.split("/");
    const version = isIP(address);
    const bits = version === 4 ? 32 : 128;
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
    if (version === 0 || length < 0 || length > bits || rest.length > 0) {
      throw new RangeError(`not an address or network: ${entry}`);
    }
    list.addSubnet(address, length, version === 4 ? "ipv4" : "ipv6");
  }
  return list;
}

/**
 * Reads the client's address behind trusted proxies: `X-Forwarded-For` from its end, as far as each
 * that appended to it is trusted. Entries before the first untrusted one may be forged.
 */
export function createClientAddressReader(trusted: BlockList): ReadClientAddress {
  const isTrusted = (address: string) =>
    trusted.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
  return ({ socket, headers }) => {
    // A closed connection has none.
    let client = plainAddress(socket.remoteAddress ?? "") ?? "0.0.0.0";
    const forwarded = headers["x-forwarded-for"];
    if (typeof forwarded !== "string" || !isTrusted(client)) return client;
    for (const hop of forwarded.split(",").toReversed()) {
      const address = plainAddress(hop.trim());
      if (address === undefined) break;
      client = address;
      if (!isTrusted(client)) break;
    }
    return client;
  };
}

const withPort = /^(?:\[(?<six>[^\]]+)\](?::\d{1,5})?|(?<four>[\d.]+):\d{1,5})$/;
const mappedFour = /^::ffff:(?<four>[\d.]+)$/i;

/** The address without port, brackets and zone, IPv4-mapped IPv6 as IPv4; undefined if malformed. */
function plainAddress(text: string): string | undefined {
  const port = withPort.exec(text)?.groups;
  const [address = ""] = (port?.["six"] ?? port?.["four"] ?? text).split("%", 1);
  const plain = mappedFour.exec(address)?.groups?.["four"] ?? address;
  return isIP(plain) === 0 ? undefined : plain;
}

/**
 * What counts as one client: an IPv4 address, or the /64 of an IPv6 address, since that many
 * addresses are given to one household or machine. IPv4 in IPv6 form is IPv4.
 *
 * @param address a valid IP address, a zone after `%` is ignored
 */
export function addressBlockOf(address: string): string {
  const plain = address.split("%", 1)[0] ?? "";
  if (isIP(plain) !== 6) return plain;
  const groups = groupsOf(plain);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, high = 0, low = 0] = groups;
  if ((a | b | c | d | e) === 0 && f === 0xffff) {
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
  }
  return `${[a, b, c, d].map((group) => group.toString(16)).join(":")}::/64`;
}

function groupsOf(address: string): number[] {
  // The parser of URLs brings every form into one: hexadecimal groups with at most one `::`.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const front = parsed(head);
  const back = parsed(tail ?? "");
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => 0);
  return [...front, ...zeros, ...back];
}

function parsed(groups: string): number[] {
  return groups === "" ? [] : groups.split(":").map((group) => Number.parseInt(group, 16));
}
