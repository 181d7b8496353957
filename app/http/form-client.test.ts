import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { interceptUpstreams } from "../../tests/fakes/server"
import { formClient, formText } from "./form-client.server"
import { UpstreamError } from "./upstream-error"

const server = interceptUpstreams()

const URL_HERE = "https://neighbour.test/billing"
const ADDRESS = `${URL_HERE}/includes/api.php`
const client = formClient({ url: URL_HERE, retryDelaysMs: [1, 1] })
const post = (call?: { repeatable?: boolean }) => client.post("includes/api.php", { action: "X" }, call)

test("encodes arrays, maps and booleans as PHP parses them and omits null and undefined", () => {
  const fields = {
    pid: ["1", 2],
    configoptions: new Map([["3", "7"]]),
    noemail: true,
    sendemail: false,
    promocode: null,
    affid: undefined,
    notes: "a b&c",
  }
  expect(decodeURIComponent(formText(fields))).toBe(
    "pid[0]=1&pid[1]=2&configoptions[3]=7&noemail=1&sendemail=0&notes=a+b&c",
  )
})

test("posts a form to the upstream's path and returns body, status and Date header", async () => {
  let seen: unknown
  server.use(
    http.post(ADDRESS, async ({ request }) => {
      seen = [await request.text(), request.headers.get("content-type")]
      return HttpResponse.json({ result: "success" }, { headers: { date: "Mon, 15 Jun 2026 12:00:00 GMT" } })
    }),
  )
  expect(await post()).toEqual({
    status: 200,
    body: { result: "success" },
    date: "Mon, 15 Jun 2026 12:00:00 GMT",
    leadingOutput: null,
  })
  expect(seen).toEqual(["action=X", "application/x-www-form-urlencoded"])
})

test("returns a JSON body with any 4xx status as a response", async () => {
  server.use(http.post(ADDRESS, () => HttpResponse.json({ message: "Invalid IP" }, { status: 403 })))
  expect(await post()).toMatchObject({ status: 403, body: { message: "Invalid IP" } })
})

test.each([
  ["an HTML page", () => HttpResponse.html("<h1>Install</h1>"), "unreadable"],
  ["a PHP warning and truncated JSON", () => new HttpResponse('<b>Warning</b>{"result":"succ'), "unreadable"],
  [
    "a PHP warning after the JSON",
    () => new HttpResponse('{"result":"success"}<b>Warning</b>'),
    "unreadable",
  ],
  ["a PHP warning before a JSON string", () => new HttpResponse('<b>Warning</b>"success"'), "unreadable"],
  ["a 503", () => HttpResponse.html("<h1>Down</h1>", { status: 503 }), "unavailable"],
  ["a 429", () => HttpResponse.json({}, { status: 429 }), "unavailable"],
  ["no response", () => HttpResponse.error(), "unavailable"],
])("classifies %s as an upstream error that names method and URL", async (_, respond, kind) => {
  server.use(http.post(ADDRESS, respond))
  const failure = await post().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(UpstreamError)
  expect(failure).toMatchObject({ kind })
  expect(String(failure)).toContain("POST neighbour.test/billing/includes/api.php")
})

test("parses the JSON after leading PHP output and returns that output separately", async () => {
  const notice = "<br />\n<b>Warning</b>:  Undefined variable $x in {closure} on line <b>1</b><br />\n"
  server.use(http.post(ADDRESS, () => new HttpResponse(`${notice}{"result":"success","list":{}}\n`)))
  expect(await post()).toMatchObject({ body: { result: "success", list: {} }, leadingOutput: notice })
})

test("retries a repeatable request and sends any other once", async () => {
  let attempts = 0
  const failing = http.post(ADDRESS, () => {
    attempts++
    return HttpResponse.json({ attempts }, { status: attempts % 3 === 0 ? 200 : 502 })
  })
  server.use(failing)
  expect(await post({ repeatable: true })).toMatchObject({ body: { attempts: 3 } })
  await expect(post()).rejects.toMatchObject({ kind: "unavailable" })
  expect(attempts).toBe(4)
})

test("visits a URL with its Referer without following redirects", async () => {
  const seen: unknown[] = []
  server.use(
    http.get(`${URL_HERE}/aff.php`, ({ request }) => {
      seen.push([new URL(request.url).search, request.headers.get("referer")])
      return new HttpResponse(null, { status: 302, headers: { location: `${URL_HERE}/index.php` } })
    }),
  )
  const visit = { query: { aff: "7" }, referer: "https://blog.example.test/" }
  expect(await client.visit("aff.php", visit)).toBe(302)
  expect(seen).toEqual([["?aff=7", "https://blog.example.test/"]])
})

test("the error of a redirect names where it leads, without the path", async () => {
  const headers = { location: "https://billing.test/includes/api.php?secret=1" }
  server.use(http.post(ADDRESS, () => new HttpResponse("Moved", { status: 301, headers })))
  await expect(post()).rejects.toThrow(
    /^POST neighbour\.test\/billing\/includes\/api\.php did not respond with JSON \(301, a redirect to https:\/\/billing\.test\)$/,
  )
})
