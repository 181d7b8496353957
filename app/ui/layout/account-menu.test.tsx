import { expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { formsIn } from "../../../tests/support/html/html-form"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { AccountMenu, DeviceLinks } from "./account-menu"

test("links a visitor to the sign-in screen of the current page and language", async () => {
  const document = await rendered(<AccountMenu email={null} ownsService={false} path="/waiting" />, "de-de")
  const links = elements(document, ({ tagName }) => tagName === "a")
  expect(links.map((it) => [attribute(it, "href"), textOf(it)])).toEqual([
    ["/checkout/de-de/waiting?signin", "Anmelden"],
  ])
  expect(formsIn(document)).toEqual([])
})

test("a page that asks to sign in has no link to itself, in its header or its footer", async () => {
  for (const links of [
    <AccountMenu key="header" email={null} ownsService={false} path="/" signsIn />,
    <DeviceLinks key="footer" ownsService path="/" signsIn />,
  ]) {
    const document = await rendered(links)
    const hrefs = elements(document, ({ tagName }) => tagName === "a").map((it) => attribute(it, "href"))
    expect(hrefs).not.toContain("/checkout/?signin")
  }
})

test("signs a customer out by a form with a button that contains the e-mail", async () => {
  const [form] = formsIn(await rendered(<AccountMenu email="ana@example.test" ownsService path="/" />))
  const button = form?.button({})
  expect(button && textOf(button)).toBe("Sign out ana@example.test")
  expect(form?.submission(button, {})).toEqual({ action: "/checkout/?signout", method: "post", entries: [] })
})

test.each([
  ["de-de", "/checkout/de-de/success?services", "Ihr Zugang"],
  ["en-en", "/checkout/success?services", "Your access"],
] as const)(
  "a browser that has bought a service gets a link to it and no sign-in link in %s",
  async (locale, href, text) => {
    const document = await rendered(<AccountMenu email={null} ownsService path="/" />, locale)
    const links = elements(document, ({ tagName }) => tagName === "a")
    expect(links.map((it) => [attribute(it, "href"), textOf(it)])).toEqual([[href, text]])
  },
)

test("a signed-in customer gets a link to the services beside the sign-out button", async () => {
  const document = await rendered(<AccountMenu email="ana@example.test" ownsService path="/success" />)
  const [link] = elements(document, ({ tagName }) => tagName === "a")
  expect(link && [attribute(link, "href"), attribute(link, "aria-current")]).toEqual([
    "/checkout/success?services",
    "page",
  ])
  expect(formsIn(document)).toHaveLength(1)
})

test("a signed-in customer without a service gets the sign-out button and neither a service nor a sign-in link", async () => {
  const document = await rendered(<AccountMenu email="ana@example.test" ownsService={false} path="/" />)
  expect(elements(document, ({ tagName }) => tagName === "a")).toEqual([])
  const [form] = formsIn(document)
  expect(form?.submission(form.button({}), {})).toMatchObject({ action: "/checkout/?signout" })
})

test.each([
  ["/", ["/checkout/?signin", "/checkout/?forget"]],
  ["/success", ["/checkout/success?forget"]],
  ["/resellers/success", ["/checkout/resellers/success?forget"]],
])("the footer of %s offers sign-in unless the page shows login details", async (path, hrefs) => {
  const document = await rendered(<DeviceLinks ownsService path={path} />)
  expect(elements(document, ({ tagName }) => tagName === "a").map((it) => attribute(it, "href"))).toEqual(
    hrefs,
  )
})
