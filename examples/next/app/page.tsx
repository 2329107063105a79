import { createCatalogClient, formatMoney } from "@storefront/client";

const url = process.env["CATALOG_URL"] ?? "http://localhost:4000";
const catalog = createCatalogClient({ url });
const country = "DE";

interface PageProps {
  searchParams: Promise<{ query?: string | string[] }>;
}

/** Offers whose title matches `?query=`, rendered for each request. */
export default async function Page({ searchParams }: PageProps) {
  const { query = "" } = await searchParams;
  const title = String(query);
  const { offers, total } = await catalog.search.searchOffers.query({ title, country, limit: 12 });
  return (
    <main>
      <form>
        <input type="search" name="query" aria-label="Title" defaultValue={title} />
      </form>
      <p role="status">{total} offers</p>
      <ul>
        {offers.map(({ id, title: name, price }) => (
          <li key={id}>
            {name}{" "}
            {price && formatMoney({ ...price.price, amount: price.price.discountPrice }, "de-DE")}
          </li>
        ))}
      </ul>
    </main>
  );
}
