import latin400 from "@fontsource/lato/files/lato-latin-400-normal.woff2?url"
import latin700 from "@fontsource/lato/files/lato-latin-700-normal.woff2?url"
import latin900 from "@fontsource/lato/files/lato-latin-900-normal.woff2?url"
import extended400 from "@fontsource/lato/files/lato-latin-ext-400-normal.woff2?url"
import extended700 from "@fontsource/lato/files/lato-latin-ext-700-normal.woff2?url"
import extended900 from "@fontsource/lato/files/lato-latin-ext-900-normal.woff2?url"

const LATIN =
  "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD"
const EXTENDED =
  "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF"

const face = (weight: number, url: string, range: string) =>
  `@font-face{font-family:Lato;font-weight:${weight};font-display:swap;src:url(${url}) format("woff2");unicode-range:${range}}`

/** The shop's own font, from the shop's own host; text is there before it and does not wait for it. */
export const fontFaces = [
  face(400, latin400, LATIN),
  face(700, latin700, LATIN),
  face(900, latin900, LATIN),
  face(400, extended400, EXTENDED),
  face(700, extended700, EXTENDED),
  face(900, extended900, EXTENDED),
  // Arial stretched to Lato's measures: when Lato comes, nothing moves.
  `@font-face{font-family:"Lato stand-in";src:local("Arial"),local("Liberation Sans");size-adjust:97.7%;ascent-override:101%;descent-override:21.8%;line-gap-override:0%}`,
].join("")

/** What every page needs at once. */
export const preloadedFonts: readonly string[] = [latin400, latin700, latin900]
