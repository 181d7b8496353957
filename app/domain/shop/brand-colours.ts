import { contrast, type Hex, isDark, mixed, READABLE } from "./colour"

export type Scheme = "light" | "dark"

/** What the operator has chosen; without a colour for the dark it follows from the one for the light. */
export type BrandColours = { readonly light: Hex; readonly dark: Hex | null }

/** The colours of a scheme that follow from the brand's. */
export type Shades = {
  /** Fills what is pressed. */
  readonly brand: Hex
  /** Text on that, also while it is pressed. */
  readonly onBrand: Hex
  readonly pressed: Hex
  /** The brand as text, border and ring: readable on everything the page has beneath them. */
  readonly ink: Hex
  /** Beneath what is chosen. */
  readonly wash: Hex
}

/** What the style sheet has beneath text, and text on a strong colour in the order in which it is liked. */
const surroundings = {
  light: { grounds: ["#ffffff", "#f4f6fb"], away: "#000000", onBrand: ["#ffffff", "#0d1326", "#000000"] },
  dark: { grounds: ["#161d33", "#0e1324"], away: "#ffffff", onBrand: ["#0d1326", "#ffffff", "#000000"] },
} as const satisfies Record<Scheme, { grounds: readonly Hex[]; away: Hex; onBrand: readonly Hex[] }>

/** How much of the brand is in the wash. */
const WASHED = 0.09
/** How much of a button's colour stays while it is pressed. */
const PRESSED = 0.88
const STEP = 0.02

/** The shades of both schemes: whatever colour the brand has, what is written in it or on it can be read. */
export function shadesOf({ light, dark }: BrandColours): Readonly<Record<Scheme, Shades>> {
  return { light: shades(light, "light"), dark: shades(dark ?? inkOf(light, "dark"), "dark") }
}

function shades(brand: Hex, scheme: Scheme): Shades {
  const onBrand = textOn(brand, scheme)
  // Away from the text, so that it stays as readable as it was.
  const pressed = mixed(brand, isDark(onBrand) ? "#ffffff" : "#000000", PRESSED)
  return { brand, onBrand, pressed, ink: inkOf(brand, scheme), wash: washOf(brand, scheme) }
}

/** One of them always can be read: black or white is on any colour. */
function textOn(brand: Hex, scheme: Scheme): Hex {
  const { onBrand } = surroundings[scheme]
  return onBrand.find((text) => contrast(text, brand) >= READABLE) ?? "#000000"
}

/** The brand, as much darker or lighter as it must be; at the end it is black or white, which are readable. */
function inkOf(brand: Hex, scheme: Scheme): Hex {
  const { grounds, away } = surroundings[scheme]
  const beneath = [...grounds, washOf(brand, scheme)]
  for (let share = 1; share > 0; share -= STEP) {
    const ink = mixed(brand, away, share)
    if (beneath.every((ground) => contrast(ink, ground) >= READABLE)) return ink
  }
  return away
}

function washOf(brand: Hex, scheme: Scheme): Hex {
  return mixed(brand, surroundings[scheme].grounds[0], WASHED)
}
