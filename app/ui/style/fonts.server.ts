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

type Face = { readonly weight: number; readonly url: string; readonly range: string }

/** Faces that every page needs. */
const first: readonly Face[] = [
  { weight: 400, url: latin400, range: LATIN },
  { weight: 700, url: latin700, range: LATIN },
  { weight: 900, url: latin900, range: LATIN },
]
/** Faces that browsers load when the page contains their characters. */
const others: readonly Face[] = [
  { weight: 400, url: extended400, range: EXTENDED },
  { weight: 700, url: extended700, range: EXTENDED },
  { weight: 900, url: extended900, range: EXTENDED },
]

/** `@font-face` rules of the self-hosted font. Text is shown in the fallback font until it is loaded. */
export const fontFaces = [...first, ...others]
  .map(
    ({ weight, url, range }) =>
      `@font-face{font-family:Lato;font-weight:${weight};font-display:swap;src:url(${url}) format("woff2");unicode-range:${range}}`,
  )
  .join("")

/** Fallback font: Arial with Lato's metrics, so that loading Lato shifts no layout. */
export const fallbackFontFace = `@font-face{font-family:"Lato stand-in";src:local("Arial"),local("Liberation Sans");size-adjust:97.7%;ascent-override:101%;descent-override:21.8%;line-gap-override:0%}`

export const preloadedFonts: readonly string[] = first.map(({ url }) => url)

const asArguments = (faces: readonly Face[]) =>
  JSON.stringify(
    faces.map(({ weight, url, range }) => [
      `url(${url})`,
      { weight: `${weight}`, unicodeRange: range, display: "swap" },
    ]),
  )

/**
 * Source of a function that loads the faces that every page needs and adds them together: one layout instead of three. Its
 * promise resolves even if files fail.
 */
export const loadFontsScript = `()=>{const face=([source,how])=>new FontFace("Lato",source,how)
const first=${asArguments(first)}.map(face)
return Promise.allSettled(first.map(it=>it.load())).then(()=>{for(const it of [...first,...${asArguments(others)}.map(face)])document.fonts.add(it)})}`
