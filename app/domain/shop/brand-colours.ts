import { contrast, type Hex, isDark, isGrey, mixed, READABLE } from "./colour"

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

/** Backgrounds of the style sheet, text colours on the brand colour in order of preference, contrast of a grey one to cards. */
const surroundings = {
  light: {
    grounds: ["#ffffff", "#f4f6fb"],
    away: "#000000",
    onBrand: ["#ffffff", "#0d1326", "#000000"],
    grey: 7,
  },
  dark: {
    grounds: ["#161d33", "#0e1324"],
    away: "#ffffff",
    onBrand: ["#0d1326", "#ffffff", "#000000"],
    grey: 10,
  },
} as const satisfies Record<
  Scheme,
  { grounds: readonly Hex[]; away: Hex; onBrand: readonly Hex[]; grey: number }
>

/** Share of the brand colour in `wash`. */
const WASHED = 0.09
/** Share of the button's colour in its pressed state. */
const PRESSED = 0.88
const STEP = 0.02

/** The colours of both schemes. For any brand colour, text in it and on it meets WCAG contrast. */
export function shadesOf({ light, dark }: BrandColours): Readonly<Record<Scheme, Shades>> {
  return {
    light: shades(pressable(light, "light"), "light"),
    dark: shades(pressable(dark ?? inkOf(light, "dark"), "dark"), "dark"),
  }
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
    const chosen = colours[scheme] ?? brand
    const [card] = surroundings[scheme].grounds
    const ratio = contrast(chosen, card)
    // A readable grey is strengthened for the sake of buttons.
    if (ink === chosen || (ink === brand && ratio >= READABLE)) return []
    return [{ scheme, ratio: Math.floor(ratio * 10) / 10, ink }]
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

/** A grey button looks as if it could not be pressed: without a hue, a brand colour becomes nearly black or white. */
function pressable(brand: Hex, scheme: Scheme): Hex {
  const { grounds, grey } = surroundings[scheme]
  return isGrey(brand) ? strengthened(brand, scheme, [grounds[0]], grey) : brand
}

/** The brand colour, darkened or lightened until it is readable. */
function inkOf(brand: Hex, scheme: Scheme): Hex {
  return strengthened(brand, scheme, [...surroundings[scheme].grounds, washOf(brand, scheme)], READABLE)
}

/** Darkened or lightened until it has the contrast to all of `beneath`; black or white at the limit. */
function strengthened(brand: Hex, scheme: Scheme, beneath: readonly Hex[], least: number): Hex {
  const { away } = surroundings[scheme]
  for (let share = 1; share > 0; share -= STEP) {
    const shade = mixed(brand, away, share)
    if (beneath.every((ground) => contrast(shade, ground) >= least)) return shade
  }
  return away
}

function washOf(brand: Hex, scheme: Scheme): Hex {
  return mixed(brand, surroundings[scheme].grounds[0], WASHED)
}
