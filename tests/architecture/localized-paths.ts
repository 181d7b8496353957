import type { RouteConfigEntry } from "@react-router/dev/routes"
import routes from "~/routes"

const PREFIX = "/:locale?"

const paths: readonly string[] = [...new Set(routes.flatMap((route) => pathsOf(route)))]

/** Paths of all routes below the prefix of the language, without it. */
export const localizedPaths: readonly string[] = paths
  .filter((path) => path.startsWith(PREFIX))
  .map((path) => path.slice(PREFIX.length) || "/")

/** Paths of the routes that machines call: without a language, and not of the console. */
export const machinePaths: readonly string[] = paths.filter((path) => /^\/(api|aff)\//.test(path))

function pathsOf({ path, children = [] }: RouteConfigEntry, above = ""): string[] {
  const full = path === undefined ? above : `${above}/${path}`
  return [full, ...children.flatMap((child) => pathsOf(child, full))]
}
