import { readFileSync } from "node:fs"
import subsetFont from "subset-font"
import { expect, test } from "vitest"
import { lightened } from "../../scripts/build/strip-font-hinting.mjs"

/** Tables with the character map, the glyph widths, kerning and ligatures. */
const RETAINED = ["cmap", "hmtx", "GPOS", "GSUB"]
/** Tables that only serve hinting. */
const LEFT_OUT = ["cvt ", "fpgm", "prep"]

test.each([400, 700, 900])(
  "Lato %i keeps its glyphs, widths and kerning and loses a third of its size",
  async (weight) => {
    const whole = readFileSync(`node_modules/@fontsource/lato/files/lato-latin-${weight}-normal.woff2`)
    const light = await lightened(whole)
    const [before, after] = [await tablesOf(whole), await tablesOf(light)]
    for (const name of RETAINED)
      expect(after.get(name)?.equals(before.get(name) ?? Buffer.of()), name).toBe(true)
    expect(LEFT_OUT.filter((name) => before.has(name))).toEqual(LEFT_OUT)
    expect(LEFT_OUT.filter((name) => after.has(name))).toEqual([])
    expect(light.length).toBeLessThan(whole.length * 0.67)
  },
)

test("the modified Lato has another font name and keeps its copyright entry", async () => {
  const whole = readFileSync("node_modules/@fontsource/lato/files/lato-latin-700-normal.woff2")
  const names = (await tablesOf(await lightened(whole))).get("name") ?? Buffer.of()
  const text = Buffer.from(names.subarray(0, names.length & ~1))
    .swap16()
    .toString("utf16le")
  const called = `${text}${names.toString("utf16le")}${names.toString("latin1")}`
  expect(called).toContain("Kino")
  expect(called).toContain('with Reserved Font Name "Lato"')
  expect(called.replaceAll('with Reserved Font Name "Lato"', "")).not.toMatch(/Lato(?! ?fonts)/)
})

/** A font's tables by name (OpenType, "Organization of an OpenType Font"). */
async function tablesOf(font: Buffer): Promise<Map<string, Buffer>> {
  const options = { targetFormat: "truetype", keepAllGlyphs: true } as const
  const file = await subsetFont(font, "", options)
  const records = Array.from({ length: file.readUInt16BE(4) }, (_, at) => 12 + at * 16)
  return new Map(
    records.map((at) => {
      const start = file.readUInt32BE(at + 8)
      return [file.toString("latin1", at, at + 4), file.subarray(start, start + file.readUInt32BE(at + 12))]
    }),
  )
}
