import type { ContainerTools } from "../container-tools.ts";

/**
 * Deletes what netavark 1.4 (Debian 12) leaves in the table of addresses where a container was killed: connections to its
 * published ports, whoever listens there later, would lead nowhere.
 */
export async function removeRulesOf(
  tools: ContainerTools,
  ports: readonly string[],
): Promise<void> {
  const rules = await tools.run("iptables", ["--table", "nat", "--list-rules"]);
  for (const rule of rules.split("\n")) {
    const [, port = ""] = /^-A NETAVARK-.* --dport (\d+) /.exec(rule) ?? [];
    if (!ports.includes(port)) continue;
    // It has quoted comments.
    await tools.run("bash", ["-c", `iptables --table nat ${rule.replace("-A", "-D")}`]);
  }
}
