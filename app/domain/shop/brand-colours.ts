import { contrast, type Hex, isDark, mixed, READABLE } from "./colour"

export type Scheme = "light" | "dark"

/** The operator's brand colours; the dark one is derived from the light one if missing. */
export type BrandColours = { readonly light: Hex; readonly dark: Hex | null }

/** Colours of a scheme derived from the brand colour. */
export type Shades = {
  /** Background of buttons. */
  readonly brand: Hex
  /** Text on buttons, also while pressed. */
  readonly onBrand: Hex
  readonly pressed: Hex
  /** The brand colour for text, borders and focus rings: readable on all backgrounds. */
  readonly ink: Hex
  /** Background of selected items. */
  readonly wash: Hex
}

/** Backgrounds of the style sheet, and text colours on the brand colour in order of preference. */
const surroundings = {
  light: { grounds: ["#ffffff", "#f4f6fb"], away: "#000000", onBrand: ["#ffffff", "#0d1326", "#000000"] },
  dark: { grounds: ["#161d33", "#0e1324"], away: "#ffffff", onBrand: ["#0d1326", "#ffffff", "#000000"] },
} as const satisfies Record<Scheme, { grounds: readonly Hex[]; away: Hex; onBrand: readonly Hex[] }>

/** Share of the brand colour in `wash`. */
const WASHED = 0.09
/** Share of the button's colour in its pressed state. */
const PRESSED = 0.88
const STEP = 0.02

/** The colours of both schemes. For any brand colour, text in it and on it meets WCAG contrast. */
export function shadesOf({ light, dark }: BrandColours): Readonly<Record<Scheme, Shades>> {
  return { light: shades(light, "light"), dark: shades(dark ?? inkOf(light, "dark"), "dark") }
}

/** A brand colour that is hard to read as text on the shop's cards. */
export type FaintColour = {
  readonly scheme: Scheme
  /** Contrast to the card, below the 4.5 that WCAG 2.2 asks for. */
  readonly ratio: number
  /** What is shown in its place for text, borders and focus rings. */
  readonly ink: Hex
}

/** The colours that pages darken or lighten where they are used for text. */
export function faintColours(colours: BrandColours): readonly FaintColour[] {
  const shown = shadesOf(colours)
  return (["light", "dark"] as const).flatMap((scheme) => {
    const { brand, ink } = shown[scheme]
    if (ink === brand) return []
    const [card] = surroundings[scheme].grounds
    return [{ scheme, ratio: Math.floor(contrast(brand, card) * 10) / 10, ink }]
  })
}

function shades(brand: Hex, scheme: Scheme): Shades {
  const onBrand = textOn(brand, scheme)
  // Mixed away from the text colour, so that the contrast does not decrease.
  const pressed = mixed(brand, isDark(onBrand) ? "#ffffff" : "#000000", PRESSED)
  return { brand, onBrand, pressed, ink: inkOf(brand, scheme), wash: washOf(brand, scheme) }
}

/** The first readable text colour: black or white is readable on any colour. */
function textOn(brand: Hex, scheme: Scheme): Hex {
  const { onBrand } = surroundings[scheme]
  return onBrand.find((text) => contrast(text, brand) >= READABLE) ?? "#000000"
}

/** The brand colour, darkened or lightened until it is readable; black or white at the limit. */
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
