const isoForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z$/;

/**
 * Returns the differences between a response and the expected one. Members that the
 * expectation does not name are allowed (docs/api/conventions.md, "What may change"). Null, absent and empty are
 * equal, and dates are compared as instants.
 */
export function differences(expected: unknown, actual: unknown, path = "$"): string[] {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) {
      return [`${path}: ${actual.length} elements instead of ${expected.length}`];
    }
    return expected.flatMap((element, index) =>
      differences(element, actual[index], `${path}[${index}]`),
    );
  }
  if (isObject(expected) && isObject(actual)) {
    return Object.entries(expected).flatMap(([member, value]) =>
      differences(value, actual[member], `${path}.${member}`),
    );
  }
  return plain(expected) === plain(actual)
    ? []
    : [`${path}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function plain(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.length === 0 ? null : JSON.stringify(value);
  if (isObject(value)) return Object.keys(value).length === 0 ? null : JSON.stringify(value);
  // Means may differ in their last digits.
  if (typeof value === "number") return Number(value.toPrecision(12));
  return typeof value === "string" && isoForm.test(value) ? Date.parse(value) : value;
}
