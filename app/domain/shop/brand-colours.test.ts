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

test("button text has a readable contrast with any brand colour, pressed or not", () => {
  fc.assert(
    fc.property(chosen, (colours) => {
      for (const { brand, pressed, onBrand } of Object.values(shadesOf(colours))) {
        expect(contrast(onBrand, brand)).toBeGreaterThanOrEqual(READABLE)
        expect(contrast(onBrand, pressed)).toBeGreaterThanOrEqual(READABLE)
      }
    }),
  )
})

test("links, borders and focus rings have a readable contrast on every background with any brand colour", () => {
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

test("every derived shade of any brand colour is a valid hex colour", () => {
  fc.assert(
    fc.property(chosen, (colours) => {
      for (const shades of Object.values(shadesOf(colours))) {
        for (const shade of Object.values(shades)) expect(shade).toMatch(/^#[0-9a-f]{6}$/)
      }
    }),
  )
})

test("text has a readable contrast on selected options with any brand colour", () => {
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

test("keeps a brand colour that has enough contrast", () => {
  const { light, dark } = shadesOf({ light: "#405db1", dark: "#8ea6f0" })
  expect(light).toMatchObject({ brand: "#405db1", onBrand: "#ffffff", ink: "#405db1", wash: "#eef0f8" })
  expect(dark).toMatchObject({ brand: "#8ea6f0", onBrand: "#0d1326", ink: "#8ea6f0" })
})

test("a yellow brand gets dark button text and a darkened text colour", () => {
  const { light } = shadesOf({ light: "#ffd500", dark: null })
  expect(light.onBrand).toBe("#0d1326")
  expect(light.ink).not.toBe("#ffd500")
})

test("derives a readable dark-scheme colour for a brand without one", () => {
  const { dark } = shadesOf({ light: "#101a5c", dark: null })
  expect(contrast(dark.brand, "#161d33")).toBeGreaterThanOrEqual(READABLE)
})

test("the main button stands out from the page with any brand colour", () => {
  fc.assert(
    fc.property(chosen, (colours) => {
      const shades = shadesOf(colours)
      for (const scheme of ["light", "dark"] as const) {
        // Its edge is `ink`, so that also a colour near that of the page has a visible outline.
        for (const ground of schemes[scheme]?.grounds ?? []) {
          expect(contrast(shades[scheme].ink, ground)).toBeGreaterThanOrEqual(3)
        }
      }
    }),
  )
  const sheet = (name: string) => readFileSync(`app/ui/style/${name}.css`, "utf8")
  expect(sheet("controls")).toMatch(/\n\.main \{[^}]*border-color: var\(--brand-ink\);[^}]*\}/)
  expect(sheet("after-paint")).toMatch(/\n\.main:hover \{\n {2}background: var\(--pressed\);\n\}/)
})

test("no brand without colour gets a grey main button, which looks as if it could not be pressed", () => {
  const grey = fc.tuple(
    fc.integer({ min: 0, max: 229 }),
    fc.array(fc.nat(24), { minLength: 3, maxLength: 3 }),
  )
  fc.assert(
    fc.property(grey, ([level, tint]) => {
      const colour = `#${tint.map((part) => (level + part).toString(16).padStart(2, "0")).join("")}` as const
      for (const dark of [null, colour]) {
        const shades = shadesOf({ light: colour, dark })
        expect(contrast(shades.light.brand, "#ffffff")).toBeGreaterThanOrEqual(7)
        expect(contrast(shades.dark.brand, "#161d33")).toBeGreaterThanOrEqual(10)
      }
    }),
  )
})

test("a nearly black brand has a nearly white main button in the dark scheme, and keeps its own in the light one", () => {
  const { light, dark } = shadesOf({ light: "#111827", dark: null })
  expect(light).toMatchObject({ brand: "#111827", onBrand: "#ffffff" })
  expect(contrast(dark.brand, "#161d33")).toBeGreaterThanOrEqual(10)
  expect(dark.onBrand).toBe("#0d1326")
})

test("computes the WCAG contrast ratio", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21)
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2)
  expect(contrast("#405db1", "#405db1")).toBe(1)
})

function token(scheme: string, name: string): Hex {
  const value = new RegExp(`--${name}: #([0-9a-f]+);`).exec(scheme)?.[1] ?? ""
  return `#${value.length === 3 ? value.replace(/./g, "$&$&") : value}`
}
