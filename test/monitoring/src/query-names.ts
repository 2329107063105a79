/** The names in a query. */
export interface QueryNames {
  /** Metrics and recorded rules. */
  metrics: Set<string>;
  /** Labels that it matches or groups by. */
  labels: Set<string>;
}

const keywords = new Set(["and", "or", "unless", "bool", "offset", "inf", "nan"]);
const grouping = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;

/** Reads the names from a Prometheus query, well enough for those of this repository. */
export function namesOf(query: string): QueryNames {
  const labels = new Set<string>();
  const withoutTexts = query.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const rest = withoutTexts
    .replace(/\{([^}]*)\}/g, (_whole, matchers: string) => {
      for (const [, label = ""] of matchers.matchAll(/([a-z_]\w*)\s*(?:=~|!~|!=|=)/gi))
        labels.add(label);
      return " ";
    })
    .replace(/\[[^\]]*\]/g, " ")
    .replace(grouping, (_whole, listed: string) => {
      for (const label of listed.split(",")) labels.add(label.trim());
      return " ";
    });
  const words = [...rest.matchAll(/(?<![\w:.])([a-z_][\w:]*)(\s*\()?/gi)];
  const metrics = words
    .filter(([, word = "", call]) => call === undefined && !keywords.has(word.toLowerCase()))
    .map(([, word = ""]) => word);
  return { metrics: new Set(metrics), labels };
}
