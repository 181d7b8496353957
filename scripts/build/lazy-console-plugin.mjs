import { readFile } from "node:fs/promises"

/**
 * Route modules of the console's pages, in the folder of a subject or beside its layouts. The layouts and its page of unknown paths run
 * for every request below its path.
 */
const consolePage = /\/app\/routes\/admin\/(?!console\.|signed-in\.|not-found\.)(?:[a-z-]+\/)?[a-z-]+\.tsx?$/

/** Marks the module itself, which the one that stands for it loads. */
const PAGE = "?page"

/**
 * The server loads a page of the console with the first request for it, so that a shop in whose console nobody is holds none of
 * its code: React Router's server build imports every route module at the start.
 * @returns {import("vite").Plugin}
 */
export function lazyConsole() {
  return {
    name: "lazy-console",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "ssr",
    async load(id) {
      if (!consolePage.test(id)) return null
      return standIn(id, await readFile(id, "utf8"))
    },
  }
}

/**
 * A module with the same exports, each of which calls that of the page.
 * @param {string} id
 * @param {string} source
 */
function standIn(id, source) {
  const names = [...source.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)].map(([, name]) => name)
  const other = names.filter((name) => name !== "loader" && name !== "action")
  if (other.length > 0) throw new Error(`${id} exports ${other.join(", ")}, which cannot be loaded on demand`)
  const page = JSON.stringify(`${id}${PAGE}`)
  return names
    .map((name) => `export const ${name} = async (args) => (await import(${page})).${name}(args)`)
    .join("\n")
}
