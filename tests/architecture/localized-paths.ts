import type { RouteConfigEntry } from "@react-router/dev/routes"
import routes from "~/routes"

/** Paths of all routes below the prefix of the language, without it. */
export const localizedPaths: readonly string[] = [...new Set(routes.flatMap((route) => pathsOf(route)))]

function pathsOf({ path, children = [] }: RouteConfigEntry, above = ""): string[] {
  const full = path === undefined ? above : `${above}/${path}`
  const own = full.startsWith("/:locale?") ? [full.slice("/:locale?".length) || "/"] : []
  return [...own, ...children.flatMap((child) => pathsOf(child, full))]
}
