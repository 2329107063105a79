// Nest is configured by TypeScript's decorators, which Node's type stripping does not support.
// These functions apply them as compiled code would, so that nothing differs at run time.

type AnyClass = abstract new (...parameters: never[]) => unknown;

/** `@decorators class …` with `@parameters` on its constructor's parameters. */
export function decorateClass(
  target: AnyClass,
  decorators: readonly ClassDecorator[],
  parameters: readonly ParameterDecorator[] = [],
): void {
  for (const [index, decorate] of parameters.entries()) decorate(target, undefined, index);
  for (const decorate of decorators.toReversed()) decorate(target);
}

/** `@decorators name(@parameters …) { … }` in the class `target`. */
export function decorateMethod(
  target: AnyClass,
  name: string,
  decorators: readonly MethodDecorator[],
  parameters: readonly ParameterDecorator[] = [],
): void {
  const prototype = target.prototype as object;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  if (descriptor === undefined) throw new Error(`${target.name} has no ${name}`);
  for (const [index, decorate] of parameters.entries()) decorate(prototype, name, index);
  for (const decorate of decorators.toReversed()) decorate(prototype, name, descriptor);
}
