import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import subsetFont from "subset-font"
import { inProject } from "../setup/project-root.mjs"
import { renamed } from "./rename-font.mjs"

const FONT = /^@fontsource\/.*\.woff2\?url$/
const FOLDER = inProject("node_modules", ".cache", "light-fonts")

/**
 * Fonts without the half of them that places strokes on the coarse dots of old screens: every letter, its kerning and
 * its measures stay.
 * @returns {import("vite").Plugin}
 */
export function lightFonts() {
  return {
    name: "light-fonts",
    apply: "build",
    enforce: "pre",
    async resolveId(source, importer) {
      if (!FONT.test(source)) return
      const whole = await this.resolve(source, importer, { skipSelf: true })
      if (!whole) return
      const file = whole.id.replace(/\?.*$/, "")
      // However small, it stays a file: a page carries no letters that it may not need, and the policy allows none.
      return `${await keep(basename(file), await lightened(await readFile(file)))}?url&no-inline`
    },
  }
}

/** "Lato" is reserved for what its makers have made: what has been changed says another name to whoever installs it. */
const names = { from: "Lato", to: "Kino" }

/**
 * @param {Buffer} font
 * @returns {Promise<Buffer>}
 */
export async function lightened(font) {
  const changed = { targetFormat: /** @type {const} */ ("truetype"), noHinting: true, keepAllGlyphs: true }
  const compressed = { targetFormat: /** @type {const} */ ("woff2"), keepAllGlyphs: true }
  return subsetFont(renamed(await subsetFont(font, "", changed), names), "", compressed)
}

/**
 * Builds may run at the same time, so that none may find half a file.
 * @param {string} name
 * @param {Buffer} font
 */
async function keep(name, font) {
  await mkdir(FOLDER, { recursive: true })
  const file = join(FOLDER, name)
  const draft = `${file}.${process.pid}`
  await writeFile(draft, font)
  await rename(draft, file)
  return file
}
