import { portProblem, portsOfStack } from "../stack/check-ports.ts";
import type { StackSettings } from "../stack/stack-settings.ts";
import { fine, wrong } from "./check.ts";
import type { Check } from "./check.ts";

/** Whether a stack could listen; asked only where none runs. */
export async function checkFreePorts(settings: StackSettings): Promise<Check> {
  const name = "ports";
  const wanted = portsOfStack(settings);
  for (const wantedPort of wanted) {
    const { port, use, setting } = wantedPort;
    const problem = await portProblem(wantedPort);
    if (problem !== undefined) {
      return wrong(name, `Port ${port}, for ${use}, ${problem}.`, `Choose another by ${setting}.`);
    }
  }
  return fine(name, `${wanted.map(({ port }) => port).join(", ")} are free`);
}
