import { Popover } from "@base-ui/react/popover";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../api/trpc.ts";
import type { Health } from "../api/types.ts";

/** Time between two health checks, in milliseconds. */
const intervalMs = 10_000;

/** The health of the system as a dot, and of each part on demand. */
export function HealthIndicator() {
  const trpc = useTRPC();
  const { data, isError, refetch } = useQuery(
    trpc.health.checkHealth.queryOptions(undefined, {
      refetchInterval: intervalMs,
      staleTime: 0,
    }),
  );
  const { state, text } = summaryOf(isError ? undefined : data, isError);
  return (
    <Popover.Root onOpenChange={(isOpen) => isOpen && void refetch()}>
      <Popover.Trigger className="health" data-state={state}>
        <span className="health__dot" aria-hidden="true" />
        <span className="visually-hidden">{text}</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="popup-positioner" sideOffset={6} align="end">
          <Popover.Popup className="popup popup--health">
            <Popover.Title className="popup__title">{text}</Popover.Title>
            {data && !isError ? <Parts services={data.services} /> : null}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function summaryOf(health: Health | undefined, isError: boolean) {
  if (isError) return { state: "error", text: "The gateway does not respond" };
  if (health === undefined) return { state: "unknown", text: "Checking the health" };
  const failing = Object.values(health.services).filter(({ status }) => status !== "ok").length;
  if (failing === 0) return { state: "ok", text: "All systems are up" };
  return {
    state: "error",
    text: `${failing} of ${Object.keys(health.services).length} systems down`,
  };
}

function Parts({ services }: Pick<Health, "services">) {
  return (
    <ul className="health__parts">
      {Object.entries(services).map(([name, { status, latency }]) => (
        <li key={name} data-state={status}>
          <span className="health__dot" aria-hidden="true" />
          <span className="health__name">{name}</span>
          <span className="health__latency">
            {latency === null ? "down" : `${latency.toFixed(latency < 10 ? 1 : 0)} ms`}
          </span>
        </li>
      ))}
    </ul>
  );
}
