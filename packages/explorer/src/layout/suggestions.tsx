import type { SearchSuggestion } from "../api/types.ts";

const kindNames = {
  title: undefined,
  seller: "Seller",
  tag: "Tag",
  correction: "Did you mean",
} as const satisfies Readonly<Record<SearchSuggestion["kind"], string | undefined>>;

function scrollToOption(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}

interface SuggestionsProps {
  /** Of the list box; each option's id is this with its index behind. */
  id: string;
  suggestions: readonly SearchSuggestion[];
  /** Index of the option that Enter chooses; -1 for none. */
  active: number;
  onChoose: (suggestion: SearchSuggestion) => void;
}

/** The list box of a combobox. The focus stays in the text field. */
export function Suggestions({ id, suggestions, active, onChoose }: SuggestionsProps) {
  return (
    <ul
      className="suggestions"
      id={id}
      role="listbox"
      aria-label="Suggestions"
      onMouseDown={(event) => event.preventDefault()}
    >
      {suggestions.map((suggestion, index) => {
        const { kind, text, offerId = "" } = suggestion;
        const kindName = kindNames[kind];
        return (
          <li
            key={`${kind} ${text} ${offerId}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // The focus is not in the list, so the browser does not scroll it.
            ref={index === active ? scrollToOption : undefined}
            onClick={() => onChoose(suggestion)}
          >
            {kindName === undefined ? null : <span className="suggestions__kind">{kindName} </span>}
            {text}
          </li>
        );
      })}
    </ul>
  );
}
