import { expect, test } from "vitest"
import {
  businessPath,
  countryPath,
  documentPath,
  linesPath,
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
} from "~/domain/orders/screen-paths"
import { localizedPaths } from "./localized-paths"
import { appModules } from "./source-modules"

const screenPaths = new Set<string>([
  ...Object.values(pathOf.viewer),
  ...Object.values(pathOf.reseller),
  upsellPath,
  playlistPath,
  offlinePath,
  manifestPath,
  statementPath,
  linesPath,
  documentPath,
  proformaPath,
  unsubscribePath,
  renewPath,
  withdrawalPath,
  trialPath,
  businessPath,
  countryPath,
])

test("the table of screen paths has exactly the routes below the locale prefix", () => {
  expect([...screenPaths].sort()).toEqual(localizedPaths.toSorted())
})

test("only the table of screen paths and the routes spell a screen's path", () => {
  const spelled = [...screenPaths].filter((path) => path !== "/").map((path) => path.replaceAll(".", "\\."))
  const literal = new RegExp(`["'\`](/:locale\\?)?(${spelled.join("|")})[?/"'\`]|href\\("/:locale`)
  const spelling = appModules().filter(({ text }) => literal.test(text.replace(/^\s*(\/?\*|\/\/).*$/gm, "")))
  expect(spelling.map(({ file }) => file)).toEqual(["app/domain/orders/screen-paths.ts"])
})
