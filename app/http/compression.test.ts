import { randomBytes } from "node:crypto"
import { brotliDecompressSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { compressed, preferredEncoding } from "./compression.server"

/** About as large as a page, and as little repetitive as text can be: each part of the tables is touched. */
const page = () => Buffer.from(randomBytes(30_000).toString("base64"))
/** Pages of memory, 4 KiB each, that the system hands out meanwhile. */
function pagesTaken(work: () => void): number {
  const before = process.resourceUsage().minorPageFault
  work()
  return process.resourceUsage().minorPageFault - before
}

describe("a page that is sent often", () => {
  test("is compressed within 8 MB of memory: more would hold up all visitors each second", () => {
    compressed(page()).as("br")
    const often = compressed(page())
    expect(pagesTaken(() => often.as("br"))).toBeLessThan(2_000)
  })

  test("is compressed once, and is the same page", () => {
    const plain = page()
    const often = compressed(plain)
    expect(brotliDecompressSync(often.as("br")).equals(plain)).toBe(true)
    expect(often.as("br")).toBe(often.as("br"))
  })
})

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=1.0, br;q=0.5", "br"],
  ["br;q=0, gzip", "gzip"],
  ["gzip ; q=0.000 , br;q=0.001", "br"],
  ["BR", "br"],
  ["identity;q=1, br;q=0, gzip;q=0.0", null],
  ["*;q=0", null],
  ["x-gzip, br-experimental", null],
  ["", null],
  [undefined, null],
])(
  "a client that sends Accept-Encoding: %s gets %s: a weight of zero refuses an encoding",
  (header, encoding) => {
    expect(preferredEncoding(header)).toBe(encoding)
  },
)
