import type { ContainerTools } from "../container-tools.ts";

/**
 * Deletes the NAT rules of ports that netavark 1.4 (Debian 12) leaves when a container is killed. They send
 * connections to the deleted container, also those to a later listener on the port.
 */
export async function removeRulesOf(
  tools: ContainerTools,
  ports: readonly string[],
): Promise<void> {
  const rules = await tools.run("iptables", ["--table", "nat", "--list-rules"]);
  for (const rule of rules.split("\n")) {
    const [, port = ""] = /^-A NETAVARK-.* --dport (\d+) /.exec(rule) ?? [];
    if (!ports.includes(port)) continue;
    // The rule has quoted comments.
    await tools.run("bash", ["-c", `iptables --table nat ${rule.replace("-A", "-D")}`]);
  }
}
