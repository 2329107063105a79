import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Change, Entry } from "../api/types.ts";
import { formatAge, formatInstant } from "../format/dates.ts";
import { useSettings } from "../layout/use-settings.ts";
import "../styles/changes.css";

interface EntryListProps {
  entries: readonly Entry[];
  /** Whether each names its subject; default true. */
  areTitled?: boolean;
  /** Ids of entries that have just arrived. */
  newIds?: ReadonlySet<string>;
}

/** Changes of records, each with its state before and after. */
export function EntryList({ entries, areTitled = true, newIds }: EntryListProps) {
  return (
    <ol className="entries">
      {entries.map(({ _id: id, ...entry }) => (
        <li key={id} className="entry" data-new={newIds?.has(id) ?? false}>
          <EntryItem entry={entry} isTitled={areTitled} />
        </li>
      ))}
    </ol>
  );
}

/** Differences that are shown at once. */
const fewChanges = 4;

type EntryContent = Omit<Entry, "_id">;

function EntryItem({ entry, isTitled }: { entry: EntryContent; isTitled: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { changes } = entry.metadata;
  const shown = isOpen ? changes : changes.slice(0, fewChanges);
  return (
    <>
      <div className="entry__head">
        {isTitled ? <Subject entry={entry} /> : null}
        <Time instant={entry.timestamp} />
      </div>
      <ul className="entry__changes">
        {shown.map((change) => (
          <li key={change.field}>
            <ChangeLine change={change} />
          </li>
        ))}
      </ul>
      {changes.length > fewChanges ? (
        <button
          type="button"
          className="link-button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Fewer" : `${changes.length - fewChanges} more differences`}
        </button>
      ) : null}
    </>
  );
}

function Subject({ entry }: { entry: EntryContent }) {
  const { contextType, contextId, context } = entry.metadata;
  const name =
    context?.title ??
    (context?.appName ? `${context.appName} ${context.buildVersion ?? ""}` : contextId);
  return (
    <p className="entry__subject">
      <span className="entry__type">{contextType}</span>
      {contextType === "offer" ? (
        <Link to="/offers/$offerId" params={{ offerId: contextId }}>
          {name}
        </Link>
      ) : (
        <span>{name}</span>
      )}
    </p>
  );
}

function Time({ instant }: { instant: string | null }) {
  const { locale } = useSettings();
  if (instant === null) return null;
  return (
    <time className="entry__time" dateTime={instant} title={formatInstant(instant, locale)}>
      {formatAge(instant, locale, Date.now())}
    </time>
  );
}

const verbs = { insert: "added", update: "changed", delete: "removed" } as const;

/** One difference: the member, its old and its new value. */
function ChangeLine({ change }: { change: Change }) {
  const { changeType, field, oldValue, newValue } = change;
  if (field === "*") {
    return (
      <p className="change" data-kind={changeType}>
        Record {verbs[changeType]}
      </p>
    );
  }
  return (
    <p className="change" data-kind={changeType}>
      <span className="change__field">{fieldName(field)}</span>
      {changeType === "insert" ? null : (
        <del>
          <span className="visually-hidden">was </span>
          {valueText(oldValue)}
        </del>
      )}
      {changeType === "delete" ? null : (
        <ins>
          <span className="visually-hidden">is now </span>
          {valueText(newValue)}
        </ins>
      )}
    </p>
  );
}

/** Most characters of a value that are shown. */
const lengthMax = 160;

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** A member's name in words: "Key images" for `keyImages`. */
export function fieldName(field: string): string {
  const words = field
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[._]/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A JSON value in words, shortened. */
export function valueText(value: unknown): string {
  const text = wholeText(value);
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;
}

function wholeText(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (value === "") return "empty";
  if (typeof value === "string") {
    return instant.test(value) ? value.slice(0, 16).replace("T", " ") : value;
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) {
    return value.length === 0
      ? "none"
      : value.map((one) => labelOf(one) ?? wholeText(one)).join(", ");
  }
  return (
    labelOf(value) ??
    Object.entries(value)
      .map(([name, member]) => `${fieldName(name)}: ${wholeText(member)}`)
      .join("; ")
  );
}

const labelMembers = ["name", "title", "type", "id"];

/** The name of a record; undefined without one. */
function labelOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const members = new Map<string, unknown>(Object.entries(value));
  return labelMembers
    .map((name) => members.get(name))
    .find((one): one is string => typeof one === "string" && one !== "");
}
