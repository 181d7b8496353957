import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { build } from "vite"
import { inProject, projectFolder } from "../setup/project-root.mjs"

/** What the offline page is written in; letters that few languages need are not worth a phone's data. */
const FONT = /^lato-latin-\d+-normal-[\w-]+\.woff2$/

/**
 * Builds `sw.js` with the list of what it keeps. It stands beside the pages and not under `assets`, since its address
 * decides what it looks after.
 * @param {string} folder of a build whose pages are ready
 * @param {string} release changes with every build, and with it the offline pages that are kept
 */
export async function buildServiceWorker(folder, release) {
  const client = join(folder, "client")
  await build({
    ...{ root: projectFolder, configFile: false, publicDir: false, logLevel: "warn" },
    define: {
      "process.env.NODE_ENV": '"production"',
      KEPT_FILES: JSON.stringify(keptFiles(client)),
      RELEASE: JSON.stringify(release.slice(0, 12)),
    },
    build: {
      ...{ outDir: client, emptyOutDir: false },
      rollupOptions: {
        input: inProject("app", "client", "service-worker.ts"),
        output: { format: "iife", entryFileNames: "sw.js" },
      },
    },
  })
}

/**
 * The script of every screen, without which an open page cannot move on, and the fonts. Not the words of six languages
 * and not the judge of passwords: each visitor needs one of the former and seldom the latter.
 * @param {string} client
 */
function keptFiles(client) {
  /** @type {Record<string, { file: string, isEntry?: boolean, imports?: string[] }>} */
  const chunks = JSON.parse(readFileSync(join(client, ".vite", "manifest.json"), "utf8"))
  const names = new Set(Object.keys(chunks).filter((name) => chunks[name]?.isEntry))
  // A set that grows is walked to its new end: imports of imports come along.
  for (const name of names) for (const next of chunks[name]?.imports ?? []) names.add(next)
  const scripts = [...names].flatMap((name) => chunks[name]?.file ?? [])
  const fonts = readdirSync(join(client, "assets")).filter((name) => FONT.test(name))
  const files = [...new Set([...scripts, ...fonts.map((name) => `assets/${name}`)])]
  // Routes without a screen leave an empty file behind.
  return files.filter((file) => statSync(join(client, file)).size > 0).map((file) => `/checkout/${file}`)
}
