import { BlockList, isIPv4 } from "node:net";

/** The test cluster's own networks: the node, its pods, its Services. */
const clusterNetworks = new BlockList();
clusterNetworks.addSubnet("10.123.0.0", 24, "ipv4");
clusterNetworks.addSubnet("10.124.0.0", 24, "ipv4");
clusterNetworks.addSubnet("10.125.0.0", 24, "ipv4");

/** Longest that any load goes on, whatever became of who started it. */
export const loadLimitMs = 15 * 60_000;

/** Lets only addresses of the test cluster pass, so that load never goes anywhere else. */
export function clusterAddress(address: string): string {
  if (isIPv4(address) && clusterNetworks.check(address)) return address;
  throw new Error(`${address} is no address of the test cluster`);
}
