import { randomBytes } from "node:crypto"
import { brotliDecompressSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { compressed } from "./compression.server"

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
