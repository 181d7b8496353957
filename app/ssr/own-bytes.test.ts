import { expect, test } from "vitest"
import { compressTemplate } from "./gzip-template.server"
import { ownBytes, ownCopy } from "./own-bytes.server"
import { withPlaceholders } from "./page-cache.server"

test("bytes and copies have memory of their own", () => {
  expect(ownBytes("Grüße").toString()).toBe("Grüße")
  expect(ownCopy(Buffer.from("Grüße")).toString()).toBe("Grüße")
  for (const bytes of [ownBytes("Grüße"), ownCopy(Buffer.from("Grüße"))]) expect(shared(bytes)).toBe(0)
  expect(shared(Buffer.from("Grüße"))).toBeGreaterThan(0)
})

test("a cached page and its compressed form hold none of the memory that small buffers share", () => {
  const { parts } = withPlaceholders("<!doctype html><p>a small page</p>")
  const held = compressTemplate(parts).flatMap((part) =>
    "placeholder" in part ? [] : [part.plain, part.compressed],
  )
  expect(held.map(shared)).toEqual([0, 0])
})

/** Bytes that a buffer holds in memory besides its own. */
function shared(bytes: Buffer): number {
  return bytes.buffer.byteLength - bytes.length
}
