/**
 * Whether a version of the API says that clients may break: a greater first number that is not 0
 * (https://semver.org).
 */
export function announcesBreak(before: string, after: string): boolean {
  const numbersOf = (version: string) => version.split(/[.+-]/).slice(0, 3).map(Number);
  const [old, now] = [numbersOf(before), numbersOf(after)];
  const first = [0, 1, 2].find((index) => old[index] !== 0 || now[index] !== 0) ?? 0;
  return (now[first] ?? 0) > (old[first] ?? 0);
}
