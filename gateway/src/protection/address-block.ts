import { isIP } from "node:net";

/**
 * What counts as one client: an IPv4 address, or the /64 of an IPv6 address, since that many
 * addresses are given to one household or machine. IPv4 in IPv6 form is IPv4.
 *
 * @param address a valid IP address, a zone after `%` is passed over
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

/** The eight groups of an IPv6 address. */
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
