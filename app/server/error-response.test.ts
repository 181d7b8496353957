import pino from "pino"
import { expect, test } from "vitest"
import type { RequestContext } from "~/context/request.server"
import { locales } from "~/domain/locales"
import type { Brand, Logo } from "~/domain/shop/brand"
import { loadCatalogue } from "~/i18n/i18n"
import { bodyOf } from "~/ssr/rendered-page.server"
import { attribute, elements, readHtml, textOf } from "../../tests/support/html/html-tree"
import { errorPageOf, routeWithinBasePath, withAllow, withErrorPage } from "./error-response.server"

const log = pino({ level: "silent" })
const requestContext: RequestContext = {
  id: "request-7",
  at: 7,
  address: null,
  nonce: "nonce-7",
  log,
  rejection: null,
}
const brand: Brand = {
  name: "Streamline",
  title: {},
  guarantee: null,
  colours: { light: "#405db1", dark: null },
}
const page = "text/html,*/*;q=0.8"
const empty = () => new Response(null, { status: 404 })
const broken = () =>
  new Response("Unexpected Server Error", { status: 500, headers: { "content-type": "text/plain" } })

test.each(locales)("a URL outside the shop returns 404 in $name", async ({ code, iso, prefix }) => {
  const { status, html } = await body("/nothing", empty(), { accept: page, "accept-language": iso })
  const { error } = await loadCatalogue(code)
  expect(status).toBe(404)
  expect(html).toContain(`<html lang="${iso}">`)
  expect(textOf(readHtml(html))).toContain(error["not-found"])
  expect(html).toContain(`href="/checkout${prefix || "/"}"`)
  expect(html).toContain('<meta name="robots" content="noindex"/>')
})

test.each(locales)("shows the fallback error page in $name, the locale of the URL", async (locale) => {
  const address = `/checkout${locale.prefix}/waiting`
  const headers = { accept: page, cookie: `browserLang=${locale.code}` }
  const { status, html } = await body(address, broken(), headers)
  const { error } = await loadCatalogue(locale.code)
  expect(status).toBe(500)
  expect(textOf(readHtml(html))).toContain(error.unexpected)
  expect(textOf(readHtml(html))).toContain(error.kept)
  expect(html).toContain(`href="${address}"`)
  expect(html).toContain("request-7")
  expect(html).toContain('<style nonce="nonce-7">')
})

test.each([
  ["/nothing", 404],
  ["/checkouts", 404],
  ["/checkout", 404],
  ["/checkout/%", 404],
  ["/checkout/", 200],
  ["/checkout/waiting", 200],
])("calls the router only for URLs below the base path: %s", async (path, status) => {
  const request = new Request(`http://127.0.0.1:3000${path}`)
  const response = await routeWithinBasePath(request, () => Promise.resolve(new Response("a page")))
  expect(response.status).toBe(status)
})

test("a 405 of the router gets an Allow header in place of its error page, and that of a route stays", async () => {
  const ofRouter = withAllow(new Response("<p>Something went wrong</p>", { status: 405 }))
  expect([ofRouter.headers.get("allow"), await ofRouter.text()]).toEqual(["GET, HEAD", ""])
  const ofRoute = new Response(null, { status: 405, headers: { allow: "POST" } })
  expect(withAllow(ofRoute)).toBe(ofRoute)
})

test.each(locales)("a page of a refused form says what to do next in $name", async ({ code, iso }) => {
  const request = new Request("http://127.0.0.1:3000/checkout/", {
    headers: { accept: page, "accept-language": iso, cookie: `browserLang=${code}` },
  })
  const { error } = await loadCatalogue(code)
  for (const kind of ["forbidden-origin", "too-large"] as const) {
    const refused = { kind, status: 400, requestContext, brand, logo: null }
    const html = (await bodyOf(await withErrorPage(empty(), request, refused)))?.toString() ?? ""
    expect(textOf(readHtml(html))).toContain(error.lead[kind])
  }
})

test("leaves the plain response to clients that do not accept HTML", async () => {
  expect((await body("/nothing", empty(), {})).html).toBe("")
  expect((await body("/checkout/waiting", broken(), { accept: "*/*" })).html).toBe("Unexpected Server Error")
})

test("keeps the body of a response that has one", async () => {
  const messages = () =>
    new Response("<p>Not here</p>", { status: 404, headers: { "content-type": "text/html" } })
  expect((await body("/checkout/nothing", messages(), { accept: page })).html).toBe("<p>Not here</p>")
})

test("has the operator's logo in place of the product's, with the shop's name where that belongs to it", async () => {
  const mark = { path: "/logo-1.svg", width: 96, height: 32, withName: false, isForDark: false }
  const headOf = async (logo: Logo | null) => {
    const { html } = await body("/nothing", empty(), { accept: page }, logo)
    const [link] = elements(readHtml(html), (it) => attribute(it, "class") === "brand")
    const pictures = elements(readHtml(html), (it) => it.tagName === "img").map((it) => attribute(it, "src"))
    return { pictures, name: link && textOf(link), label: link && attribute(link, "aria-label") }
  }
  const label = "Streamline home page"
  const picture = "/checkout/logo-1.svg"
  expect(await headOf(mark)).toEqual({ pictures: [picture], name: "", label })
  expect(await headOf({ ...mark, withName: true })).toEqual({
    pictures: [picture],
    name: "Streamline",
    label,
  })
  expect(await headOf(null)).toEqual({ pictures: [], name: "Streamline", label })
})

async function body(
  path: string,
  received: Response,
  headers: Record<string, string>,
  logo: Logo | null = null,
) {
  const request = new Request(`https://shop.test${path}`, { headers })
  const response = await withErrorPage(received, request, {
    kind: errorPageOf(received, request),
    status: received.status,
    requestContext,
    brand,
    logo,
  })
  return { status: response.status, html: String((await bodyOf(response)) ?? "") }
}
