import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { readShopFile } from "./shop-file.server"

const folder = mkdtempSync(join(tmpdir(), "boxoffice-brand-"))
afterAll(() => rmSync(folder, { recursive: true }))

const rest = { links: {}, apps: [] }
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"><path d="M0 0h300v100z"/></svg>'
writeFileSync(join(folder, "logo.svg"), svg)

function read(brand: unknown) {
  const file = join(folder, "shop.json")
  writeFileSync(file, JSON.stringify({ ...rest, brand }))
  return readShopFile(file)
}

test("without a file the shop is the demonstration, in our own name and colours", () => {
  const { brand, logo } = readShopFile(undefined)
  expect(brand).toEqual({
    ...{ name: "Boxoffice", title: {}, guarantee: {} },
    colours: { light: "#405db1", dark: "#8ea6f0" },
  })
  expect(logo).toBeNull()
})

test("a file that says nothing of a brand keeps ours", () => {
  expect(read(undefined).brand).toEqual(readShopFile(undefined).brand)
})

test("a logo is found beside the file, and shown as high as every logo", () => {
  const { logo } = read({ logo: { file: "logo.svg", withName: false } })
  expect(logo).toMatchObject({ type: "image/svg+xml", width: 96, height: 32, withName: false })
  expect(logo?.path).toMatch(/^\/logo-[0-9a-f]{12}\.svg$/)
})

test("a PNG says its own size", () => {
  const header = Buffer.from("89504e470d0a1a0a0000000d49484452000000800000004008060000", "hex")
  writeFileSync(join(folder, "logo.png"), header)
  expect(read({ logo: { file: "logo.png" } }).logo).toMatchObject({
    type: "image/png",
    width: 64,
    height: 32,
  })
})

test.each([
  ["a colour by name", { colours: { light: "navy" } }, /must be a colour, for example #405db1.*light/s],
  ["a word we do not know", { colour: "#112233" }, /colour/],
  ["a language we do not speak", { guarantee: { "fr-fr": "30 jours" } }, /fr-fr.*brand\.guarantee/s],
  ["an empty guarantee", { guarantee: { "de-de": " " } }, /guarantee/],
  ["a name that is too long", { name: "x".repeat(41) }, /name/],
  ["a logo that is not there", { logo: { file: "none.svg" } }, /none\.svg/],
  ["a logo that is a web page", { logo: { file: "shop.json" } }, /must be a PNG or an SVG/],
])("%s stops the start and is named", (_what, brand, pattern) => {
  expect(() => read(brand)).toThrow(pattern)
})

test("a logo that would slow the first page down is refused", () => {
  writeFileSync(join(folder, "large.svg"), svg + " ".repeat(60_000))
  expect(() => read({ logo: { file: "large.svg" } })).toThrow(/larger than 60 kB/)
})
