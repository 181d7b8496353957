import type { RouteConfigEntry } from "@react-router/dev/routes"
import { matchRoutes, type RouteObject, RouterContextProvider, type ServerBuild } from "react-router"
import { describe, expect, test, vi } from "vitest"
import routes from "~/routes"
import { fixedAddresses, onlyRoute, routeRequests } from "./route-requests.server"

// A handler that names the routes with which it compares an address.
vi.mock("react-router", async (original) => ({
  ...(await original<typeof import("react-router")>()),
  createRequestHandler: (build: ServerBuild) => async () => Response.json(Object.keys(build.routes)),
}))

type Entry = { id: string; parentId?: string; path?: string }

const table = await routes

/** The routes as a build has them: by id, each with its parent's. */
function inBuild(entries: readonly RouteConfigEntry[], parentId = "root"): Record<string, Entry> {
  return Object.assign(
    { root: { id: "root", path: "" } },
    ...entries.map(({ file, id = file.replace(/\.tsx?$/, ""), path, children = [] }) => ({
      [id]: { id, parentId, ...(path !== undefined && { path }) },
      ...inBuild(children, id),
    })),
  )
}

const build = { routes: inBuild(table), assets: { routes: inBuild(table) } } as unknown as ServerBuild

function routeObjects(entries: Readonly<Record<string, Entry>>, parent = "root"): RouteObject[] {
  return Object.values(entries)
    .filter(({ parentId }) => parentId === parent)
    .map(({ id, path }) => ({ id, ...(path !== undefined && { path }), children: routeObjects(entries, id) }))
}

const matchedBy = ({ routes: entries }: ServerBuild, address: string) =>
  matchRoutes(routeObjects(entries as Record<string, Entry>), address, "/checkout")?.map(
    ({ route, params, pathname }) => ({ id: route.id, params, pathname }),
  )

const addresses = [...fixedAddresses(build.routes)]
const pages = addresses.filter(([address]) => !address.endsWith(".data"))

describe("an address that is compared with its own route alone has the route that it has among all", () => {
  test.each(pages)("%s", (address, id) => {
    const found = matchedBy(build, address)
    expect(found?.at(-1)?.id).toBe(id)
    expect(matchedBy(onlyRoute(build, id), address)).toEqual(found)
  })
})

test("every route without a parameter has its own address, with and without a language where it has one", () => {
  const known = new Set(addresses.map(([, id]) => id))
  const others = Object.values(build.routes).filter((route) => !known.has(route?.id ?? ""))
  expect(
    others.map((route) => route?.path).filter((path) => path && !/[:*]/.test(path.replace(":locale?", ""))),
  ).toEqual([])
  expect(pages.map(([address]) => address)).toEqual(
    expect.arrayContaining([
      "/checkout/",
      "/checkout/de-de",
      "/checkout/waiting",
      "/checkout/es-es/waiting",
      "/checkout/pt-pt/success/playlist.m3u8",
      "/checkout/admin",
      "/checkout/admin/orders",
      "/checkout/api/order-status",
    ]),
  )
})

test.each([
  "/checkout/admin/orders/:number",
  "/checkout/documents/:file",
  "/checkout/api/:call",
  "/checkout/:locale?",
  "/checkout/*",
  "/checkout/de/waiting",
  "/checkout",
  "/checkout/Waiting",
  "/checkout/waiting/",
  "/checkout/%77aiting",
  "/checkout/ES-ES/waiting",
])("%s is compared with all routes", (address) => {
  expect(fixedAddresses(build.routes).has(address)).toBe(false)
})

test("script asks for a page's data by an address of the same route", () => {
  const routeAt = fixedAddresses(build.routes)
  expect(routeAt.get("/checkout/_root.data")).toBe(routeAt.get("/checkout/"))
  expect(routeAt.get("/checkout/nl-nl/success.data")).toBe(routeAt.get("/checkout/success"))
})

test("a build for one route has its layouts, in the manifest too, and nothing else", () => {
  const { routes: kept, assets } = onlyRoute(build, "routes/waiting")
  expect(Object.keys(kept)).toEqual(["root", "routes/page", "routes/waiting"])
  expect(Object.keys(assets.routes)).toEqual(Object.keys(kept))
})

const comparedWith = async (address: string): Promise<string[]> => {
  const answer = routeRequests(build)(
    new Request(`https://shop.example${address}`),
    new RouterContextProvider(),
  )
  return (await answer).json()
}

test.each(["/checkout/waiting", "/checkout/de-de/waiting?paid", "/checkout/waiting.data?_routes=root"])(
  "a request of %s is compared with the waiting page's route alone",
  async (address) => {
    expect(await comparedWith(address)).toEqual(["root", "routes/page", "routes/waiting"])
  },
)

test.each(["/checkout/admin/orders/7", "/checkout/no-such-page", "/checkout?next=/checkout/waiting"])(
  "a request of %s is compared with all routes",
  async (address) => {
    expect((await comparedWith(address)).length).toBe(Object.keys(build.routes).length)
  },
)
