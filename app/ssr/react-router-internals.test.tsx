import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { renderToString } from "react-dom/server"
import {
  createRequestHandler,
  type EntryContext,
  type MiddlewareFunction,
  Outlet,
  RouterContextProvider,
  redirect,
  Scripts,
  type ServerBuild,
  ServerRouter,
  useLoaderData,
} from "react-router"
import { expect, test } from "vitest"
import { endlessReload } from "../../scripts/build/missing-screens-plugin.mjs"
import { productionFiles } from "../../scripts/build/react-router-production.mjs"
import { deferScripts } from "./defer-scripts.server"
import { renderHydrationScript } from "./hydration-script.server"

/** Behaviour of React Router that the shop relies on and that its documentation does not promise (README.md). */

const Page = () => (
  <html lang="en">
    <head />
    <body>
      <Outlet />
      <Scripts nonce="n1" />
    </body>
  </html>
)

const Plans = () => <p>Price {useLoaderData<{ price: number }>().price}</p>

const turnsAway: MiddlewareFunction<Response> = () => {
  throw redirect("/elsewhere")
}

const routeDefaults = {
  hasAction: false,
  hasLoader: true,
  hasClientAction: false,
  hasClientLoader: false,
  hasClientMiddleware: false,
  hasErrorBoundary: false,
  hasDefaultExport: true,
  imports: [],
  css: [],
  clientActionModule: undefined,
  clientLoaderModule: undefined,
  clientMiddlewareModule: undefined,
  hydrateFallbackModule: undefined,
}

/** Handles a request to a router with a page, a loader that redirects, and a middleware that redirects. */
function router(render: (entry: EntryContext) => string | Promise<string>, entryModule: object = {}) {
  const routes = {
    root: { id: "root", path: "", module: { default: Page, loader: () => ({ plan: "gold" }) } },
    page: {
      id: "page",
      parentId: "root",
      path: "page",
      module: { default: Plans, loader: () => ({ price: 7 }), action: () => null, handle: { title: "page" } },
    },
    loader: {
      id: "loader",
      parentId: "root",
      path: "loader",
      module: { loader: () => redirect("/elsewhere") },
    },
    guarded: {
      id: "guarded",
      parentId: "root",
      path: "guarded",
      module: { loader: () => null, middleware: [turnsAway] },
    },
  }
  const manifest = Object.values(routes).map((route) => [
    route.id,
    { ...routeDefaults, ...route, module: `/assets/${route.id}.js` },
  ])
  const build = {
    entry: {
      module: {
        default: async (_: Request, status: number, headers: Headers, entry: EntryContext) =>
          new Response(await render(entry), { status, headers }),
        handleError: () => {},
        ...entryModule,
      },
    },
    routes,
    assets: {
      version: "1",
      url: "/assets/manifest.js",
      entry: { module: "/assets/entry.js", imports: ["/assets/frame.js"] },
      routes: Object.fromEntries(manifest),
    },
    basename: "/checkout/",
    publicPath: "/checkout/",
    assetsBuildDirectory: "build/client",
    future: { v8_middleware: true, v8_passThroughRequests: true },
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: "initial", manifestPath: "/__manifest" },
  }
  const handle = createRequestHandler(build as unknown as ServerBuild, "production")
  return (path: string, init?: RequestInit) =>
    handle(new Request(`https://shop.example/checkout${path}`, init), new RouterContextProvider())
}

/** Renders as app/entry.server.tsx does: without the stream of the loader data. */
const rendered = ({ serverHandoffStream: _, ...entry }: EntryContext) =>
  renderToString(<ServerRouter context={entry} url="https://shop.example/checkout/page" nonce="n1" />)

test("React Router renders its scripts in the form that deferScripts() recognizes", async () => {
  const html = await (await router(rendered)("/page")).text()
  expect(html).toContain('<link rel="modulepreload" href="/assets/entry.js"')
  expect(html.match(/ type="module" async=""/g)).toHaveLength(1)
  expect(deferScripts(html, { nonce: "n1", loadsFonts: false, laterStyle: null })).not.toMatch(
    /<link rel="modulepreload"| type="module" async/,
  )
})

