import { expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { formsIn } from "../../../tests/support/html/html-form"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { ResumeScreen } from "./resume-screen"

const question = {
  isPaid: false,
  returned: { heading: "Open this order here?", lead: "It was placed in another browser." },
  reference: "ABCDEFGHJK",
  total: "€79.00",
  lines: [],
  facts: "Open it only if it’s yours.",
  action: "/checkout/waiting?resume=token",
  cancelHref: "/checkout/waiting",
}

const linksOf = (document: Parameters<typeof elements>[0]) =>
  elements(document, (it) => attribute(it, "href") === question.cancelHref)

test("before the payment is seen, opening the order is the main choice, and leaving it closed the other", async () => {
  const document = await rendered(<ResumeScreen {...question} />)
  const [button] = elements(document, ({ tagName }) => tagName === "button")
  expect(button && attribute(button, "class")).toBe("main")
  expect(linksOf(document).map(textOf)).toEqual(["Leave it closed"])
})

test("after the payment nothing is left to do: the order can be opened, and no link leads to the plans", async () => {
  const document = await rendered(<ResumeScreen {...question} isPaid />)
  const [button] = elements(document, ({ tagName }) => tagName === "button")
  expect(button && attribute(button, "class")).toBe("large")
  expect(linksOf(document)).toEqual([])
  expect(
    formsIn(document).map((form) => form.submission(form.button({ text: "Open my order" }), {}).action),
  ).toEqual([question.action])
})
