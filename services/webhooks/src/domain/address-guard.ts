import { BlockList, isIP } from "node:net";

/**
 * IPv4 networks that are not on the public Internet
 * (https://www.iana.org/assignments/iana-ipv4-special-registry), multicast and reserved ones included.
 */
const privateFour = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
];

/** The only IPv6 network with public addresses, and its parts that are not public, or that contain an IPv4 address. */
const globalSix = "2000::/3";
const specialSix = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"];

const mappedFour = /^::ffff:(?<four>[\d.]+)$/i;

/**
 * Addresses and networks such as `10.0.0.0/8`.
 *
 * @throws RangeError naming one that is neither
 */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix, ...rest] = network.split("/");
    const bits = isIP(address) === 4 ? 32 : 128;
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
    if (isIP(address) === 0 || length < 0 || length > bits || rest.length > 0) {
      throw new RangeError(`not an address or network: ${network}`);
    }
    list.addSubnet(address, length, bits === 32 ? "ipv4" : "ipv6");
  }
  return list;
}

/** Decides which addresses webhooks are sent to. */
export interface AddressGuard {
  /** Whether a connection to the address may be opened for a URL of this protocol. */
  permits: (address: string, protocol: string) => boolean;
}

/**
 * Permits https to public addresses, and http and https to the allowed networks.
 *
 * @param allowed networks, as of `networkList`
 */
export function createAddressGuard(allowed: readonly string[]): AddressGuard {
  const [allowedList, privateList] = [networkList(allowed), networkList(privateFour)];
  const [globalList, specialList] = [networkList([globalSix]), networkList(specialSix)];
  return {
    permits(given, protocol) {
      // The system connects it as IPv4. `URL` writes these in hexadecimal, which no list below has.
      const address = mappedFour.exec(given)?.groups?.["four"] ?? given;
      const family = isIP(address) === 4 ? "ipv4" : "ipv6";
      if (allowedList.check(address, family)) return true;
      if (protocol !== "https:") return false;
      return family === "ipv4"
        ? !privateList.check(address, family)
        : globalList.check(address, family) && !specialList.check(address, family);
    },
  };
}
