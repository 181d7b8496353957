import { expect, test } from "vitest"
import { type ErrorKind, statusOf } from "~/domain/error-kind"
import { enEn } from "~/i18n/translations/en-en"
import { rendered } from "../../../tests/fixtures/render-screen"
import { formsIn } from "../../../tests/support/html/html-form"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { ErrorPage } from "../interstitials/error-page"
import { PageLayout } from "./page-layout"

const framed = (
  <PageLayout shopName="Boxoffice" testMode path="/waiting" query="?promocode=X">
    <h1>Here</h1>
  </PageLayout>
)

test("the language menu links to the same page and query in every language with the lang parameter", async () => {
  const document = await rendered(framed, "de-de")
  const links = elements(document, (it) => attribute(it, "lang") !== null)
  expect(links.map((it) => [attribute(it, "href"), attribute(it, "lang")])).toEqual([
    ["/checkout/waiting?promocode=X&lang=en", "en"],
    ["/checkout/es-es/waiting?promocode=X&lang=es-ES", "es-ES"],
    ["/checkout/pt-pt/waiting?promocode=X&lang=pt-PT", "pt-PT"],
    ["/checkout/de-de/waiting?promocode=X&lang=de-DE", "de-DE"],
    ["/checkout/nl-nl/waiting?promocode=X&lang=nl-NL", "nl-NL"],
    ["/checkout/en-gb/waiting?promocode=X&lang=en-GB", "en-GB"],
  ])
  const current = links.filter((it) => attribute(it, "aria-current") !== null)
  expect(current.map(textOf)).toEqual(["Deutsch"])
})

test("on a page with an order's form the language menu has buttons of it, and none of them is sent by Enter", async () => {
  const withForm = (paused: string | null) => (
    <PageLayout shopName="Boxoffice" testMode path="/" query="" form={{ paused }}>
      <form id="order" method="post">
        <input name="email" />
        <button type="submit">Pay</button>
      </form>
    </PageLayout>
  )
  const [form] = formsIn(await rendered(withForm(null), "de-de"))
  const buttons = form?.controls.filter(({ tagName }) => tagName === "button") ?? []
  expect(buttons.slice(0, -1).map((it) => attribute(it, "value"))).toEqual([
    "pay",
    "language-en",
    "language-es-ES",
    "language-pt-PT",
    "language-de-DE",
    "language-nl-NL",
    "language-en-GB",
  ])
  const unchecked = buttons.filter((it) => attribute(it, "formnovalidate") !== null)
  expect(unchecked.map(textOf)).toEqual([
    "English",
    "Español",
    "Português",
    "Deutsch",
    "Netherlands",
    "UK English",
  ])
  const all = elements(await rendered(withForm("Nothing can be ordered.")), (it) => it.tagName === "button")
  expect(all[0] && [attribute(all[0], "value"), attribute(all[0], "disabled")]).toEqual(["pay", ""])
})

test("the language menu sends the form of the page that it is on", async () => {
  const form = { paused: null, id: "other-gateway", intent: "gateway" }
  const page = (
    <PageLayout shopName="Boxoffice" testMode path="/waiting" query="?gateway" form={form}>
      <h1>Here</h1>
    </PageLayout>
  )
  const buttons = elements(await rendered(page), ({ tagName }) => tagName === "button")
  expect(new Set(buttons.map((it) => attribute(it, "form")))).toEqual(new Set(["other-gateway"]))
  expect(buttons[0] && attribute(buttons[0], "value")).toBe("gateway")
})

test("the first focusable element is the skip link", async () => {
  const document = await rendered(framed)
  const [first] = elements(document, ({ tagName }) => tagName === "a")
  expect(first && attribute(first, "href")).toBe("#main")
  expect(elements(document, (it) => attribute(it, "id") === "main")).toHaveLength(1)
})

test("the footer leads to the reseller plans where the page says that they are sold", async () => {
  const links = async (hasResellerPlans: boolean) => {
    const page = (
      <PageLayout shopName="Boxoffice" testMode path="/" query="" hasResellerPlans={hasResellerPlans}>
        <h1>Here</h1>
      </PageLayout>
    )
    const all = elements(await rendered(page, "de-de"), ({ tagName }) => tagName === "a")
    return all.filter((it) => attribute(it, "href") === "/de-de/resellers").map(textOf)
  }
  expect(await links(true)).toEqual(["Reseller werden"])
  expect(await links(false)).toEqual([])
})

test("shows the operator's logo, with the shop's name unless the logo contains it", async () => {
  const logo = { path: "/logo-1.svg", width: 96, height: 32, withName: false, isForDark: false }
  const withLogo = (withName: boolean) => (
    <PageLayout shopName="Nordlicht" testMode={false} logo={{ ...logo, withName }} path="/" query="">
      <h1>Here</h1>
    </PageLayout>
  )
  const document = await rendered(withLogo(false))
  const [image] = elements(document, ({ tagName }) => tagName === "img")
  expect(image && ["src", "width", "height", "alt"].map((it) => attribute(image, it))).toEqual([
    "/checkout/logo-1.svg",
    "96",
    "32",
    "",
  ])
  const [home] = elements(document, (it) => attribute(it, "class") === "brand")
  expect(home && [textOf(home), attribute(home, "aria-label")]).toEqual(["", "Nordlicht home page"])
  const [named] = elements(await rendered(withLogo(true)), (it) => attribute(it, "class") === "brand")
  expect(named && textOf(named)).toBe("Nordlicht")
})

test.each(Object.keys(statusOf) as ErrorKind[])(
  "the error page for %s shows the error and links home",
  async (kind) => {
    const page = <ErrorPage kind={kind} homePath="/de-de" retryPath="/de-de/waiting" requestId="request-1" />
    const document = await rendered(page, "de-de")
    const [heading] = elements(document, ({ tagName }) => tagName === "h1")
    expect(heading && textOf(heading).length).toBeGreaterThan(10)
    const home = elements(document, (it) => attribute(it, "href") === "/checkout/de-de")
    expect(home.map(textOf)).toEqual(["Zur Startseite"])
  },
)

test("the error page of an outage whose end billing has named says when to try again", async () => {
  const retryNote = "Please try again in 20 minutes."
  const page = (
    <ErrorPage kind="unavailable" homePath="/" retryPath="/" retryNote={retryNote} requestId={null} />
  )
  const text = textOf(await rendered(page))
  expect(text).toContain(retryNote)
  expect(text).not.toContain(enEn.error.kept)
})

test("the error page of a temporary error shows the order's state, a reference and a retry link", async () => {
  const page = <ErrorPage kind="unavailable" homePath="/" retryPath="/waiting" requestId="request-1" />
  const document = await rendered(page)
  expect(textOf(document)).toContain("What you’ve ordered and paid is safe.")
  expect(textOf(document)).toContain("request-1")
  expect(elements(document, (it) => attribute(it, "href") === "/checkout/waiting").map(textOf)).toEqual([
    "Try again",
  ])
})
