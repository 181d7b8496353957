import { renderToString } from "react-dom/server"
import {
  createStaticHandler,
  createStaticRouter,
  Outlet,
  StaticRouterProvider,
  useLocation,
} from "react-router"
import { type Path, paths } from "../capture-pages"
import { figures, type Statistics } from "../statistics"
import { pageOf } from "./captured-page"
import Checkout, * as checkout from "./checkout"
import { ReferenceDocument } from "./document"
import Waiting, * as waiting from "./waiting"

/** Request of the parent process: render one page repeatedly for this many seconds. */
export type RenderRequest = { path: Path; seconds: number }
export type Rendered = { figures: Statistics; bytes: number }

const handler = createStaticHandler(
  [
    {
      id: "root",
      Component: Root,
      children: [
        {
          id: "checkout",
          index: true,
          Component: Checkout,
          loader: checkout.loader,
          handle: checkout.handle,
        },
        {
          id: "waiting",
          path: "waiting",
          Component: Waiting,
          loader: waiting.loader,
          handle: waiting.handle,
        },
      ],
    },
  ],
  { basename: "/checkout/" },
)

const elements = new Map(await Promise.all(paths.map(async (path) => [path, await elementOf(path)] as const)))

/** Prepares data, matches and router, so that only rendering is measured. */
async function elementOf(path: Path) {
  const context = await handler.query(new Request(`http://127.0.0.1${path}`))
  if (context instanceof Response) throw new Error(`${path} leads elsewhere`)
  const router = createStaticRouter(handler.dataRoutes, context)
  return <StaticRouterProvider router={router} context={context} hydrate={false} />
}

function Root() {
  const path = useLocation().pathname === "/" ? "/checkout/" : "/checkout/waiting"
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the shop's own
    <ReferenceDocument scripts={<div dangerouslySetInnerHTML={{ __html: scriptsOf(path) }} />}>
      <Outlet />
    </ReferenceDocument>
  )
}

/** Returns the scripts after the footer of the shop's page, unchanged. */
function scriptsOf(path: Path): string {
  const { html } = pageOf(path)
  return html.slice(html.indexOf("</footer>") + "</footer>".length, html.indexOf("</body>"))
}

process.on("message", ({ path, seconds }: RenderRequest) => {
  process.send?.(render(path, seconds))
})
// The channel to the parent is all that keeps this process alive.
process.channel?.ref()
process.send?.("ready")

function render(path: Path, seconds: number): Rendered {
  const element = elements.get(path)
  const times: number[] = []
  const before = process.cpuUsage()
  const started = performance.now()
  const end = started + seconds * 1_000
  let [now, bytes] = [started, 0]
  while (now < end) {
    bytes = Buffer.byteLength(renderToString(element))
    const then = performance.now()
    times.push(then - now)
    now = then
  }
  const { user, system } = process.cpuUsage(before)
  return { figures: figures(times, (now - started) / 1_000, (user + system) / 1e6), bytes }
}
