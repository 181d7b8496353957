import { expect } from "playwright/test"
import {
  elsewhere,
  everyOf,
  evil,
  findViolation,
  leadsAway,
  parameters,
  resources,
  screens,
  tally,
} from "../../support/attacks/attack-inputs"
import { type RawResponse, rawRequest } from "../../support/http/raw-request"
import { attackTest } from "../attack-test"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
let linesBefore: number
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
  linesBefore = shop.logLines().length
})

const away = (response: RawResponse) => leadsAway(response, shop)

attackTest("no parameter of any screen redirects to another site", async (pick) => {
  const { count, conclude } = tally("open redirects by parameter")
  for (const [screen, name, value] of pick(everyOf(screens, parameters, elsewhere))) {
    const path = `${screen}?${name}=${encodeURIComponent(value)}`
    const response = await rawRequest(shop.url, path)
    count(path, findViolation(response) ?? away(response))
  }
  conclude()
})

attackTest("no path redirects to another site, with or without entry link parameters", async (pick) => {
  const { count, conclude } = tally("open redirects by path")
  const paths = [
    `//${evil}`,
    `//${evil}/checkout/`,
    `/\\${evil}`,
    `/checkout//${evil}`,
    `/checkout/\\${evil}`,
    `/checkout/%2f%2f${evil}`,
    `/checkout/%5c${evil}`,
    `/checkout/..//${evil}`,
    "//checkout/",
    `http://${evil}/checkout/`,
    `/checkout/de-de//${evil}`,
    `/checkout/https://${evil}`,
  ]
  const queries = ["", "?email=ana%40example.test", "?promocode=X&signin", "?pid=3&aff_id=1"]
  for (const [path, query, language] of pick(everyOf(paths, queries, ["en", "de"]))) {
    const response = await rawRequest(shop.url, path + query, { headers: { "accept-language": language } })
    count(path + query, findViolation(response) ?? away(response))
  }
  conclude()
})

attackTest("no part of a URL becomes a response header", async (pick) => {
  const { count, conclude } = tally("header injection")
  const breaks = [
    "%0d%0ax-injected:%20yes",
    "%0ax-injected:yes",
    "%0d%0a%0d%0a<b>",
    "%E5%98%8Dx-injected:yes",
  ]
  const places = ["", ...parameters.map((name) => `?${name}=1`)]
  for (const [screen, place, part] of pick(everyOf(screens, places, breaks))) {
    const response = await rawRequest(shop.url, screen + place + part)
    count(
      screen + place + part,
      findViolation(response) ?? ("x-injected" in response.headers ? "a new header" : null),
    )
  }
  conclude()
})

attackTest("the Host header and similar headers do not affect responses", async (pick) => {
  const { count, conclude } = tally("host headers")
  const names = ["host", "x-forwarded-host", "forwarded", "x-original-url", "x-rewrite-url", "x-host"]
  const values = [evil, `${evil}:80`, `127.0.0.1@${evil}`, `host=${evil}`, `http://${evil}/`]
  for (const [path, name, value] of pick(
    everyOf(["/", "/checkout", ...screens, ...resources], names, values),
  )) {
    const response = await rawRequest(shop.url, `${path}?email=a%40b.test`, { headers: { [name]: value } })
    const repeats = `${JSON.stringify(response.headers)}${response.body}`.includes(evil)
    count(`${path} ${name}: ${value}`, findViolation(response) ?? (repeats ? "repeats it" : null))
  }
  conclude()
})

attackTest("no path traversal reads a private file", async (pick) => {
  const { count, conclude } = tally("paths to files")
  const starts = ["/checkout/assets/", "/checkout/", "/", "/checkout/assets/%00"]
  const up = ["../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..\\", "..%5c", "%252e%252e%252f", "....//", "..;/"]
  const files = [
    "package.json",
    "etc/passwd",
    "data/boxoffice.db",
    "server/index.js",
    "data/local-secrets.json",
  ]
  for (const [start, step, file] of pick(everyOf(starts, up, files))) {
    const path = `${start}${step.repeat(6)}${file}`
    const response = await rawRequest(shop.url, path)
    count(path, findViolation(response) ?? (response.status === 200 ? "answers 200" : null))
  }
  conclude()
})

attackTest("React Router's data and manifest URLs cause no error with hostile parameters", async (pick) => {
  const { count, conclude } = tally("data and manifest URLs")
  const pages = ["/checkout/_root.data", ...screens.slice(1).map((path) => `${path}.data`)]
  const routes = ["evil", "root,__proto__", "constructor", "../../etc", "\0", "a,".repeat(2_000)]
  for (const [path, route, method] of pick(everyOf(pages, routes, ["GET", "POST", "PUT", "DELETE"]))) {
    const requested = `${path}?_routes=${encodeURIComponent(route)}`
    count(`${method} ${requested}`, findViolation(await rawRequest(shop.url, requested, { method })))
  }
  const many = Array.from({ length: 300 }, (_, at) => `/x${at}`).join()
  const addresses = ["//evil.test", "/../../etc/passwd", "\0", "a".repeat(7_000), "/__proto__", "%", many]
  for (const [name, path] of pick(everyOf(["p", "paths", "version", "__proto__"], addresses))) {
    const requested = `/checkout/__manifest?version=x&${name}=${encodeURIComponent(path)}`
    const response = await rawRequest(shop.url, requested)
    count(requested, findViolation(response))
  }
  conclude()
})

test("the hostile URLs caused no error log line", () => {
  const errors = shop
    .logLines()
    .slice(linesBefore)
    .filter(({ level }) => Number(level) >= 50)
  expect(errors).toEqual([])
})
