import { createServer } from "node:http"
import { createServer as createVite } from "vite"
import { projectFolder } from "../setup/project-root.mjs"

/**
 * @typedef {typeof import("../../app/server/main.server.ts")} ServerModule
 * @typedef {Awaited<ReturnType<ServerModule["open"]>>} Shop
 */

/** @type {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => void} */
const handle = (request, response) => {
  const { url } = request
  vite.middlewares(request, response, async () => {
    // Vite strips the base path from `url`.
    request.url = url
    try {
      const shop = await currentShop()
      shop.handle(request, response)
    } catch (error) {
      response.writeHead(500, { "content-type": "text/plain; charset=utf-8" }).end(messageFor(error))
    }
  })
}

const server = createServer(handle)
const vite = await createVite({
  root: projectFolder,
  server: { middlewareMode: true, hmr: { server } },
  appType: "custom",
})

/** @type {{ module: ServerModule, shop: Shop } | null} */
let opened = null
/** @type {Promise<unknown>} */
let run = Promise.resolve()

/**
 * Opens the shop for the current sources. If an edit changed the server's module, closes the old shop and opens a new
 * one before the next request. Requests are serialized, so that this happens once.
 * @returns {Promise<Shop>}
 */
function currentShop() {
  const shop = run.then(reopenIfEdited, reopenIfEdited)
  run = shop
  return shop
}

async function reopenIfEdited() {
  const module = /** @type {ServerModule} */ (await vite.ssrLoadModule("/app/server/main.server.ts"))
  if (opened?.module === module) return opened.shop
  const old = opened
  opened = null
  await old?.shop.stop()
  const shop = await module.open(process.env, { devBuild })
  opened = { module, shop }
  return shop
}

async function devBuild() {
  const build = await vite.ssrLoadModule("virtual:react-router/server-build")
  return /** @type {import("react-router").ServerBuild} */ (build)
}

/** @param {unknown} error */
function messageFor(error) {
  if (!(error instanceof Error)) return String(error)
  vite.ssrFixStacktrace(error)
  console.error(error.stack)
  return error.stack ?? error.message
}

async function stop() {
  server.close()
  server.closeAllConnections()
  await vite.close()
  await opened?.shop.stop()
}

// The route compiler registers a SIGTERM listener that exits immediately, before the database is closed.
process.removeAllListeners("SIGTERM")
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, stop)

const { config, announcement } = await currentShop()
server.listen(config.PORT, config.HOST, () => console.log(announcement))
