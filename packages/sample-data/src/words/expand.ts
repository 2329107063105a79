/**
 * A template with its "{name}" parts filled in; "{Name}" gives the part with a capital letter.
 * @throws Error when a part is missing, so that a misspelt template fails at once.
 */
export function expand(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const exact = parts[name];
    if (exact !== undefined) return exact;
    const part = parts[name.charAt(0).toLowerCase() + name.slice(1)];
    if (part === undefined) throw new Error(`The template "${template}" has an unknown part`);
    return capitalize(part);
  });
}

/** The text with its first letter as a capital. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The English text with "an" for "a" where the next word begins with a vowel. */
export function withArticles(text: string): string {
  return text.replace(/\b([Aa]) (?=[aeiou])/gi, "$1n ");
}
