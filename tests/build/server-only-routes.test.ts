import { expect, test } from "vitest"
import { withoutServerOnlyRoutes } from "../../scripts/build/server-only-routes.mjs"

const written = (routes: object) =>
  `window.__reactRouterManifest=${JSON.stringify({ entry: { module: "/a.js" }, routes, version: "1" })};`

test("the manifest of the browser has every route but those of the console", () => {
  const root = { id: "root", module: "/root.js" }
  const checkout = { id: "routes/checkout", parentId: "root" }
  const all = { root, "routes/admin/console": { id: "routes/admin/console" }, "routes/checkout": checkout }
  expect(withoutServerOnlyRoutes(written(all))).toBe(written({ root, "routes/checkout": checkout }))
})

test.each([
  ["another form", "export default {}"],
  ["no routes of the console", written({ root: { id: "root" } })],
])("a manifest with %s stops the build", (problem, manifest) => {
  expect(() => withoutServerOnlyRoutes(manifest)).toThrow(problem)
})
