import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright"

type Look = { readonly width: number; readonly scheme: "light" | "dark" }

/** Phone and desktop, in light and dark scheme. */
const looks: readonly Look[] = [360, 1280].flatMap((width) =>
  (["light", "dark"] as const).map((scheme) => ({ width, scheme })),
)
/** The language with the longest texts, to find overflows; colour schemes do not matter for it. */
const wordy = looks.filter(({ scheme }) => scheme === "light")

type GalleryRequest = { language: string; whole: boolean }

/** Viewport height, for what is visible without scrolling. */
const heightOf = (width: number) => (width < 700 ? 740 : 800)

/** Takes screenshots of pages into a folder and writes an index page. */
export class Camera {
  readonly #folder: string
  readonly #taken: { name: string; files: string[] }[] = []

  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true })
  }

  get count(): number {
    return this.#taken.reduce((sum, { files }) => sum + files.length, 0)
  }

  /** Takes the current page in every look without reloading it: the whole page or the viewport. */
  async take(page: Page, name: string, { language, whole }: GalleryRequest): Promise<void> {
    const files: string[] = []
    for (const { width, scheme } of language === "en" ? looks : wordy) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" })
      await page.setViewportSize({ width, height: heightOf(width) })
      const height = await page.evaluate(async () => {
        // A first visitor's page loads its fonts after the first paint, then its script.
        const isBare = () => document.querySelector("noscript *") === null
        while (isBare() && document.querySelector('script[type="later"]'))
          await new Promise(requestAnimationFrame)
        await document.fonts.ready
        return document.documentElement.scrollHeight
      })
      // Sticky elements are in place only if the viewport holds the whole page.
      if (whole) await page.setViewportSize({ width, height: Math.max(height, heightOf(width)) })
      const file = `${name}.${language}.${width}.${scheme}.png`
      await page.screenshot({ path: join(this.#folder, file), animations: "disabled" })
      files.push(file)
    }
    this.#taken.push({ name: `${name} · ${language}`, files })
  }

  /** Writes a page with all screenshots. */
  writeIndex(): void {
    const rows = this.#taken.map(({ name, files }) => {
      const pictures = files.map((file) => `<a href="${file}"><img src="${file}" alt="${file}"></a>`)
      return `<h2>${name}</h2><p>${pictures.join("")}</p>`
    })
    const style = "p{display:flex;gap:12px;align-items:start}img{max-width:360px;border:1px solid #888}"
    const page = `<!doctype html><meta charset="utf-8"><title>Shots</title><style>${style}</style>`
    writeFileSync(join(this.#folder, "index.html"), page + rows.join("\n"))
  }
}
