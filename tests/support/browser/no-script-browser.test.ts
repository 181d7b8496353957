import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, expect, test } from "vitest"
import { Browser } from "./no-script-browser"

const open: { close(): void }[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

const form = `<!doctype html><html lang="es-ES"><title>Shop</title><body>
  <form method="post" action="/order">
    <input type="hidden" name="draft" value="d1"><input name="email" value="ana@example.test">
    <label><input type="radio" name="plan" value="1" checked>One</label>
    <label><input type="radio" name="plan" value="3">Year</label>
    <input type="checkbox" name="extra"><input type="checkbox" name="proxy" checked>
    <select name="size"><option>small<option selected value="L">large</select>
    <textarea name="note">hello</textarea>
    <input name="gone" value="x" disabled><fieldset disabled><input name="gone2" value="x"></fieldset>
    <button name="intent" value="pay">Pay</button><button name="intent" value="update">Update</button>
  </form>
  <input form="late" name="outside" value="o"><form id="late" action="/search"><button>Go</button></form>
  <noscript><a href="/plain">Without script</a></noscript></body></html>`

test("a form is submitted with its values and the pressed button", async () => {
  const url = await site({ "/": form })
  const page = await new Browser().visit(url)
  const response = await page.submit({ button: { value: "update" } })
  expect(response.body).toBe(
    "POST /order draft=d1&email=ana%40example.test&plan=1&proxy=on&size=L&note=hello&intent=update",
  )
})

test("filling in sets text, radio button and checkbox, and Enter presses the first button", async () => {
  const url = await site({ "/": form })
  const page = await new Browser().visit(url)
  const response = await page.submit({
    fields: { email: "bo@example.test", plan: "3", extra: true, proxy: false },
  })
  expect(response.body).toContain("email=bo%40example.test&plan=3&extra=on&size=L")
  expect(response.body).toMatch(/intent=pay$/)
})

test("a field that the form lacks cannot be filled in, only tampered with", async () => {
  const url = await site({ "/": form })
  const page = await new Browser().visit(url)
  expect(() => page.submit({ fields: { colour: "red" } })).toThrow('no field "colour"')
  expect(() => page.submit({ fields: { plan: "9" } })).toThrow('"plan" offers 1, 3 and not 9')
  expect(() => page.submit({ button: { value: "steal" } })).toThrow("No button")
  expect((await page.submit({ tamper: { plan: "9" } })).body).toContain("plan=9")
})

test("a control outside its form belongs to it, and a form without method uses GET", async () => {
  const url = await site({ "/": form })
  const page = await new Browser().visit(url)
  expect((await page.submit({ having: "outside" })).body).toBe("GET /search?outside=o ")
})

test("noscript content is included, and text and language are readable", async () => {
  const url = await site({ "/": form, "/plain": "plain page" })
  const page = await new Browser().visit(url)
  expect(page).toMatchObject({ language: "es-ES", status: 200 })
  expect(page.field("email")).toBe("ana@example.test")
  expect((await page.follow("Without script")).text).toBe("plain page")
  expect((await page.follow(/plain$/)).text).toBe("plain page")
})

test("a redirect after a form is followed with GET, and cookies are sent until they expire", async () => {
  const url = await site({
    "/": form,
    "/order": (_request, response) =>
      response.writeHead(303, { location: "/seen", "set-cookie": ["a=1; Path=/", "b=2; Path=/other"] }).end(),
    "/seen": (request, response) => response.end(`${request.method} ${request.headers.cookie}`),
    "/out": (_request, response) => response.writeHead(200, { "set-cookie": "a=; Path=/; Max-Age=0" }).end(),
  })
  const browser = new Browser()
  expect((await (await browser.visit(url)).submit()).body).toBe("GET a=1")
  await browser.visit(`${url}/out`)
  expect((await browser.visit(`${url}/seen`)).body).toBe("GET undefined")
})

test("cookies are not sent to another port", async () => {
  const first = await site({ "/": (_request, response) => response.setHeader("set-cookie", "a=1").end() })
  const second = await site({ "/": (request, response) => response.end(String(request.headers.cookie)) })
  const browser = new Browser()
  await browser.visit(first)
  expect((await browser.visit(second)).body).toBe("undefined")
})

test("a meta refresh returns its URL and delay", async () => {
  const url = await site({ "/": '<meta http-equiv="refresh" content="5; url=/next">', "/next": "arrived" })
  const page = await new Browser().visit(url)
  expect(page.refresh).toEqual({ seconds: 5, url: new URL("/next", url) })
  const next = await page.followRefresh()
  expect(next.text).toBe("arrived")
  expect(next.refresh).toBeNull()
})

type Answerer = (request: IncomingMessage, response: ServerResponse) => unknown

/** Starts a site with these pages on a free port; every other path responds with the request. */
async function site(pages: Record<string, string | Answerer>): Promise<string> {
  const server = createServer(async (request, response) => {
    const page = pages[request.url ?? "/"] ?? repeated
    if (typeof page === "string") response.end(page)
    else await page(request, response)
  })
  open.push(server)
  await once(server.listen(0, "127.0.0.1"), "listening")
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

async function repeated(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await request.toArray()).join("")
  response.end(`${request.method} ${request.url} ${body}`)
}
