/**
 * Texts that only the server renders: of search engines, and of the pages that stand in for others and have no script. Sections, and
 * sections of them, by their names.
 */
export const serverOnlyTexts = [
  ["description"],
  ["fraud"],
  ["forget"],
  ["resume"],
  ["noService"],
  ["scriptless"],
  ["signIn", "lead"],
  ["signIn", "code"],
  ["signIn", "link"],
  ["signIn", "page"],
  ["offline", "page"],
  ["error", "lead"],
]

const translations = /\/app\/i18n\/translations\/[a-z-]+\.ts$/
/** It has the differences from English only. */
const UK = /\/en-gb\.ts$/

/**
 * Removes texts that no script shows from the browser's language files, which every page loads.
 * @returns {import("vite").Plugin}
 */
export function withoutServerOnlyTexts() {
  return {
    name: "server-only-texts",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    transform(code, id) {
      if (!translations.test(id) || UK.test(id)) return null
      return { code: serverOnlyTexts.reduce(without, code), map: null }
    },
  }
}

/**
 * A language file without a section. The formatter puts the start and the end of a section on lines of their own. Throws if
 * there is no such section.
 * @param {string} code
 * @param {readonly string[]} names
 * @returns {string}
 */
export function without(code, names) {
  const { from, to } = names.reduce((within, name, depth) => sectionOf(code, name, { within, depth }), {
    from: 0,
    to: code.length,
  })
  return code.slice(0, from) + code.slice(to)
}

/**
 * @param {string} code
 * @param {string} name
 * @param {{ within: { from: number, to: number }, depth: number }} place
 * @returns {{ from: number, to: number }}
 */
function sectionOf(code, name, { within, depth }) {
  const indent = "  ".repeat(depth + 1)
  const from = code.indexOf(`\n${indent}${name}: {\n`, within.from)
  const end = `\n${indent}},\n`
  const last = code.indexOf(end, from)
  if (from === -1 || last === -1 || last > within.to) throw new Error(`No section ${name} in a language file`)
  return { from, to: last + end.length - 1 }
}
