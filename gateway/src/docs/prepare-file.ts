import { encodeBody } from "../http/content-coding.ts";
import type { ContentCoding } from "../http/content-coding.ts";
import { bodyDigestOf, entityTagIn } from "../http/entity-tag.ts";
import type { CodedFile, PageFile } from "../pages/load-pages.ts";

/** A text file in every coding, ready to be sent. */
export async function prepareFile(
  body: Buffer,
  file: Omit<PageFile, "codings">,
): Promise<PageFile> {
  const digest = bodyDigestOf(body);
  const inCoding = async (coding: ContentCoding): Promise<[ContentCoding, CodedFile]> => [
    coding,
    { body: await encodeBody(body, coding), entityTag: entityTagIn(coding, digest) },
  ];
  const codings = await Promise.all([inCoding("identity"), inCoding("br"), inCoding("gzip")]);
  return { ...file, codings: new Map(codings) };
}
