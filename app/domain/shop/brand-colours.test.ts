import { readFileSync } from "node:fs"
import fc from "fast-check"
import { expect, test } from "vitest"
import { shadesOf } from "./brand-colours"
import { contrast, type Hex, READABLE } from "./colour"

const hex = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value): Hex => `#${value.toString(16).padStart(6, "0")}`)
const chosen = fc.record({ light: hex, dark: fc.option(hex) })

const tokens = readFileSync("app/ui/style/tokens.css", "utf8")

/** Backgrounds of text in each scheme, and the fixed text colours. */
const [light, dark] = tokens.split("@media").map((scheme) => ({
  grounds: [token(scheme, "card"), token(scheme, "ground")],
  texts: [token(scheme, "ink"), token(scheme, "second")],
}))
const schemes = { light, dark }

test("whatever colour the brand has, the text on its buttons can be read, pressed or not", () => {
  fc.assert(
    fc.property(chosen, (colours) => {
      for (const { brand, pressed, onBrand } of Object.values(shadesOf(colours))) {
        expect(contrast(onBrand, brand)).toBeGreaterThanOrEqual(READABLE)
        expect(contrast(onBrand, pressed)).toBeGreaterThanOrEqual(READABLE)
      }
    }),
  )
})

test("whatever colour the brand has, links, borders and rings in it are seen on every ground", () => {
  fc.assert(
    fc.property(chosen, (colours) => {
      const shades = shadesOf(colours)
      for (const scheme of ["light", "dark"] as const) {
        const { ink, wash } = shades[scheme]
        for (const ground of [...(schemes[scheme]?.grounds ?? []), wash]) {
          expect(contrast(ink, ground)).toBeGreaterThanOrEqual(READABLE)
        }
      }
    }),
  )
})

test("whatever colour the brand has, each of its shades is a colour", () => {
  fc.assert(
    fc.property(chosen, (colours) => {
      for (const shades of Object.values(shadesOf(colours))) {
        for (const shade of Object.values(shades)) expect(shade).toMatch(/^#[0-9a-f]{6}$/)
      }
    }),
  )
})

test("whatever colour the brand has, ordinary text can be read on what is chosen", () => {
  fc.assert(
    fc.property(chosen, (colours) => {
      const shades = shadesOf(colours)
      for (const scheme of ["light", "dark"] as const) {
        for (const text of schemes[scheme]?.texts ?? []) {
          expect(contrast(text, shades[scheme].wash)).toBeGreaterThanOrEqual(READABLE)
        }
      }
    }),
  )
})

test("a colour that can be read as it is stays as it is", () => {
  const { light, dark } = shadesOf({ light: "#405db1", dark: "#8ea6f0" })
  expect(light).toMatchObject({ brand: "#405db1", onBrand: "#ffffff", ink: "#405db1", wash: "#eef0f8" })
  expect(dark).toMatchObject({ brand: "#8ea6f0", onBrand: "#0d1326", ink: "#8ea6f0" })
})

test("a yellow brand has dark text on its buttons, and is darkened where it is text itself", () => {
  const { light } = shadesOf({ light: "#ffd500", dark: null })
  expect(light.onBrand).toBe("#0d1326")
  expect(light.ink).not.toBe("#ffd500")
})

test("a brand without a colour for the dark gets one that can be seen there", () => {
  const { dark } = shadesOf({ light: "#101a5c", dark: null })
  expect(contrast(dark.brand, "#161d33")).toBeGreaterThanOrEqual(READABLE)
})

test("contrast is what WCAG says it is", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21)
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2)
  expect(contrast("#405db1", "#405db1")).toBe(1)
})

function token(scheme: string, name: string): Hex {
  const value = new RegExp(`--${name}: #([0-9a-f]+);`).exec(scheme)?.[1] ?? ""
  return `#${value.length === 3 ? value.replace(/./g, "$&$&") : value}`
}
