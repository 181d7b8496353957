import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright"

type Look = { readonly width: number; readonly scheme: "light" | "dark" }

/** Phone, tablet and desktop, in light and dark scheme. */
const looks: readonly Look[] = [360, 800, 1280].flatMap((width) =>
  (["light", "dark"] as const).map((scheme) => ({ width, scheme })),
)

type GalleryRequest = {
  language: string
  whole: boolean
  /** Animations run: otherwise they are taken at their end. */
  isMoving?: boolean
}

/** Viewport height, for what is visible without scrolling. */
const heightOf = (width: number) => (width < 700 ? 740 : 800)

/** Takes screenshots of pages into a folder and writes an index page. */
export class Camera {
  readonly #folder: string
  readonly #looks: readonly Look[]
  readonly #taken: { name: string; language: string; files: string[] }[] = []

  /** `width`: the only one to take; without a value all. */
  constructor(folder: string, width: string | undefined) {
    this.#folder = folder
    this.#looks = looks.filter((it) => width === undefined || String(it.width) === width)
    if (this.#looks.length === 0) throw new Error(`Unknown width ${width}: 360, 800 or 1280`)
    mkdirSync(folder, { recursive: true })
  }

  get count(): number {
    return this.#taken.reduce((sum, { files }) => sum + files.length, 0)
  }

  /** Takes the current page in every look without reloading it: the whole page or the viewport. */
  async take(page: Page, name: string, { language, whole, isMoving = false }: GalleryRequest): Promise<void> {
    const files: string[] = []
    for (const { width, scheme } of this.#looks) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" })
      await page.setViewportSize({ width, height: heightOf(width) })
      const height = await page.evaluate(async () => {
        // A first visitor's page loads its fonts after the first paint, then its script.
        const hasScript = matchMedia("(scripting: enabled)").matches
        while (hasScript && document.querySelector('script[type="later"]'))
          await new Promise(requestAnimationFrame)
        await document.fonts.ready
        return document.documentElement.scrollHeight
      })
      // Sticky elements are in place only if the viewport holds the whole page.
      if (whole) await page.setViewportSize({ width, height: Math.max(height, heightOf(width)) })
      const file = `${name}.${language}.${width}.${scheme}.png`
      await page.screenshot({ path: join(this.#folder, file), animations: isMoving ? "allow" : "disabled" })
      files.push(file)
    }
    this.#taken.push({ name, language, files })
  }

  /** Writes a page with all screenshots: contents by moment and by screen, then the pictures. Returns moments without one. */
  writeIndex(moments: Readonly<Record<string, readonly string[]>>): string[] {
    const taken = new Set(this.#taken.map(({ name }) => name))
    const rows = this.#taken.map(({ name, language, files }) => {
      const pictures = files.map((file) => `<a href="${file}"><img src="${file}" alt="${file}"></a>`)
      return `<h2 id="${name}.${language}">${name} · ${language}</h2><p>${pictures.join("")}</p>`
    })
    const screens = Object.groupBy(taken, (name) => name.split("-", 1)[0] ?? name)
    const contents = Object.entries(screens).map(([screen, names = []]) => contentsRow(screen, names))
    const byMoment = Object.entries(moments).map(([moment, names]) => contentsRow(moment, names))
    const style =
      "p{display:flex;gap:12px;align-items:start}img{max-width:360px;border:1px solid #888}td,th{text-align:left;padding:2px 12px 2px 0}"
    const page = [
      `<!doctype html><meta charset="utf-8"><title>Screens</title><style>${style}</style>`,
      `<h1>Screens</h1><h2>Moments</h2><table>${byMoment.join("")}</table>`,
      `<h2>Screens and their states</h2><table>${contents.join("")}</table>`,
      ...rows,
    ]
    writeFileSync(join(this.#folder, "index.html"), page.join("\n"))
    return Object.keys(moments).filter((moment) => !moments[moment]?.every((name) => taken.has(name)))
  }
}

function contentsRow(heading: string, names: readonly string[]): string {
  const links = names.map((name) => `<a href="#${name}.en">${name}</a>`)
  return `<tr><th>${heading}</th><td>${links.join(", ")}</td></tr>`
}
