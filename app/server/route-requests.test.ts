import type { RouteConfigEntry } from "@react-router/dev/routes"
import { matchRoutes, type RouteObject, type ServerBuild } from "react-router"
import { describe, expect, test } from "vitest"
import routes from "~/routes"
import { mayBeConsole, withoutConsole } from "./route-requests.server"

const table = await routes

/** Paths of the routes of a folder and below, each with the file that answers it. */
function pathsIn(entries: readonly RouteConfigEntry[]): { file: string; path: string }[] {
  return entries.flatMap(({ file, path, children = [] }) => [
    ...(path === undefined ? [] : [{ file, path }]),
    ...pathsIn(children),
  ])
}

const routeObjects = (entries: readonly RouteConfigEntry[]): RouteObject[] =>
  entries.map(({ file, path, children }) => ({
    id: file,
    ...(path !== undefined && { path }),
    ...(children && { children: routeObjects(children) }),
  }))

const fileAt = (entries: readonly RouteConfigEntry[], address: string) =>
  matchRoutes(routeObjects(entries), address, "/checkout")?.at(-1)?.route.id

const others = table.filter(({ file }) => !file.startsWith("routes/admin/"))
const paths = pathsIn(table)

describe("an address of the console is compared with all routes", () => {
  const console = paths.filter(({ file }) => file.startsWith("routes/admin/"))

  test("the console has addresses", () => expect(console.length).toBeGreaterThan(50))

  test.each(console)("$path", ({ path }) => {
    expect(mayBeConsole(`https://shop.example/checkout/${path}`)).toBe(true)
  })

  test.each(["/ADMIN/orders", "/%61dmin/orders", "//admin", "/Admin?from=mail"])("%s", (path) => {
    expect(mayBeConsole(`https://shop.example/checkout${path}`)).toBe(true)
  })
})

describe("another address has the same route with and without those of the console", () => {
  const addresses = paths
    .filter(({ file }) => !file.startsWith("routes/admin/"))
    .flatMap(({ path }) => [
      path.replace(":locale?", "").replace(/:\w+|\*/g, "some"),
      path.replace(":locale?", "de"),
    ])
    .map((path) => `/checkout/${path.replace(/^\//, "")}`)

  test.each([...addresses, "/checkout/no/such/page", "/checkout/de/no-such-page"])("%s", (address) => {
    expect(mayBeConsole(`https://shop.example${address}`)).toBe(false)
    expect(fileAt(others, address)).toBe(fileAt(table, address))
    expect(fileAt(others, address)).toBeDefined()
  })
})

test("a query of an address of the checkout does not make it one of the console", () => {
  expect(mayBeConsole("https://shop.example/checkout/?plan=%31&from=admin")).toBe(false)
})

test("a build without the console has neither its routes nor their entries in the manifest", () => {
  const routes = { root: {}, "routes/admin/orders": {}, "routes/waiting": {} }
  const { routes: kept, assets } = withoutConsole({ routes, assets: { routes } } as unknown as ServerBuild)
  expect(Object.keys(kept)).toEqual(["root", "routes/waiting"])
  expect(Object.keys(assets.routes)).toEqual(["root", "routes/waiting"])
})
