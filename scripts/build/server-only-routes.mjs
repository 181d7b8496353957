import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { CliError } from "../setup/cli-error.mjs"

/** Routes of the operator's console: documents of their own, which the checkout's script never navigates to. */
const serverOnly = /^routes\/admin\//

const assignment = /^window\.__reactRouterManifest=(\{.*\});?\s*$/s

/**
 * React Router's manifest without the routes of the console: every visitor of the checkout loads it. Throws a `CliError` if
 * it is not a manifest, or has no such routes: then React Router or the routes have changed.
 * @param {string} manifest
 * @returns {string}
 */
export function withoutServerOnlyRoutes(manifest) {
  const [, json] = assignment.exec(manifest) ?? []
  if (json === undefined)
    throw new CliError("React Router's manifest has another form: see server-only-routes.mjs")
  const parsed = JSON.parse(json)
  const routes = Object.entries(parsed.routes)
  const kept = routes.filter(([id]) => !serverOnly.test(id))
  if (kept.length === routes.length)
    throw new CliError(
      "React Router's manifest has no routes of the console: is server-only-routes.mjs still needed?",
    )
  return `window.__reactRouterManifest=${JSON.stringify({ ...parsed, routes: Object.fromEntries(kept) })};`
}

/**
 * Takes the routes of the console out of the manifest of a built client.
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
