import { gunzipSync } from "node:zlib"
import fc from "fast-check"
import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { expect, test } from "vitest"
import { isEmail } from "~/domain/customers/email"
import { renderHydrationScript } from "./hydration-script.server"
import { type CacheScope, cachedPage, canBePlaceholder, replaceInData } from "./page-cache.server"
import type { RenderedPage } from "./rendered-page.server"

let rendered = 0

test("renders the same state once and gives every visitor a nonce of their own", async () => {
  expect(await shown(null, "first")).toBe(await freshly(null, "first"))
  const before = rendered
  expect(await shown(null, "second")).toBe(await freshly(null, "second"))
  expect(rendered).toBe(before)
})

test("renders another state again", async () => {
  const body = (values: string) =>
    cachedPage({
      cacheScope: "shared",
      url: "/",
      hydrationScript: values,
      style: null,
      own: { nonce: "n", email: null },
      render: () => values,
    })
      .bytes()
      .toString()
  expect([body("79,00 €"), body("89,00 €")]).toEqual(["79,00 €", "89,00 €"])
})

test("pages of single visitors evict no page shared by all", () => {
  let made = 0
  const look = (cacheScope: CacheScope, url: string) =>
    cachedPage({
      cacheScope,
      url,
      hydrationScript: "",
      style: null,
      own: { nonce: "n", email: null },
      render: () => `page ${++made}`,
    })
      .bytes()
      .toString()
  const page = look("shared", "/plans")
  for (let order = 0; order < 1_000; order++) look("one", `/waiting ${order}`)
  expect(look("one", "/waiting 999")).toBe(`page ${made}`)
  expect(look("shared", "/plans")).toBe(page)
})

test.each([
  ["shared by all", "shared", 2],
  ["of one visitor", "one", 5],
] as const)(
  "a page %s has a compressed template from a use on at which it pays: %s, %s",
  (_, cacheScope, from) => {
    const look = () =>
      cachedPage({
        cacheScope,
        url: "/looked at often",
        hydrationScript: "",
        style: null,
        own: { nonce: "n", email: null },
        render: () => "page",
      }).gzip() !== null
    const looks = Array.from({ length: 6 }, look)
    expect(looks.indexOf(true) + 1).toBe(from)
    expect(looks.slice(from)).not.toContain(false)
  },
)

const emails = fc
  .tuple(
    fc.string({ unit: "binary", minLength: 1, maxLength: 30 }),
    fc.constantFrom("", "<script>", '"', "\\", "'&", "</script>", "$&"),
  )
  .map(([text, sign]) => `${text.replace(/[\s@]/g, "x")}${sign}@b.test`)
  .filter(isEmail)

test("a cached page is byte-identical to a rendered one, whatever the e-mail", async () => {
  await shown("somebody@else.test", "n")
  const before = rendered
  await fc.assert(
    fc.asyncProperty(emails, async (email) => {
      expect(await shown(email, "n")).toBe(await freshly(email, "n"))
    }),
    { numRuns: 300 },
  )
  expect(rendered).toBe(before)
})

test("the compressed page decompresses to the same page", async () => {
  const nonce = "n".repeat(24)
  await shown("somebody@else.test", nonce)
  await fc.assert(
    fc.asyncProperty(emails, async (email) => {
      const body = (await kept(email, nonce)).gzip()
      expect(body && gunzipSync(body).toString()).toBe(await freshly(email, nonce))
    }),
    { numRuns: 100 },
  )
})

test("a page of one visitor is the same page in each of its compressed forms", () => {
  const style = ":root{--brand:#405db1}"
  const looks = Array.from({ length: 6 }, (_, nth) => {
    const own = { nonce: String(nth).repeat(24), email: null }
    const page = cachedPage({
      cacheScope: "one",
      url: "/looked at six times",
      hydrationScript: "",
      style,
      own,
      render: ({ nonce }) => `<style nonce="${nonce}">${style}</style><p>waiting</p>`,
    })
    const body = page.gzip()
    expect(body && gunzipSync(body).toString()).toBe(
      `<style nonce="${own.nonce}">${style}</style><p>waiting</p>`,
    )
    return body?.length
  })
  // The template, from the fifth use on, has blocks of its own for what varies.
  expect(looks[3]).not.toBe(looks[4])
})

test("no cached page holds an earlier visitor's e-mail", async () => {
  await shown("first@visitor.test", "n")
  expect(await shown("second@visitor.test", "n")).not.toContain("first@visitor.test")
})

test("does not use a placeholder when the value is not an email address", () => {
  expect([canBePlaceholder(null), canBePlaceholder("ana@example.test")]).toEqual([true, true])
  expect([canBePlaceholder("a"), canBePlaceholder("offshore"), canBePlaceholder("@")]).toEqual([
    false,
    false,
    false,
  ])
})

/** The page from the cache, rendered if it is not cached yet. */
async function shown(email: string | null, nonce: string): Promise<string> {
  return (await kept(email, nonce)).bytes().toString()
}

async function kept(email: string | null, nonce: string): Promise<RenderedPage> {
  return cachedPage({
    cacheScope: "shared",
    url: "/checkout/",
    hydrationScript: await hydrationOf(email),
    style: null,
    own: { nonce, email },
    render: ({ own, ...page }) =>
      render(own && email ? replaceInData(data(email), email, own) : data(email), page),
  })
}

const freshly = async (email: string | null, nonce: string) =>
  render(data(email), { nonce, hydrationScript: await hydrationOf(email) }, false)

const data = (email: string | null) => ({ choices: { email, plan: "3" }, plans: [{ name: "12 months" }] })

/** The loader data as React Router writes it: every text once, as JSON. */
function hydrationOf(email: string | null): Promise<string> {
  const text = JSON.stringify([data(email), email, "choices"])
  return renderHydrationScript(new Blob([text]).stream())
}

function render(
  { choices, plans }: ReturnType<typeof data>,
  { nonce, hydrationScript }: { nonce: string; hydrationScript: string },
  isTracked = true,
): string {
  if (isTracked) rendered++
  const input = createElement("input", { key: 1, defaultValue: choices.email ?? "", title: plans[0]?.name })
  const text = createElement("p", { key: 2 }, "Hello ", choices.email)
  const script = createElement("script", {
    key: 3,
    nonce,
    dangerouslySetInnerHTML: { __html: hydrationScript },
  })
  return renderToString(createElement("main", null, [input, text, script]))
}
