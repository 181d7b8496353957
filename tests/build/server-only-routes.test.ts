import { expect, test } from "vitest"
import { withoutServerOnlyRoutes } from "../../scripts/build/server-only-routes.mjs"

const written = (routes: object) =>
  `window.__reactRouterManifest=${JSON.stringify({ entry: { module: "/a.js" }, routes, version: "1" })};`

const root = { id: "root", module: "/root.js" }
const checkout = { id: "routes/checkout", parentId: "root" }
const others = {
  "routes/admin/console": { id: "routes/admin/console" },
  "routes/api/health": { id: "routes/api/health" },
  "routes/files/playlist": { id: "routes/files/playlist" },
  "routes/scriptless/business": { id: "routes/scriptless/business" },
}

test("the manifest of the browser has the screens of the checkout alone", () => {
  const all = { root, ...others, "routes/checkout": checkout }
  expect(withoutServerOnlyRoutes(written(all))).toBe(written({ root, "routes/checkout": checkout }))
})

test.each([
  ["another form", "export default {}", "another form"],
  [
    "no routes of the console",
    written({ root, ...others, "routes/admin/console": undefined }),
    "no routes /^routes\\/admin\\//",
  ],
  [
    "no routes for programs",
    written({ root, ...others, "routes/api/health": undefined }),
    "no routes /^routes\\/api\\//",
  ],
])("a manifest with %s stops the build", (_what, manifest, problem) => {
  expect(() => withoutServerOnlyRoutes(manifest)).toThrow(problem)
})
