import { expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { formsIn } from "../../../tests/support/html/html-form"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { AccountMenu } from "./account-menu"

test("links a visitor to the sign-in screen of the current page and language", async () => {
  const document = await rendered(<AccountMenu email={null} path="/waiting" />, "de-de")
  const links = elements(document, ({ tagName }) => tagName === "a")
  expect(links.map((it) => [attribute(it, "href"), textOf(it)])).toEqual([
    ["/checkout/de-de/waiting?signin", "Anmelden"],
  ])
  expect(formsIn(document)).toEqual([])
})

test("signs a customer out by a form with a button that contains the e-mail", async () => {
  const [form] = formsIn(await rendered(<AccountMenu email="ana@example.test" path="/" />))
  const button = form?.button({})
  expect(button && textOf(button)).toBe("Sign out ana@example.test")
  expect(form?.submission(button, {})).toEqual({ action: "/checkout/?signout", method: "post", entries: [] })
})
