import { createRequire } from "node:module"

const FRONT = "\0front:"
const require = createRequire(import.meta.url)

/**
 * React is CommonJS. Every chunk that imports it would need the bundler's interop code, which becomes a chunk and a
 * request of its own. An ES module as a wrapper confines the interop code to the chunk that contains React.
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
