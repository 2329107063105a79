import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Overview } from "../api/types.ts";
import { Section } from "./section.tsx";

/** More than this many characters are shown on demand. */
const longText = 900;

/** The long description, technologies, features and tags of the offer. */
export function About({ overview }: { overview: Overview }) {
  const { offer, technologies, features, genres } = overview;
  const genreIds = new Set(genres.map(({ id }) => id));
  const featureNames = [...(features?.features ?? []), ...(features?.epicFeatures ?? [])];
  const otherTags = offer.tags.filter(
    ({ id, name }) => !genreIds.has(id) && name !== null && !featureNames.includes(name),
  );
  return (
    <Section title="About">
      <LongText
        text={offer.longDescription ?? offer.description ?? ""}
        lang={offer.localeStatus === "localized" ? offer.locale : undefined}
      />
      <dl className="groups">
        <Group name="Technologies">
          {technologies.flatMap(({ technology, section }) =>
            technology === null
              ? []
              : [
                  <li key={`${section} ${technology}`}>
                    <Link to="/" search={{ tech: [technology] }} className="chip">
                      {technology}
                      {section === null ? null : <span className="chip__hint">{section}</span>}
                    </Link>
                  </li>,
                ],
          )}
        </Group>
        <Group name="Genres">
          {genres.map(({ id, name }) => (
            <TagLink key={id} id={id} name={name ?? id} />
          ))}
        </Group>
        <Group name="Features">
          {featureNames.map((name) => (
            <li key={name} className="chip">
              {name}
            </li>
          ))}
        </Group>
        <Group name="Tags">
          {otherTags.map(({ id, name }) => (
            <TagLink key={id} id={id} name={name ?? id} />
          ))}
        </Group>
      </dl>
    </Section>
  );
}

function Group({ name, children }: { name: string; children: React.ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <ul className="chips">{children}</ul>
      </dd>
    </div>
  );
}

function TagLink({ id, name }: { id: string; name: string }) {
  return (
    <li>
      <Link to="/" search={{ tag: [id] }} className="chip">
        {name}
      </Link>
    </li>
  );
}

function LongText({ text, lang }: { text: string; lang: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  if (text === "") return <p className="section__empty">There is no description.</p>;
  const isLong = text.length > longText;
  return (
    <>
      <p className="prose" lang={lang}>
        {isOpen || !isLong ? text : `${text.slice(0, longText).trimEnd()}…`}
      </p>
      {isLong ? (
        <button
          type="button"
          className="link-button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Less" : "Read on"}
        </button>
      ) : null}
    </>
  );
}
