import type { RouteConfigEntry } from "@react-router/dev/routes"
import { expect, test } from "vitest"
import {
  businessPath,
  countryPath,
  documentPath,
  manifestPath,
  offlinePath,
  pathOf,
  playlistPath,
  proformaPath,
  renewPath,
  statementPath,
  trialPath,
  unsubscribePath,
  upsellPath,
  withdrawalPath,
} from "~/domain/screen-paths"
import routes from "~/routes"
import { appModules } from "./source-modules"

const screenPaths = new Set<string>([
  ...Object.values(pathOf.viewer),
  ...Object.values(pathOf.reseller),
  upsellPath,
  playlistPath,
  offlinePath,
  manifestPath,
  statementPath,
  documentPath,
  proformaPath,
  unsubscribePath,
  renewPath,
  withdrawalPath,
  trialPath,
  businessPath,
  countryPath,
])

/** Paths below the locale prefix of a route and its children. */
function localizedPaths({ path, children = [] }: RouteConfigEntry, above = ""): string[] {
  const full = path === undefined ? above : `${above}/${path}`
  const own = full.startsWith("/:locale?") ? [full.slice("/:locale?".length) || "/"] : []
  return [...own, ...children.flatMap((child) => localizedPaths(child, full))]
}

test("the table of screen paths has exactly the routes below the locale prefix", () => {
  const routed = routes.flatMap((route) => localizedPaths(route))
  expect([...screenPaths].sort()).toEqual([...new Set(routed)].sort())
})

test("only the table of screen paths and the routes spell a screen's path", () => {
  const spelled = [...screenPaths].filter((path) => path !== "/").map((path) => path.replaceAll(".", "\\."))
  const literal = new RegExp(`["'\`](/:locale\\?)?(${spelled.join("|")})[?/"'\`]|href\\("/:locale`)
  const spelling = appModules().filter(({ text }) => literal.test(text.replace(/^\s*(\/?\*|\/\/).*$/gm, "")))
  expect(spelling.map(({ file }) => file)).toEqual(["app/domain/screen-paths.ts"])
})
