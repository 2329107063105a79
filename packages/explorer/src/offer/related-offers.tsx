import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../api/trpc.ts";
import { useSettings } from "../layout/use-settings.ts";
import { OfferGrid } from "../search/offer-grid.tsx";
import { Section } from "./section.tsx";

/** Two rows of a wide screen, and one for the offer itself. */
const offersMax = 13;

/** Other offers of the same sandbox; nothing where there is none, or they cannot be had. */
export function RelatedOffers({ id, sandboxId }: { id: string; sandboxId: string }) {
  const trpc = useTRPC();
  const { locale } = useSettings();
  const { data } = useQuery(
    trpc.catalog.listSandboxOffers.queryOptions({ sandboxId, locale, limit: offersMax }),
  );
  const others = (data?.elements ?? []).filter((offer) => offer.id !== id).slice(0, offersMax - 1);
  if (others.length === 0) return null;
  return (
    <Section title="More of this game">
      <OfferGrid offers={others} level={3} />
    </Section>
  );
}
