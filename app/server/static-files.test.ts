import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { staticFiles } from "./static-files.server"

const folder = mkdtempSync(join(tmpdir(), "boxoffice-files-"))
mkdirSync(join(folder, "assets"))
writeFileSync(join(folder, "assets", "a-1.js"), "first")
writeFileSync(join(folder, "assets", "b-2.js"), "second")
writeFileSync(join(folder, "sw.js"), "worker")
writeFileSync(join(folder, "icon-192.png"), "icon")

const serve = staticFiles(folder)
const server = createServer((request, response) => {
  if (!serve(request, response)) response.end(`a page at ${request.url}`)
})
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)))
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => void server.close(resolve))
  rmSync(folder, { recursive: true })
})

test("assets are immutable, and a missing asset is 404 without a page", async () => {
  const file = await request("/checkout/assets/b-2.js")
  expect(await file.text()).toBe("second")
  expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
  expect((await request("/checkout/assets/c-3.js")).status).toBe(404)
  expect(await (await request("/checkout/assets/c-3.js")).text()).toBe("")
})

test.each(["/checkout/icon-none.png", "/checkout/", "/checkout/assets/../../../etc/passwd"])(
  "passes %s on to the pages",
  async (path) => {
    expect(await (await request(path)).text()).toBe(`a page at ${new URL(path, "http://shop.test").pathname}`)
  },
)

test("a POST to a static file is not answered with the file", async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/checkout/icon-192.png`
  expect(await (await fetch(url, { method: "POST", body: "a" })).text()).toBe(
    "a page at /checkout/icon-192.png",
  )
})

test.each([
  "bytes=3-1",
  "bytes=10-5",
  `bytes=0-${"9".repeat(20)}`,
  "bytes=2-3",
  "bytes=-1",
  "bytes=99-",
  "bytes=x-y",
  "none",
])("a request for the part %s of a file gets the whole file, and the server goes on", async (range) => {
  const file = await request("/checkout/assets/b-2.js", { range })
  expect([file.status, await file.text()]).toEqual([200, "second"])
  expect((await request("/checkout/assets/b-2.js")).status).toBe(200)
})

test("the service worker is revalidated every time, icons after an hour", async () => {
  const worker = await request("/checkout/sw.js")
  expect([worker.status, worker.headers.get("cache-control")]).toEqual([200, "no-cache"])
  expect(worker.headers.get("content-type")).toContain("javascript")
  expect((await request("/checkout/icon-192.png")).headers.get("cache-control")).toBe("public, max-age=3600")
})

test("a build removed under a running server fails one response, not the process", async () => {
  rmSync(join(folder, "assets", "a-1.js"))
  await expect(request("/checkout/assets/a-1.js").then((it) => it.text())).rejects.toThrow()
  expect(await (await request("/checkout/assets/b-2.js")).text()).toBe("second")
})

function request(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers })
}
