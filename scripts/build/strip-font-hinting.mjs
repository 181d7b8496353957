import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import subsetFont from "subset-font"
import { inProject } from "../setup/project-root.mjs"
import { renamed } from "./rename-font.mjs"

const FONT = /^@fontsource\/.*\.woff2\?url$/
const FOLDER = inProject("node_modules", ".cache", "light-fonts")

/**
 * Removes hinting, which only low-resolution screens need, from fonts. Glyphs, kerning and
 * metrics are unchanged.
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
      // Fonts are never inlined, however small: the Content-Security-Policy forbids `data:` fonts, and a page may not
      // need them.
      return `${await writeStripped(basename(file), await lightened(await readFile(file)))}?url&no-inline`
    },
  }
}

/** "Lato" is a reserved font name, so a modified font needs another name. */
export const fontNames = { from: "Lato", to: "Kino" }

/**
 * @param {Buffer} font
 * @returns {Promise<Buffer>}
 */
export async function lightened(font) {
  const changed = { targetFormat: /** @type {const} */ ("truetype"), noHinting: true, keepAllGlyphs: true }
  const compressed = { targetFormat: /** @type {const} */ ("woff2"), keepAllGlyphs: true }
  return subsetFont(renamed(await subsetFont(font, "", changed), fontNames), "", compressed)
}

/**
 * Renames a finished file into place, because concurrent builds must not read a partial one.
 * @param {string} name
 * @param {Buffer} font
 */
async function writeStripped(name, font) {
  await mkdir(FOLDER, { recursive: true })
  const file = join(FOLDER, name)
  const draft = `${file}.${process.pid}`
  await writeFile(draft, font)
  await rename(draft, file)
  return file
}
