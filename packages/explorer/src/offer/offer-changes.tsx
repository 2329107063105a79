import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../api/trpc.ts";
import { EntryList } from "../changes/entry-list.tsx";
import { FailurePanel } from "../ui/state-panel.tsx";
import { LinesSkeleton, Section } from "./section.tsx";

/** The latest changes of the offer. */
export function OfferChanges({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.changelog.searchEntries.queryOptions({ type: "offer", id, limit: 10 }),
  );
  return (
    <Section title="Changes">
      {error && data === undefined ? (
        <FailurePanel error={error} subject="Changes" level={3} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LinesSkeleton lines={4} />
      ) : data.hits.length === 0 ? (
        <p className="section__empty">Nothing has changed yet.</p>
      ) : (
        <EntryList entries={data.hits} areTitled={false} />
      )}
    </Section>
  );
}