test("React Router renders no loader data of its own when the entry context has no stream", async () => {
  const html = await (await router(rendered)("/page")).text()
  expect(html).not.toMatch(/streamController\.(enqueue|close)/)
  expect(html).toContain("<p>Price <!-- -->7</p>")
})

test("React Router's browser code creates the stream controller that the hydration script fills", async () => {
  const html = await (await router(rendered)("/page")).text()
  expect(html).toContain("window.__reactRouterContext = ")
  expect(html).toContain("window.__reactRouterContext.streamController = controller")
  const script = await renderHydrationScript(new ReadableStream({ start: (it) => it.close() }))
  expect(script).toMatch(/^window\.__reactRouterContext\.streamController\.enqueue\(/)
})

test("React Router passes loader data, matches and route modules in the entry context", async () => {
  const seen: EntryContext[] = []
  await router((entry) => `${seen.push(entry)}`)("/page")
  const [entry] = seen
  expect(entry?.staticHandlerContext.loaderData).toEqual({ root: { plan: "gold" }, page: { price: 7 } })
  expect(entry?.staticHandlerContext.matches.at(-1)?.route.id).toBe("page")
  expect(entry?.staticHandlerContext.errors).toBeNull()
  expect(entry?.routeModules.page?.handle).toEqual({ title: "page" })
  expect(entry?.serverHandoffStream).toBeInstanceOf(ReadableStream)
})

test("React Router renders the loader data that the entry context holds, also after it was replaced", async () => {
  const replaced = ({ staticHandlerContext, ...entry }: EntryContext) => {
    const loaderData = { ...staticHandlerContext.loaderData, page: { price: 9 } }
    return rendered({ ...entry, staticHandlerContext: { ...staticHandlerContext, loaderData } })
  }
  expect(await (await router(replaced)("/page")).text()).toContain("<p>Price <!-- -->9</p>")
})

test("React Router adds the base path to the redirect of a loader and not to that of a middleware", async () => {
  const request = router(rendered)
  expect((await request("/loader")).headers.get("location")).toBe("/checkout/elsewhere")
  expect((await request("/guarded")).headers.get("location")).toBe("/elsewhere")
})

test("React Router requests the data of a page at its path with the suffix .data", async () => {
  const response = await router(rendered)("/page.data")
  expect(response.headers.get("content-type")).toContain("text/x-script")
  expect(await response.text()).toContain("price")
})

test("React Router answers a page that cannot be rendered with plain text and the status 500", async () => {
  const failing = router(() => Promise.reject(new Error("no page")))
  const response = await failing("/page")
  expect(response.status).toBe(500)
  expect(response.headers.get("content-type")).toContain("text/plain")
})

test("React Router compares the Origin header of a form with the URL of the request", async () => {
  const headers = { origin: "https://elsewhere.example" }
  const withOrigin = await router(rendered)("/page", { method: "POST", headers, body: new FormData() })
  const without = await router(rendered)("/page", { method: "POST", body: new FormData() })
  expect([withOrigin.status, without.status]).toEqual([400, 200])
})

test("React Router instruments its routes by the entry module's list", async () => {
  const seen: string[] = []
  const instrumentations = [{ route: ({ id }: { id: string }) => void seen.push(id) }]
  await router(rendered, { instrumentations })("/page")
  expect(seen).toContain("page")
})

test("React Router's production build has the files that the build uses in place of its development build", async () => {
  for (const [name, file] of Object.entries(productionFiles)) {
    const [production, usual] = await Promise.all([
      import(/* @vite-ignore */ file),
      import(/* @vite-ignore */ name),
    ])
    expect(Object.keys(production).sort()).toEqual(Object.keys(usual).sort())
  }
})

test("React Router reloads a page without end when a route module is missing, in code that the build replaces", () => {
  const folder = dirname(productionFiles["react-router"] ?? "")
  const texts = readdirSync(folder)
    .filter((file) => file.endsWith(".mjs"))
    .map((file) => readFileSync(join(folder, file), "utf8"))
  expect(texts.filter((text) => endlessReload.test(text))).toHaveLength(1)
})
