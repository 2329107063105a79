import type { Change } from "../api/types.ts";
import { valueText } from "./value-text.ts";

const verbs = { insert: "added", update: "changed", delete: "removed" } as const;

/** One difference: the member, what it was, what it is. */
export function ChangeLine({ change }: { change: Change }) {
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
      <code className="change__field">{field}</code>
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
