import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { CliError } from "../setup/cli-error.mjs"

/**
 * Routes that the checkout's script never navigates to: the operator's console and the pages without script, which are documents of
 * their own, and what programs and downloads ask for, to which the pages link with plain anchors.
 */
const serverOnly = [/^routes\/admin\//, /^routes\/api\//, /^routes\/files\//, /^routes\/scriptless\//]

const assignment = /^window\.__reactRouterManifest=(\{.*\});?\s*$/s

/**
 * React Router's manifest without the routes that have no screen of the checkout: every visitor of the checkout loads it. Throws
 * a `CliError` if it is not a manifest, or has none of a kind: then React Router or the routes have changed.
 * @param {string} manifest
 * @returns {string}
 */
export function withoutServerOnlyRoutes(manifest) {
  const [, json] = assignment.exec(manifest) ?? []
  if (json === undefined)
    throw new CliError("React Router's manifest has another form: see server-only-routes.mjs")
  const parsed = JSON.parse(json)
  const routes = Object.entries(parsed.routes)
  const missing = serverOnly.find((kind) => !routes.some(([id]) => kind.test(id)))
  if (missing)
    throw new CliError(`React Router's manifest has no routes ${missing}: see server-only-routes.mjs`)
  const kept = routes.filter(([id]) => !serverOnly.some((kind) => kind.test(id)))
  return `window.__reactRouterManifest=${JSON.stringify({ ...parsed, routes: Object.fromEntries(kept) })};`
}

/**
 * Takes these routes out of the manifest of a built client.
 * @param {string} client
 */
export function stripServerOnlyRoutes(client) {
  const assets = join(client, "assets")
  const manifests = readdirSync(assets).filter((name) => /^manifest-[0-9a-f]+\.js$/.test(name))
  if (manifests.length !== 1) throw new CliError(`The build has ${manifests.length} manifests instead of one`)
  for (const name of manifests) {
    const file = join(assets, name)
    writeFileSync(file, withoutServerOnlyRoutes(readFileSync(file, "utf8")))
  }
}
