import { createRequire } from "node:module"

const FRONT = "\0front:"
const require = createRequire(import.meta.url)

/**
 * React comes as CommonJS. Every file of the browser build that imports it would need the bundler's glue for that, which
 * is then a file, and a request, of its own: with an ES module in front of it, only the file that holds React does.
 * @returns {import("vite").Plugin}
 */
export function reactAsModule() {
  return {
    name: "react-as-module",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    resolveId(source, importer = "") {
      const isReacts =
        importer.startsWith(FRONT) || /node_modules\/(react|react-dom|scheduler)\//.test(importer)
      return /^react(-dom)?(\/client)?$/.test(source) && !isReacts ? `${FRONT}${source}` : null
    },
    load(id) {
      if (!id.startsWith(FRONT)) return
      const source = id.slice(FRONT.length)
      const names = Object.keys(require(source)).filter((name) => /^[a-z]\w*$/i.test(name))
      return `import whole from "${source}"\nexport default whole\nexport const { ${names.join(", ")} } = whole`
    },
  }
}
