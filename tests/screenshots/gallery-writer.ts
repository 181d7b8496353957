import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright"

type Look = { readonly width: number; readonly scheme: "light" | "dark" }

/** A phone and a desk, by day and by night. */
const looks: readonly Look[] = [360, 1280].flatMap((width) =>
  (["light", "dark"] as const).map((scheme) => ({ width, scheme })),
)
/** The language with the longest words is looked at for what does not fit, and colours have no words. */
const wordy = looks.filter(({ scheme }) => scheme === "light")

type GalleryRequest = { language: string; whole: boolean }

/** How much of a page is seen before somebody scrolls. */
const heightOf = (width: number) => (width < 700 ? 740 : 800)

/** Writes pictures of pages into a folder, and a page that shows them all. */
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

  /** Takes a page as it is now in every look, without loading it again: the whole of it, or what is seen first. */
  async take(page: Page, name: string, { language, whole }: GalleryRequest): Promise<void> {
    const files: string[] = []
    for (const { width, scheme } of language === "en" ? looks : wordy) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" })
      await page.setViewportSize({ width, height: heightOf(width) })
      const height = await page.evaluate(async () => {
        // A first visitor's page fetches its letters once it has been painted, then its script.
        const isBare = () => document.querySelector("noscript *") === null
        while (isBare() && document.querySelector('script[type="later"]'))
          await new Promise(requestAnimationFrame)
        await document.fonts.ready
        return document.documentElement.scrollHeight
      })
      // What sticks to an edge of the window is where it belongs only if the window holds the whole page.
      if (whole) await page.setViewportSize({ width, height: Math.max(height, heightOf(width)) })
      const file = `${name}.${language}.${width}.${scheme}.png`
      await page.screenshot({ path: join(this.#folder, file), animations: "disabled" })
      files.push(file)
    }
    this.#taken.push({ name: `${name} · ${language}`, files })
  }

  /** A page with all pictures beside each other. */
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
