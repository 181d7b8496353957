import { once } from "node:events"
import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { expect } from "playwright/test"
import { PANEL_SECRET } from "../../fakes/fake-panel"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { Browser } from "../../support/browser/no-script-browser"
import { startShop, type TestServer } from "../../support/server/server-process"
import { test } from "../shop-test"

/** The panel's answers to requests for playlists, which the tests write. */
let lists: ServerResponse[] = []
let shop: TestServer
let cookie: string
let closePanel: () => Promise<unknown>

test.beforeAll(async () => {
  const panel = createServer((request, response) => {
    const { port } = panel.address() as AddressInfo
    if (request.method === "GET") return void lists.push(response)
    request.resume()
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify({ host: `http://127.0.0.1:${port}` }))
  }).listen(0, "127.0.0.1")
  await once(panel, "listening")
  closePanel = () => Promise.all([once(panel, "close"), panel.close().closeAllConnections()])
  const { port } = panel.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  shop = await startShop({
    env: { PROVISIONER: "webhook", PROVISIONER_URL: url, PROVISIONER_SECRET: PANEL_SECRET },
  })
  const browser = new Browser()
  const review = await chooseAndPay(browser, { shop, email: "ana@example.test" })
  await waitForAccess(await payAt(await goToGateway(review)))
  cookie = browser.cookies(new URL(`${shop.url}/checkout/success`)) ?? ""
})
test.beforeEach(() => {
  lists = []
})
test.afterAll(async () => {
  await shop.stop()
  await closePanel()
})

/** Requests the playlist; the panel begins its answer with `begin`. */
async function openPlaylist(begin: (panel: ServerResponse) => unknown) {
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { cookie, "accept-encoding": "gzip" }
    get(`${shop.url}/checkout/success/playlist.m3u8`, { headers }, resolve).on("error", reject)
  })
  await expect.poll(() => lists).toHaveLength(1)
  const [panel] = lists
  if (!panel) throw new Error("The panel was not asked")
  begin(panel)
  return { panel, response: await response }
}

test("a playlist is sent while the panel is still sending it", async () => {
  const { panel, response } = await openPlaylist((it) => it.write("#EXTM3U\n"))
  expect([response.statusCode, response.headers["content-encoding"]]).toEqual([200, "gzip"])
  const whole = buffer(response)
  panel.end("#EXTINF:-1,One\n")
  expect((await whole).length).toBeGreaterThan(0)
  expect(response.complete).toBe(true)
})

test("a panel that breaks off breaks the connection, so that no shorter list looks whole", async () => {
  const { panel, response } = await openPlaylist((it) => it.write("#EXTM3U\n"))
  expect(response.statusCode).toBe(200)
  const whole = buffer(response).catch((error: unknown) => error)
  panel.destroy()
  expect(await whole).toMatchObject({ code: "ECONNRESET" })
  expect(response.complete).toBe(false)
})

test("a panel that answers with anything else than a playlist gives an error page", async () => {
  const { response } = await openPlaylist((it) => it.end("<h1>Please sign in</h1>"))
  expect(response.statusCode).toBeGreaterThanOrEqual(500)
  response.resume()
})
