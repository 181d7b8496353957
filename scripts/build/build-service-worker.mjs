import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { build } from "vite"
import { inProject, projectFolder } from "../setup/project-root.mjs"

/** The offline page's font files. Subsets that few languages need are left out to save mobile data. */
const FONT = /^lato-latin-\d+-normal-[\w-]+\.woff2$/

/**
 * Builds `sw.js` with its precache list. The file lies next to the pages and not under `assets`, because a service
 * worker's scope follows from its URL path.
 * @param {string} folder of a build whose pages are ready
 * @param {string} release changes with every build, and with it the offline pages that are kept
 */
export async function buildServiceWorker(folder, release) {
  const client = join(folder, "client")
  await build({
    root: projectFolder,
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    define: {
      "process.env.NODE_ENV": '"production"',
      KEPT_FILES: JSON.stringify(cacheableFiles(client)),
      RELEASE: JSON.stringify(release.slice(0, 12)),
    },
    build: {
      outDir: client,
      emptyOutDir: false,
      license: { fileName: ".vite/service-worker-license.json" },
      rollupOptions: {
        input: inProject("app", "client", "service-worker.ts"),
        output: { format: "iife", entryFileNames: "sw.js" },
      },
    },
  })
}

/**
 * Lists the scripts of every screen, which an open page needs to navigate offline, and the fonts. The translations of
 * six languages and the password-strength estimator are left out: a client needs one language, and rarely the
 * estimator.
 * @param {string} client
 */
function cacheableFiles(client) {
  /** @type {Record<string, { file: string, isEntry?: boolean, imports?: string[] }>} */
  const chunks = JSON.parse(readFileSync(join(client, ".vite", "manifest.json"), "utf8"))
  const names = new Set(
    Object.keys(chunks).filter((name) => chunks[name]?.isEntry && name !== "app/client/console-page.ts"),
  )
  // Iterating a Set visits entries that are added on the way, so transitive imports are included.
  for (const name of names) for (const next of chunks[name]?.imports ?? []) names.add(next)
  const scripts = [...names].flatMap((name) => chunks[name]?.file ?? [])
  const fonts = readdirSync(join(client, "assets")).filter((name) => FONT.test(name))
  const files = [...new Set([...scripts, ...fonts.map((name) => `assets/${name}`)])]
  // A route without a component produces an empty file.
  return files.filter((file) => statSync(join(client, file)).size > 0).map((file) => `/checkout/${file}`)
}
