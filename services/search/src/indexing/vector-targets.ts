import { modelOf } from "../domain/index-signature.ts";
import type { VectorKind, VectorSpace } from "../engine/vector-space.ts";
import type { Generation } from "../store/generation-store.ts";

/** A set of vectors that takes those of a kind. */
export interface VectorTarget {
  readonly generation: number;
  readonly space: VectorSpace;
}

/** Every kind of vectors that these generations have, each once. */
export function vectorKinds(generations: readonly Generation[]): VectorKind[] {
  const kinds = new Map<string, VectorKind>();
  for (const generation of generations) {
    const { signature } = generation;
    if (modelOf(signature) === undefined) continue;
    for (const { training } of spacesOf(generation)) {
      kinds.set(`${training} ${signature}`, { signature, training });
    }
  }
  return [...kinds.values()];
}

/** Where vectors of a kind belong. */
export function vectorTargets(
  generations: readonly Generation[],
  { signature, training }: VectorKind,
): VectorTarget[] {
  return generations
    .filter((each) => each.signature === signature)
    .flatMap((each) => spacesOf(each).map((space) => ({ generation: each.number, space })))
    .filter(({ space }) => space.training === training);
}

/** Of the vectors that answer, and of those that are to take their place. */
function spacesOf({ space, nextSpace }: Generation): VectorSpace[] {
  return nextSpace === undefined ? [space] : [space, nextSpace];
}
