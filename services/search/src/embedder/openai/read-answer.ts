import { z } from "zod";
import { toUnitLength } from "../unit-length.ts";

const zAnswer = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()) })),
});

/**
 * The vectors of an answer of `/v1/embeddings`, in the order of the texts, of unit length.
 *
 * @throws Error when the answer is of another form, or lacks or doubles a vector, or one is zero or of
 * another dimension.
 */
export function readAnswer(
  answer: unknown,
  { count, dimensions }: { count: number; dimensions: number },
): Float32Array[] {
  const { data } = zAnswer.parse(answer);
  const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]));
  if (data.length !== count) throw new Error(`${data.length} vectors for ${count} texts`);
  return Array.from({ length: count }, (_, index) => {
    const embedding = byIndex.get(index);
    if (embedding?.length !== dimensions) {
      throw new Error(`a vector has ${embedding?.length ?? 0} dimensions, not ${dimensions}`);
    }
    const vector = Float32Array.from(embedding);
    toUnitLength(vector);
    if (!vector.every(Number.isFinite) || vector.every((value) => value === 0)) {
      throw new Error("a vector has no direction");
    }
    return vector;
  });
}
