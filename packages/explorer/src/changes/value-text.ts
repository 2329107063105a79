/** Most characters of a value that are shown. */
const lengthMax = 160;

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** A JSON value in few characters. */
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
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) {
    return value.length === 0 ? "none" : value.join(", ");
  }
  return JSON.stringify(value);
}
