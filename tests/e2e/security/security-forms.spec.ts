import { gzipSync } from "node:zlib"
import { expect } from "playwright/test"
import { allWritten } from "../../fixtures/stored-data"
import {
  everyOf,
  failuresWithin10s,
  findViolation,
  resources,
  screens,
  tally,
} from "../../support/attacks/attack-inputs"
import { type RawResponse, rawRequest } from "../../support/http/raw-request"
import { startShop, type TestServer } from "../../support/server/server-process"
import { attackTest } from "../attack-test"
import { test } from "../shop-test"

let shop: TestServer
test.beforeAll(async () => {
  shop = await startShop()
})
test.afterAll(() => shop.stop())

const form = "application/x-www-form-urlencoded"
const send = (
  path: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<RawResponse> =>
  rawRequest(shop.url, path, { method: "POST", body, headers: { "content-type": form, ...headers } })

/** How a form was accepted, by a status below 400 or a session cookie; null if it was rejected. */
function entered({ status, headers }: RawResponse): string | null {
  if (status < 400) return `status ${status}`
  return headers["set-cookie"]?.some((it) => it.startsWith("checkout=")) ? "opens a session" : null
}

attackTest(
  "forms from other sites are rejected on every screen and resource, and write nothing",
  async (pick) => {
    const { count, conclude } = tally("cross-site posts")
    const before = allWritten(shop.dataDir)
    const origins = [
      "https://evil.test",
      "null",
      `${shop.url}.evil.test`,
      "http://127.0.0.1",
      "file://",
      shop.sandboxUrl,
    ]
    const bodies = [
      "intent=pay&plan=3&email=a%40b.test&gateway=offshore",
      "draft=x&total=1",
      "aff_id=7",
      "{}",
    ]
    for (const [path, origin, body] of pick(everyOf([...screens, ...resources], origins, bodies))) {
      const response = await send(path, body, { origin })
      count(`${origin} ${path}`, findViolation(response) ?? entered(response))
    }
    for (const path of pick([...screens, ...resources])) {
      const response = await send(path, "aff_id=7", { "sec-fetch-site": "cross-site" })
      count(path, findViolation(response) ?? entered(response))
    }
    expect(allWritten(shop.dataDir)).toBe(before)
    conclude()
  },
)

attackTest("prototype property names and deep nesting in forms and JSON cause no error", async (pick) => {
  const { count, conclude } = tally("form and JSON shapes")
  const before = (await rawRequest(shop.url, "/checkout/api/health")).body
  const deep = `plan${"[a]".repeat(5_000)}=1`
  const bodies = [
    "__proto__[x]=1",
    "__proto__.x=1",
    "constructor.prototype.status=x",
    "constructor[prototype][x]=1",
    "plan[__proto__]=1",
    "plan.__proto__.x=1",
    "plan[]=1&plan[]=2",
    "plan[0][__proto__][y]=1",
    "intent=__proto__",
    "intent=constructor",
    "intent=toString",
    "gateway=__proto__",
    "gateway=constructor",
    "=",
    "&&&&",
    "%",
    "%zz=1",
    deep,
    `${"a.".repeat(10_000)}b=1`,
    "plan[99999999]=1",
    "plan[-1]=1",
    "plan[1e9]=1",
    "a=1&".repeat(15_000),
    `email=${"[".repeat(30_000)}`,
    "plan=1&plan=2&email=a%40b.test&email=c%40d.test",
  ]
  for (const [path, body] of pick(everyOf([...screens, "/checkout/aff/new_click"], bodies))) {
    count(`${path} ${body}`, await failuresWithin10s(shop, () => send(path, body)))
  }
  const json = [
    '{"__proto__":{"x":1}}',
    '{"aff_id":{"__proto__":[]}}',
    "[".repeat(30_000),
    '{"a":'.repeat(5_000),
    "null",
    "1e999",
  ]
  for (const [path, body] of pick(
    everyOf(["/checkout/aff/new_click", "/checkout/api/auth", "/checkout/"], json),
  )) {
    count(`${path} ${body}`, findViolation(await send(path, body, { "content-type": "application/json" })))
  }
  expect((await rawRequest(shop.url, "/checkout/api/health")).body).toBe(before)
  conclude()
})

attackTest(
  "uploads, malformed multipart bodies and compressed bodies are treated as empty forms",
  async (pick) => {
    const { count, conclude } = tally("bodies")
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
    const file = '--x\r\nContent-Disposition: form-data; name="email"; filename="a"\r\n\r\nx\r\n--x--'
    const bodies: [string, Buffer | string, Record<string, string>][] = [
      ["50 MB compressed", bomb, { "content-encoding": "gzip" }],
      ["compressed twice", gzipSync(bomb), { "content-encoding": "gzip, gzip" }],
      ["an unknown content encoding", "plan=1", { "content-encoding": "zstd" }],
      ["a file in every field", file, { "content-type": "multipart/form-data; boundary=x" }],
      ["a boundary that never occurs", file, { "content-type": "multipart/form-data; boundary=y" }],
      ["no boundary", file, { "content-type": "multipart/form-data" }],
      ["UTF-16", Buffer.from("plan=1", "utf16le"), { "content-type": `${form}; charset=utf-16` }],
      ["bytes that are not text", Buffer.from([0xff, 0xfe, 0xc0, 0x80]), {}],
    ]
    for (const [path, [what, body, headers]] of pick(everyOf(screens, bodies))) {
      const response = await send(path, body, headers)
      count(
        `${what} ${path}`,
        findViolation(response) ??
          (response.status < 400 && response.status !== 303 && response.status !== 302
            ? `status ${response.status}`
            : null),
      )
    }
    conclude()
  },
)
